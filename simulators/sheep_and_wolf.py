"""Sheep and wolf, written from its rules: two shepherds pen in a wolf that they see only up close."""
from typing import NamedTuple

ROLES = ["left", "right", "random"]
STEP = {"northeast": (1, 1), "northwest": (-1, 1), "southeast": (1, -1), "southwest": (-1, -1)}
FORWARD = ["northeast", "northwest"]


class State(NamedTuple):
    phase: str = "hiding"
    control: str = "left"
    sheep: dict = {(1, 1): "left", (3, 1): "left", (5, 1): "right", (7, 1): "right"}
    wolf: tuple = None


def start():
    return State()


def beside(square, direction):
    return (square[0] + STEP[direction][0], square[1] + STEP[direction][1])


def empty(state, square):
    on_board = 1 <= square[0] <= 8 and 1 <= square[1] <= 8
    return on_board and square not in state.sheep and square != state.wolf


def walks(state, shepherd):
    """The moves of the sheep of a shepherd."""
    mine = [square for square, owner in state.sheep.items() if owner == shepherd]
    ways = [(square, way) for square in mine for way in FORWARD if empty(state, beside(square, way))]
    return [f"(walk {x} {y} {way})" for (x, y), way in ways]


def escapes(state):
    """The directions in which the wolf can go."""
    return [direction for direction in STEP if empty(state, beside(state.wolf, direction))]


def other(shepherd):
    return "right" if shepherd == "left" else "left"


def fluents(state):
    facts = [f"(phase {state.phase})", f"(control {state.control})"]
    facts += [f"(sheep {owner} {x} {y})" for (x, y), owner in state.sheep.items()]
    if state.wolf:
        facts.append("(wolf %d %d)" % state.wolf)
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "hiding":
        moves[2] = [f"(put {column})" for column in (2, 4, 6, 8)]
    elif state.phase == "wolf":
        moves[2] = [f"(go {direction})" for direction in escapes(state)]
    else:
        # a shepherd without a move leaves the turn to the other one
        who = state.control if walks(state, state.control) else other(state.control)
        moves[ROLES.index(who)] = walks(state, who)
    return moves


def walk(state, move):
    """The state after a sheep walked."""
    _, x, y, direction = move.strip("()").split()
    square = (int(x), int(y))
    sheep = dict(state.sheep)
    sheep[beside(square, direction)] = sheep.pop(square)
    return state._replace(sheep=sheep, phase="wolf", control=other(state.control))


def turn(state, joint):
    """The next state and what is seen: the walks, and the wolf beside a sheep."""
    seen = []
    if state.phase == "hiding":
        after = state._replace(wolf=(int(joint[2][5:-1]), 8), phase="flock")
    elif state.phase == "wolf":
        after = state._replace(wolf=beside(state.wolf, joint[2][4:-1]), phase="flock")
    else:
        move = joint[0] if joint[0] != "noop" else joint[1]
        after = walk(state, move)
        seen.append(move.replace("walk", "walks"))
    if any(beside(after.wolf, direction) in after.sheep for direction in STEP):
        seen.append("(wolf %d %d)" % after.wolf)
    return after, seen


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 3


def penned(state):
    return state.wolf is not None and not escapes(state)


def over(state):
    if state.wolf is None:
        return False
    # sheep never go back, so a wolf level with the hindmost has escaped
    if penned(state) or all(row >= state.wolf[1] for _, row in state.sheep):
        return True
    return state.phase == "flock" and not walks(state, "left") and not walks(state, "right")


def goals(state):
    both = 100 if penned(state) else 0
    return [both, both, 0]


def choose(random, state, legal):
    """Mostly the hindmost sheep walks: that keeps the line closed and wins more."""
    joint = [random.choice(moves) for moves in legal]
    for who in (0, 1):
        if legal[who] != ["noop"] and random.random() < 0.9:
            joint[who] = min(legal[who], key=lambda move: (move.split()[2], random.random()))
    return joint
