"""Suicide reversi, written from its rules: whoever has fewer discs in the end wins.

A state is the board, 64 letters row by row, and the number of the role to move."""

ROLES = ["black", "white"]
LETTERS = "bw"
SIZE = 8
DIRECTIONS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def start():
    board = ["."] * 64
    board[27] = board[36] = "w"
    board[28] = board[35] = "b"
    return "".join(board), 0


def flips(board, turn, square):
    """The discs that a disc on an empty square turns over."""
    mine, other = LETTERS[turn], LETTERS[1 - turn]
    found = []
    for a, b in DIRECTIONS:
        run = []
        x, y = square % SIZE + a, square // SIZE + b
        while 0 <= x < SIZE and 0 <= y < SIZE and board[y * SIZE + x] == other:
            run.append(y * SIZE + x)
            x, y = x + a, y + b
        # The run counts only if it ends at a disc of one's own.
        if 0 <= x < SIZE and 0 <= y < SIZE and board[y * SIZE + x] == mine:
            found += run
    return found


def options(board, turn):
    """The squares where a role may place a disc, by the texts of the moves."""
    return {f"(place {square % SIZE + 1} {square // SIZE + 1})": square
            for square in range(64) if board[square] == "." and flips(board, turn, square)}


def legal(state):
    moves = list(options(*state)) or ["pass"]
    return [moves, ["noop"]] if state[1] == 0 else [["noop"], moves]


def play(state, joint):
    board, turn = state
    if joint[turn] == "pass":
        return board, 1 - turn
    square = options(board, turn)[joint[turn]]
    squares = list(board)
    for turned in [square, *flips(board, turn, square)]:
        squares[turned] = LETTERS[turn]
    return "".join(squares), 1 - turn


def over(state):
    return not options(state[0], 0) and not options(state[0], 1)


def goals(state):
    black, white = (state[0].count(letter) for letter in LETTERS)
    if black == white:
        return [50, 50]
    return [100, 0] if black < white else [0, 100]


def fluents(state):
    board, turn = state
    for square, letter in enumerate(board):
        if letter != ".":
            role = ROLES[LETTERS.index(letter)]
            yield f"(cell {square % SIZE + 1} {square // SIZE + 1} {role})"
    yield f"(control {ROLES[turn]})"
