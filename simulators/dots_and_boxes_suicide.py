"""Suicide dots and boxes on 6 by 6 dots, written from its rules: fewer boxes win.

A state is the lines drawn, each as (way, column, row), the owners of the boxes, and the number of
the role to move."""

ROLES = ["red", "blue"]
DOTS = 6
LINES = {("across", x, y) for x in range(1, DOTS) for y in range(1, DOTS + 1)}
LINES |= {("down", x, y) for x in range(1, DOTS + 1) for y in range(1, DOTS)}
BOXES = [(x, y) for x in range(1, DOTS) for y in range(1, DOTS)]


def start():
    return frozenset(), {}, 0


def sides(box):
    x, y = box
    return {("across", x, y), ("across", x, y + 1), ("down", x, y), ("down", x + 1, y)}


def options(state):
    return {f"(draw {way} {x} {y})": (way, x, y) for way, x, y in LINES - state[0]}


def legal(state):
    moves = list(options(state))
    return [moves, ["noop"]] if state[2] == 0 else [["noop"], moves]


def play(state, joint):
    drawn, owners, turn = state
    line = options(state)[joint[turn]]
    drawn = drawn | {line}
    closed = {box: turn for box in BOXES if line in sides(box) and sides(box) <= drawn}
    # Whoever closes a box goes on.
    return drawn, {**owners, **closed}, turn if closed else 1 - turn


def over(state):
    return state[0] == LINES


def goals(state):
    owners = list(state[1].values())
    return [100, 0] if owners.count(0) < owners.count(1) else [0, 100]


def fluents(state):
    drawn, owners, turn = state
    for way, x, y in drawn:
        yield f"(drawn {way} {x} {y})"
    for (x, y), owner in owners.items():
        yield f"(box {x} {y} {ROLES[owner]})"
    yield f"(control {ROLES[turn]})"
