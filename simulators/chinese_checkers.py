"""Chinese checkers for three on a star of 73 cells, written from its rules.

A cell is (x, y), a third coordinate is -x-y; in the middle all three lie between -3 and 3, in a
point of the star one of them lies beyond. The sheet counts x and y from 1.
"""
from typing import NamedTuple

ROLES = ["red", "green", "blue"]
RADIUS = 3
SHIFT = 2 * RADIUS + 1
STEP = {
    "east": (1, 0), "west": (-1, 0), "southeast": (0, 1),
    "northwest": (0, -1), "southwest": (-1, 1), "northeast": (1, -1),
}
# where the marbles of each start, and where they want to go
HOME = ["-y", "-z", "-x"]
AIM = ["+y", "+z", "+x"]
MARBLES = 6
LAST = 240


def part(x, y):
    """The part of the star in which a cell lies: the middle, a point, or None outside."""
    axes = {"x": x, "y": y, "z": -x - y}
    above = ["+" + axis for axis, value in axes.items() if value > RADIUS]
    below = ["-" + axis for axis, value in axes.items() if value < -RADIUS]
    beyond = above + below
    if not beyond:
        return "middle"
    return beyond[0] if len(beyond) == 1 else None


SPAN = range(-2 * RADIUS, 2 * RADIUS + 1)
STAR = {(x, y): part(x, y) for x in SPAN for y in SPAN if part(x, y)}
FIRST = {cell: who for who in range(3) for cell in STAR if STAR[cell] == HOME[who]}


class State(NamedTuple):
    marbles: dict = FIRST
    control: int = 0
    # the cell of a marble in the middle of its hops, and the direction of the last one
    hopping: tuple = None
    hopped: str = None
    turn: int = 0


def start():
    return State()


def beside(cell, direction):
    return (cell[0] + STEP[direction][0], cell[1] + STEP[direction][1])


def back(direction, other):
    """Whether two directions are opposite."""
    return STEP[direction] == tuple(-step for step in STEP[other])


def may_enter(state, cell):
    """Whether a cell is empty and not in a point of somebody else."""
    who = state.control
    return cell not in state.marbles and STAR.get(cell) in ("middle", HOME[who], AIM[who])


def target(state, cell, direction):
    """Where a marble gets in a direction, by a step or by a hop, or None."""
    near = beside(cell, direction)
    if near in state.marbles:
        far = beside(near, direction)
        returns = state.hopping and back(direction, state.hopped)
        return far if may_enter(state, far) and not returns else None
    # who has hopped does not step any more
    return near if may_enter(state, near) and not state.hopping else None


def moves(state):
    mine = [cell for cell, who in state.marbles.items() if who == state.control]
    cells = [state.hopping] if state.hopping else mine
    ways = [(cell, way) for cell in cells for way in STEP if target(state, cell, way)]
    found = [f"(move {x + SHIFT} {y + SHIFT} {way})" for (x, y), way in ways]
    if state.hopping:
        return found + ["stop"]
    return found or ["pass"]


def legal(state):
    return [moves(state) if who == state.control else ["noop"] for who in range(3)]


def parse(move):
    _, x, y, direction = move.strip("()").split()
    return (int(x) - SHIFT, int(y) - SHIFT), direction


def play(state, joint):
    move = joint[state.control]
    following = State(state.marbles, (state.control + 1) % 3, None, None, state.turn + 1)
    if move in ("stop", "pass"):
        return following
    cell, direction = parse(move)
    reached = target(state, cell, direction)
    marbles = dict(state.marbles)
    marbles[reached] = marbles.pop(cell)
    if reached != beside(cell, direction):
        # a hop: the same marble goes on if it can
        again = State(marbles, state.control, reached, direction, state.turn + 1)
        if moves(again) != ["stop"]:
            return again
    return following._replace(marbles=marbles)


def arrived(state, who):
    return sum(STAR[cell] == AIM[who] for cell, owner in state.marbles.items() if owner == who)


def over(state):
    return state.turn >= LAST or any(arrived(state, who) == MARBLES for who in range(3))


def goals(state):
    counts = [arrived(state, who) for who in range(3)]
    if MARBLES in counts:
        return [100 if count == MARBLES else 0 for count in counts]
    return [10 * count for count in counts]


def fluents(state):
    facts = [f"(control {ROLES[state.control]})", f"(turn {state.turn // 10} {state.turn % 10})"]
    for (x, y), who in state.marbles.items():
        facts.append(f"(marble {x + SHIFT} {y + SHIFT} {ROLES[who]})")
    if state.hopping:
        x, y = state.hopping
        facts += [f"(hopping {x + SHIFT} {y + SHIFT})", f"(hopped {state.hopped})"]
    return facts


# the tips of the points where the marbles want to go
TIPS = [(-3, 6), (-3, -3), (6, -3)]


def distance(cell, other):
    dx, dy = cell[0] - other[0], cell[1] - other[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


def choose(random, state, legal):
    """Players mostly walk toward their point, so that matches are won."""
    joint = [random.choice(options) for options in legal]
    who = state.control

    def value(move):
        if move in ("stop", "pass"):
            return 0.4 * random.random()
        cell, direction = parse(move)
        before, after = (distance(at, TIPS[who]) for at in (cell, target(state, cell, direction)))
        return 1.05 * before - after + 0.4 * random.random()

    if random.random() < 0.9:
        joint[who] = max(legal[who], key=value)
    return joint
