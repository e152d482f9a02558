"""Vacuum cleaner, written from its rules: a robot cleans a room and feels only where it stands."""
from typing import NamedTuple

ROLES = ["robot", "random"]
STEP = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
SQUARES = [(x, y) for x in range(1, 6) for y in range(1, 6)]
DIRT = 5
ACTIONS = 40


class State(NamedTuple):
    turn: int = 1
    dirt: frozenset = frozenset()
    robot: tuple = None
    clean: int = 0


def start():
    return State()


def fluents(state):
    facts = [f"(turn {state.turn})", f"(clean {state.clean})"]
    facts += ["(dirt %d %d)" % square for square in state.dirt]
    if state.robot:
        facts.append("(robot %d %d)" % state.robot)
    return facts


def legal(state):
    if state.turn <= DIRT:
        return [["noop"], ["(scatter %d %d)" % square for square in SQUARES if square not in state.dirt]]
    if not state.robot:
        return [["noop"], ["(put %d %d)" % square for square in SQUARES]]
    return [["suck"] + [f"(go {direction})" for direction in STEP], ["noop"]]


def prepare(state, move):
    """The state after chance scattered dirt or put the robot down."""
    word, x, y = move.strip("()").split()
    square = (int(x), int(y))
    if word == "scatter":
        return state._replace(dirt=state.dirt | {square})
    return state._replace(robot=square)


def act(state, move):
    """The state after the robot acted, and whether it ran into a wall."""
    if move == "suck":
        found = state.robot in state.dirt
        return state._replace(dirt=state.dirt - {state.robot}, clean=state.clean + found), False
    dx, dy = STEP[move.strip("()").split()[1]]
    target = (state.robot[0] + dx, state.robot[1] + dy)
    return (state._replace(robot=target), False) if target in SQUARES else (state, True)


def turn(state, joint):
    """The next state and what the robot feels."""
    if state.robot:
        after, bumped = act(state, joint[0])
    else:
        after, bumped = prepare(state, joint[1]), False
    seen = ["bump"] if bumped else []
    if after.robot in after.dirt:
        seen.append("dirty")
    return after._replace(turn=state.turn + 1), seen


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 2


def over(state):
    return state.clean == DIRT or state.turn == DIRT + 2 + ACTIONS


def goals(state):
    return [20 * state.clean, 0]


def choose(random, state, legal):
    """At times a robot that knows where the dirt lies, so that all numbers of clean squares occur."""
    joint = [random.choice(moves) for moves in legal]
    if not state.robot or random.random() < 0.75:
        return joint
    x, y = state.robot
    u, v = min(state.dirt, key=lambda square: abs(square[0] - x) + abs(square[1] - y))
    if (u, v) == (x, y):
        joint[0] = "suck"
    elif u != x:
        joint[0] = "(go east)" if u > x else "(go west)"
    else:
        joint[0] = "(go north)" if v > y else "(go south)"
    return joint
