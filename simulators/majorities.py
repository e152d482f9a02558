"""Majorities on a hexagon of side 5, written from its rules: most lines in two directions win.

A state is the cells of red, those of blue, and the number of stones placed."""

ROLES = ["red", "blue"]
HOLES = {(2, 8), (4, 6), (5, 2), (5, 4), (6, 5), (8, 5)}
CELLS = [(a, b) for a in range(1, 10) for b in range(1, 10) if 6 <= a + b <= 14 and (a, b) not in HOLES]
# The number of a cell's line in each of the three directions.
DIRECTIONS = {"first": lambda a, b: a, "second": lambda a, b: b, "third": lambda a, b: a + b - 5}
LINES = {name: {n: [cell for cell in CELLS if line(*cell) == n] for n in range(1, 10)}
         for name, line in DIRECTIONS.items()}
ENOUGH = 5


def start():
    return frozenset(), frozenset(), 0


def mover(placed):
    """One stone for red, then two for each in turn."""
    return (placed + 1) // 2 % 2


def legal(state):
    moves = [f"(place {a} {b})" for a, b in CELLS if (a, b) not in state[0] | state[1]]
    return [moves, ["noop"]] if mover(state[2]) == 0 else [["noop"], moves]


def play(state, joint):
    stones, placed = list(state[:2]), state[2]
    turn = mover(placed)
    cell = tuple(int(word) for word in joint[turn].strip("()").split()[1:])
    stones[turn] |= {cell}
    return stones[0], stones[1], placed + 1


def lines_held(stones, direction):
    """How many lines of a direction these stones have the majority of."""
    return sum(2 * len(stones.intersection(line)) > len(line) for line in LINES[direction].values())


def wins(stones):
    return sum(lines_held(stones, direction) >= ENOUGH for direction in LINES) >= 2


def over(state):
    return wins(state[0]) or wins(state[1])


def goals(state):
    return [100 * wins(state[0]), 100 * wins(state[1])]


def counts(role, stones):
    """The sheet counts no further than decides: to the majority of a line, to enough lines."""
    for direction, lines in LINES.items():
        for number, line in lines.items():
            for count in range(min(len(stones.intersection(line)), (len(line) + 1) // 2)):
                yield f"(stones {direction} {number} {role} {count + 1})"
        for count in range(min(ENOUGH, lines_held(stones, direction))):
            yield f"(lines {direction} {role} {count + 1})"


def fluents(state):
    placed = state[2]
    for role, stones in zip(ROLES, state):
        for a, b in stones:
            yield f"(stone {a} {b} {role})"
        yield from counts(role, stones)
    yield f"(control {ROLES[mover(placed)]} {(placed + 1) % 2 + 1})"
