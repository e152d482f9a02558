"""Knightthrough, written from its rules: knights that only jump forward race to the far row.

A state is the board, 64 letters from the bottom row up, and the number of the role to move."""

ROLES = ["white", "black"]
SIZE = 8
LETTERS = "wb"
JUMPS = [(1, 2), (-1, 2), (2, 1), (-2, 1)]


def start():
    return "w" * 16 + "." * 32 + "b" * 16, 0


def options(state):
    """The moves of the role in control: their texts, with the squares they go from and to."""
    board, turn = state
    mine = LETTERS[turn]
    forward = 1 if turn == 0 else -1
    found = {}
    for square, letter in enumerate(board):
        if letter != mine:
            continue
        x, y = square % SIZE, square // SIZE
        for right, ahead in JUMPS:
            to_x, to_y = x + right, y + forward * ahead
            if not (0 <= to_x < SIZE and 0 <= to_y < SIZE):
                continue
            target = to_y * SIZE + to_x
            if board[target] != mine:
                found[f"(move {x + 1} {y + 1} {to_x + 1} {to_y + 1})"] = square, target
    return found


def legal(state):
    moves = list(options(state))
    return [moves, ["noop"]] if state[1] == 0 else [["noop"], moves]


def play(state, joint):
    board, turn = state
    origin, target = options(state)[joint[turn]]
    squares = list(board)
    squares[origin] = "."
    squares[target] = LETTERS[turn]
    return "".join(squares), 1 - turn


def goals(state):
    board = state[0]
    white = "w" in board[-SIZE:] or "b" not in board
    black = "b" in board[:SIZE] or "w" not in board
    return [100 * white, 100 * black]


def over(state):
    return any(goals(state))


def fluents(state):
    board, turn = state
    for square, letter in enumerate(board):
        if letter != ".":
            role = ROLES[LETTERS.index(letter)]
            yield f"(cell {square % SIZE + 1} {square // SIZE + 1} {role})"
    yield f"(control {ROLES[turn]})"
