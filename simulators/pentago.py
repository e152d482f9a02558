"""Pentago, written from its rules: place a marble, twist a block, five in a line win.

A state is the board, 36 letters row by row from the top, the number of the role to move, and what
it does: place or twist."""

ROLES = ["red", "black"]
LETTERS = "rb"
SIZE, BLOCK, LINE = 6, 3, 5
HALVES = ["low", "high"]


def all_lines():
    found = []
    for x in range(SIZE):
        for y in range(SIZE):
            for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + k * a, y + k * b) for k in range(LINE)]
                if all(0 <= c < SIZE and 0 <= r < SIZE for c, r in cells):
                    found.append([r * SIZE + c for c, r in cells])
    return found


LINES = all_lines()


def start():
    return "." * SIZE * SIZE, 0, "place"


def options(state):
    """The texts of the moves, with a square, or with the half across, the half down and the way."""
    board, _, act = state
    if act == "place":
        return {f"(place {square % SIZE + 1} {square // SIZE + 1})": square
                for square, letter in enumerate(board) if letter == "."}
    return {f"(twist {HALVES[across]} {HALVES[down]} {way})": (across, down, way)
            for across in (0, 1) for down in (0, 1) for way in ("left", "right")}


def legal(state):
    moves = list(options(state))
    return [moves, ["noop"]] if state[1] == 0 else [["noop"], moves]


def twist(board, across, down, way):
    """The board after a quarter turn of one of its blocks."""
    rows = [list(board[SIZE * y:SIZE * (y + 1)]) for y in range(SIZE)]
    left, top = BLOCK * across, BLOCK * down
    block = [row[left:left + BLOCK] for row in rows[top:top + BLOCK]]
    if way == "right":
        turned = [list(row) for row in zip(*block[::-1])]
    else:
        turned = [list(row) for row in zip(*block)][::-1]
    for y, row in enumerate(turned):
        rows[top + y][left:left + BLOCK] = row
    return "".join("".join(row) for row in rows)


def play(state, joint):
    board, turn, act = state
    move = options(state)[joint[turn]]
    if act == "place":
        return board[:move] + LETTERS[turn] + board[move + 1:], turn, "twist"
    return twist(board, *move), 1 - turn, "place"


def has_line(state, role):
    return any(all(state[0][square] == LETTERS[role] for square in line) for line in LINES)


def over(state):
    return "." not in state[0] or has_line(state, 0) or has_line(state, 1)


def goals(state):
    red, black = has_line(state, 0), has_line(state, 1)
    # A twist may make a line for both.
    if red == black:
        return [50, 50]
    return [100, 0] if red else [0, 100]


def fluents(state):
    board, turn, act = state
    for square, letter in enumerate(board):
        if letter != ".":
            role = ROLES[LETTERS.index(letter)]
            yield f"(cell {square % SIZE + 1} {square // SIZE + 1} {role})"
    yield f"(control {ROLES[turn]} {act})"


def choose(random, state, legal):
    """Puts off the end a little, so that some boards fill."""
    for _ in range(3):
        joint = [random.choice(moves) for moves in legal]
        if not over(play(state, joint)):
            break
    return joint
