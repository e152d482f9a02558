"""Connect four on 20 columns and 20 rows, written from its rules.

A state is the columns, each a text of its discs from the bottom, the number of the role to move,
and that of the winner or None."""

ROLES = ["red", "yellow"]
LETTERS = "ry"
SIZE = 20


def start():
    return ("",) * SIZE, 0, None


def column(move):
    """The column that a move drops a disc into, counted from 0."""
    return int(move.strip("()").split()[1]) - 1


def legal(state):
    columns, turn, _ = state
    moves = [f"(drop {x + 1})" for x in range(SIZE) if len(columns[x]) < SIZE]
    return [moves, ["noop"]] if turn == 0 else [["noop"], moves]


def wins(columns, x):
    """Whether the top disc of column x stands in a line of four."""
    y = len(columns[x]) - 1
    colour = columns[x][y]

    def run(step_x, step_y):
        length, at_x, at_y = 0, x + step_x, y + step_y
        while 0 <= at_x < SIZE and 0 <= at_y < len(columns[at_x]) and columns[at_x][at_y] == colour:
            length, at_x, at_y = length + 1, at_x + step_x, at_y + step_y
        return length

    return any(run(a, b) + 1 + run(-a, -b) >= 4 for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)))


def play(state, joint):
    columns, turn, _ = state
    x = column(joint[turn])
    columns = columns[:x] + (columns[x] + LETTERS[turn],) + columns[x + 1:]
    return columns, 1 - turn, turn if wins(columns, x) else None


def over(state):
    columns, _, winner = state
    return winner is not None or all(len(discs) == SIZE for discs in columns)


def goals(state):
    return {None: [50, 50], 0: [100, 0], 1: [0, 100]}[state[2]]


def fluents(state):
    columns, turn, _ = state
    for x, discs in enumerate(columns):
        for y, letter in enumerate(discs):
            yield f"(cell {x + 1} {y + 1} {ROLES[LETTERS.index(letter)]})"
    yield f"(control {ROLES[turn]})"


def planned(x, y):
    """Who has a square in a full board without lines: in pairs of columns, row about row."""
    return (x // 2 + y) % 2


def choose(random, state, legal):
    """Matches that begin by that plan fill the board by it, as none at random does."""
    columns, turn, _ = state
    moves = legal[turn]
    if any(columns) and all(planned(x, y) == LETTERS.index(letter)
                            for x, discs in enumerate(columns) for y, letter in enumerate(discs)):
        height = {move: len(columns[column(move)]) for move in moves}
        fitting = [move for move in moves if planned(column(move), height[move]) == turn]
        # The lowest first, lest only squares of the other are left.
        move = min(fitting, key=height.get)
    else:
        move = random.choice(moves)
    return [move, "noop"] if turn == 0 else ["noop", move]
