"""Latent tic-tac-toe, written from its rules: five in a row on a board with hidden marks."""
from typing import NamedTuple

ROLES = ["cross", "nought", "random"]
SIZE = 10
CELLS = [(x, y) for x in range(1, SIZE + 1) for y in range(1, SIZE + 1)]
LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


class State(NamedTuple):
    control: int = 2
    marks: dict = {}
    known: frozenset = frozenset()


def start():
    return State()


def fluents(state):
    facts = [f"(control {ROLES[state.control]})"]
    facts += [f"(holds {x} {y} {mark})" for (x, y), mark in state.marks.items()]
    return facts + ["(known %d %d)" % cell for cell in state.known]


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.control == 2:
        free = [cell for cell in CELLS if cell not in state.marks]
        moves[2] = [f"(hide {x} {y} {mark})" for x, y in free for mark in ("cross", "nought")]
    else:
        # players may try every cell of which they do not know that it is taken
        moves[state.control] = ["(mark %d %d)" % cell for cell in CELLS if cell not in state.known]
    return moves


def parse(move):
    """The cell of a move, and its mark if chance hides one."""
    words = move.strip("()").split()
    return (int(words[1]), int(words[2])), words[-1]


def turn(state, joint):
    """The next state and what is seen."""
    cell, hidden = parse(joint[state.control])
    if state.control == 2:
        return state._replace(control=0, marks={**state.marks, cell: hidden}), []
    known = state.known | {cell}
    if cell in state.marks:
        # a hidden mark comes to light, and the player tries again
        return state._replace(known=known), ["(found %d %d %s)" % (*cell, state.marks[cell])]
    marks = {**state.marks, cell: ROLES[state.control]}
    return State(state.control + 1, marks, known), ["(marked %d %d)" % cell]


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 3


def winner(marks):
    """Who has five in a row."""
    for (x, y), mark in marks.items():
        for dx, dy in LINES:
            if all(marks.get((x + k * dx, y + k * dy)) == mark for k in range(5)):
                return mark
    return None


def over(state):
    return len(state.marks) == len(CELLS) or winner(state.marks) is not None


def goals(state):
    won = winner(state.marks)
    if won is None:
        return [50, 50, 0]
    return [100 if won == "cross" else 0, 100 if won == "nought" else 0, 0]


def choose(random, state, legal):
    """Mostly avoids a row of five, so that boards fill up."""
    joint = [random.choice(moves) for moves in legal]
    if random.random() < 0.02:
        return joint
    for _ in range(30):
        move = random.choice(legal[state.control])
        joint[state.control] = move
        if winner(play(state, joint).marks) is None:
            break
    return joint
