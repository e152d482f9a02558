"""Reads a table network as `foreign.rs` writes it; prints how many solutions, and seconds.

Prints nothing if it takes longer than the first argument says.
"""

import sys
from ortools.sat.python import cp_model

lines = [[int(word) for word in line.split()] for line in sys.stdin.read().split("\n")]
model = cp_model.CpModel()
variables = [model.new_int_var(0, size - 1, "") for size in lines[0]]
for scope, cells in zip(lines[1:-1:2], lines[2:-1:2]):
    width = len(scope)
    tuples = [cells[start : start + width] for start in range(0, len(cells), width)]
    model.add_allowed_assignments([variables[place] for place in scope], tuples)


class Counter(cp_model.CpSolverSolutionCallback):
    count = 0

    def on_solution_callback(self):
        self.count += 1


solver = cp_model.CpSolver()
solver.parameters.enumerate_all_solutions = True
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = float(sys.argv[1])
counter = Counter()
status = solver.solve(model, counter)
if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
    print(counter.count, solver.wall_time)
