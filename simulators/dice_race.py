"""Dice race, written from the rules: two runners on a track of 20 squares; a runner moves by a
roll, or dares a second one, which must be higher or the runner stumbles."""
from collections import namedtuple

ROLES = ["red", "blue", "random"]
TRACK = 20

# The squares of both runners, whose turn it is, the phase of the turn, the first roll (0: none).
State = namedtuple("State", "squares who phase die")


def start():
    return State((0, 0), 0, "first", 0)


def fluents(state):
    facts = [f"(at {role} {square})" for role, square in zip(ROLES, state.squares)]
    facts += [f"(control {ROLES[state.who]})", f"(phase {state.phase})"]
    if state.die:
        facts.append(f"(die {state.die})")
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "deciding":
        moves[state.who] = ["stop", "again"]
    else:
        moves[2] = [f"(roll {face})" for face in range(1, 7)]
    return moves


def advance(state, distance):
    """The state after the runner has moved; the turn passes to the other one."""
    squares = list(state.squares)
    # A runner who would pass the last square stops there.
    squares[state.who] = min(TRACK, squares[state.who] + distance)
    return State(tuple(squares), 1 - state.who, "first", 0)


def play(state, joint):
    if state.phase == "deciding":
        if joint[state.who] == "stop":
            return advance(state, state.die)
        return state._replace(phase="second")
    face = int(joint[2].strip("()").split()[1])
    if state.phase == "first":
        return state._replace(phase="deciding", die=face)
    # A second roll that is not higher than the first one is a stumble: one square only.
    return advance(state, state.die + face if face > state.die else 1)


def over(state):
    return max(state.squares) == TRACK


def goals(state):
    return [100 if square == TRACK else 0 for square in state.squares] + [0]
