"""Suicide breakthrough, written from its rules: whoever reaches the far row loses.

A state is the board, 64 letters from the bottom row up, and the number of the role to move."""

ROLES = ["white", "black"]
SIZE = 8
LETTERS = "wb"


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
        for to_x in (x - 1, x, x + 1):
            to_y = y + forward
            if not (0 <= to_x < SIZE and 0 <= to_y < SIZE):
                continue
            there = board[to_y * SIZE + to_x]
            # Straight ahead nothing is taken.
            if there == "." or there != mine and to_x != x:
                text = f"(move {x + 1} {y + 1} {to_x + 1} {to_y + 1})"
                found[text] = square, to_y * SIZE + to_x
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


def loser(state):
    """Who has reached the far row or taken everything, if anyone."""
    board = state[0]
    if "w" in board[-SIZE:] or "b" not in board:
        return 0
    if "b" in board[:SIZE] or "w" not in board:
        return 1
    return None


def over(state):
    return loser(state) is not None


def goals(state):
    return [0, 100] if loser(state) == 0 else [100, 0]


def fluents(state):
    board, turn = state
    for square, letter in enumerate(board):
        if letter != ".":
            role = ROLES[LETTERS.index(letter)]
            yield f"(cell {square % SIZE + 1} {square // SIZE + 1} {role})"
    yield f"(control {ROLES[turn]})"
