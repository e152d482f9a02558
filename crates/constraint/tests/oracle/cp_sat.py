"""Reads a network as `foreign.rs` writes it; prints how many solutions, and seconds.

Prints nothing if it takes longer than the first argument says; the second is 0 if the network
is not to be simplified first.
"""

import sys
from ortools.sat.python import cp_model

model = cp_model.CpModel()
domains, variables, literals = [], [], {}


def variable(values):
    """A variable of these values, Boolean if they are 0 and 1."""
    if values == [0, 1]:
        return model.new_bool_var("")
    return model.new_int_var_from_domain(cp_model.Domain.from_values(values), "")


def equality(place, value):
    """A Boolean that is true if a variable has a value."""
    if value not in domains[place]:
        return model.new_constant(0)
    if len(domains[place]) == 1:
        return model.new_constant(1)
    if domains[place] == [0, 1]:
        return variables[place] if value == 1 else ~variables[place]
    boolean = model.new_bool_var("")
    model.add(variables[place] == value).only_enforce_if(boolean)
    model.add(variables[place] != value).only_enforce_if(~boolean)
    return boolean


def literal(place, value, equal):
    if (place, value) not in literals:
        literals[place, value] = equality(place, value)
    boolean = literals[place, value]
    return boolean if equal else ~boolean


def read(word, numbers):
    if word == "domain":
        domains.append(numbers)
        variables.append(variable(numbers))
    elif word == "scope":
        scope[:] = [variables[place] for place in numbers]
    elif word == "tuples":
        rows = [numbers[at : at + len(scope)] for at in range(0, len(numbers), len(scope))]
        model.add_allowed_assignments(scope, rows)
    else:
        triples = [numbers[at : at + 3] for at in range(0, len(numbers), 3)]
        constrain(word, [literal(*triple) for triple in triples])


def constrain(word, operands):
    if word == "clause":
        model.add_bool_or(operands)
        return
    head, body = operands[0], operands[1:]
    if word == "or":
        head, body = ~head, [~operand for operand in body]
    model.add_bool_and(body).only_enforce_if(head)
    model.add_bool_or([~operand for operand in body] + [head])


scope = []
for line in sys.stdin.read().splitlines():
    word, *rest = line.split()
    read(word, [int(number) for number in rest])


class Counter(cp_model.CpSolverSolutionCallback):
    count = 0

    def on_solution_callback(self):
        self.count += 1


solver = cp_model.CpSolver()
solver.parameters.enumerate_all_solutions = True
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = float(sys.argv[1])
solver.parameters.cp_model_presolve = sys.argv[2] == "1"
counter = Counter()
status = solver.solve(model, counter)
if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
    print(counter.count, solver.wall_time)
