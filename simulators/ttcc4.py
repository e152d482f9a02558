"""Tic-tac-chess-checkers-four for two, written from its rules: a pawn, a checker, a knight and
dropped discs each, and three in a line within the middle of the board win.

A state is the board, squares with (role, kind), and the number of turns made."""

ROLES = ["light", "dark"]
# Beside the board; there pieces begin, and go back to when taken.
HOMES = [{"pawn": (0, 4), "checker": (0, 3), "knight": (0, 2)},
         {"pawn": (6, 2), "checker": (6, 3), "knight": (6, 4)}]
SIZE = 5
TURNS = 100
MIDDLE = (2, 3, 4)
LINES = [[(x, y) for x in MIDDLE] for y in MIDDLE]
LINES += [[(x, y) for y in MIDDLE] for x in MIDDLE]
LINES += [[(k, k) for k in MIDDLE], [(k, 6 - k) for k in MIDDLE]]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def start():
    board = {square: (role, kind) for role in (0, 1) for kind, square in HOMES[role].items()}
    return board, 0


def steps(origin, directions, times=1):
    """The squares of the board that lie so many steps away."""
    for a, b in directions:
        x, y = origin[0] + times * a, origin[1] + times * b
        if 1 <= x <= SIZE and 1 <= y <= SIZE:
            yield x, y


def pawn_moves(board, role, origin):
    for square in steps(origin, STRAIGHT):
        if square not in board:
            yield square, None
    for square in steps(origin, DIAGONAL):
        if square in board and board[square][0] != role:
            yield square, square


def knight_moves(board, role, origin):
    for square in steps(origin, LEAPS):
        if square not in board:
            yield square, None
        elif board[square][0] != role:
            yield square, square


def checker_moves(board, role, origin):
    for square in steps(origin, DIAGONAL):
        if square not in board:
            yield square, None
    for target in steps(origin, DIAGONAL, 2):
        over_it = (origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2
        if target not in board and over_it in board and board[over_it][0] != role:
            yield target, over_it


MOVES = {"pawn": pawn_moves, "knight": knight_moves, "checker": checker_moves}


def options(state):
    """The moves of pieces: their texts, with kind, origin, target and the square taken or None."""
    board, turns = state
    found = {}
    for origin, (role, kind) in board.items():
        if role == turns % 2 and kind != "disc":
            for target, taken in MOVES[kind](board, role, origin):
                found[f"(move {kind} {target[0]} {target[1]})"] = kind, origin, target, taken
    return found


def legal(state):
    board, turns = state
    moves = [f"(drop {x})" for x in MIDDLE if (x, SIZE) not in board]
    moves = moves + list(options(state)) or ["noop"]
    return [moves, ["noop"]] if turns % 2 == 0 else [["noop"], moves]


def drop(board, role, x):
    """Puts a disc as low in its column as it falls freely from the top."""
    y = SIZE
    while y > 1 and (x, y - 1) not in board:
        y -= 1
    board[x, y] = role, "disc"


def play(state, joint):
    board, turns = dict(state[0]), state[1]
    role = turns % 2
    move = joint[role]
    if move.startswith("(drop"):
        drop(board, role, int(move.strip("()").split()[1]))
    elif move != "noop":
        kind, origin, target, taken = options(state)[move]
        if taken:
            owner, what = board.pop(taken)
            if what != "disc":
                board[HOMES[owner][what]] = owner, what
        del board[origin]
        board[target] = role, kind
    return board, turns + 1


def has_line(state, role):
    mine = {square for square, (owner, _) in state[0].items() if owner == role}
    return any(mine.issuperset(line) for line in LINES)


def over(state):
    return state[1] == TURNS or has_line(state, 0) or has_line(state, 1)


def goals(state):
    if has_line(state, 0):
        return [100, 0]
    return [0, 100] if has_line(state, 1) else [50, 50]


def fluents(state):
    board, turns = state
    for (x, y), (role, kind) in board.items():
        yield f"(cell {x} {y} {ROLES[role]} {kind})"
    yield f"(control {ROLES[turns % 2]})"
    yield f"(ones {turns % 10})"
    yield f"(tens {turns // 10})" if turns < TURNS else "full"


def choose(random, state, legal):
    """Puts off the end a little, so that some matches last all turns."""
    for _ in range(2):
        joint = [random.choice(moves) for moves in legal]
        if not over(play(state, joint)):
            break
    return joint
