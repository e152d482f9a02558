"""Chess, written from its rules: every move that a piece could make is made, and the king looked at.

A state is (board, side to move, castling rights, file of a pawn that just ran two squares, quiet
plies); the board has columns of letters as FEN has them.
"""
from functools import lru_cache

ROLES = ["white", "black"]
FILES = "abcdefgh"
NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = STRAIGHT + DIAGONAL
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": STEPS}
# the rights that end when something leaves a square or comes to it
RIGHTS = {(4, 0): "KQ", (4, 7): "kq", (0, 0): "Q", (7, 0): "K", (0, 7): "q", (7, 7): "k"}
# side, squares that must be empty, squares that must not be attacked, where the king goes
CASTLINGS = [("K", (5, 6), (4, 5, 6), 6), ("Q", (1, 2, 3), (4, 3, 2), 2)]


def start():
    back = "RNBQKBNR"
    columns = [(piece, "P", None, None, None, None, "p", piece.lower()) for piece in back]
    return (tuple(columns), 0, frozenset("KQkq"), None, 0)


def inside(x, y):
    return 0 <= x < 8 and 0 <= y < 8


def side(piece):
    return 0 if piece.isupper() else 1


def attacked(board, x, y, by):
    """Whether a side attacks a square."""
    for dx, dy in LEAPS:
        if inside(x + dx, y + dy) and board[x + dx][y + dy] == "Nn"[by]:
            return True
    return any(attacked_along(board, x, y, step, by) for step in STEPS)


def attacked_along(board, x, y, step, by):
    """Whether the first piece that is seen from a square in a direction attacks it."""
    dx, dy = step
    distance = 1
    while inside(x + distance * dx, y + distance * dy):
        piece = board[x + distance * dx][y + distance * dy]
        if piece:
            if side(piece) != by:
                return False
            kind = piece.lower()
            if kind in SLIDES:
                return step in SLIDES[kind]
            if kind == "p":
                # a pawn stands one row behind what it attacks
                return distance == 1 and dx != 0 and dy == (-1 if by == 0 else 1)
            return kind == "k" and distance == 1
        distance += 1
    return False


def in_check(board, who):
    """Whether the king of a side is attacked."""
    king = "Kk"[who]
    x = next(x for x in range(8) if king in board[x])
    return attacked(board, x, board[x].index(king), 1 - who)


def leaps(board, who, x, y, steps):
    """Where a knight or a king could go."""
    for dx, dy in steps:
        u, v = x + dx, y + dy
        if inside(u, v) and (not board[u][v] or side(board[u][v]) != who):
            yield u, v


def slides(board, who, x, y, steps):
    """Where a bishop, a rook or a queen could go."""
    for dx, dy in steps:
        u, v = x + dx, y + dy
        while inside(u, v) and not board[u][v]:
            yield u, v
            u, v = u + dx, v + dy
        if inside(u, v) and side(board[u][v]) != who:
            yield u, v


def advances(board, who, x, y, passing):
    """Where a pawn could go."""
    ahead = 1 if who == 0 else -1
    if not board[x][y + ahead]:
        yield x, y + ahead
        if y == (1 if who == 0 else 6) and not board[x][y + 2 * ahead]:
            yield x, y + 2 * ahead
    for u in (x - 1, x + 1):
        if inside(u, y + ahead):
            target = board[u][y + ahead]
            if target and side(target) != who:
                yield u, y + ahead
            if not target and passing == u and y == (4 if who == 0 else 3):
                yield u, y + ahead


def castlings(board, who, rights):
    """The castlings of a side, as moves of its king."""
    y = 0 if who == 0 else 7
    for name, between, way, target in CASTLINGS:
        if (name if who == 0 else name.lower()) not in rights:
            continue
        if not any(board[x][y] for x in between) and not any(attacked(board, x, y, 1 - who) for x in way):
            yield 4, y, target, y, None


def candidates(state):
    """The moves of the pieces, whether or not the king is safe after them."""
    board, who, rights, passing, _ = state
    for x in range(8):
        for y in range(8):
            piece = board[x][y]
            if not piece or side(piece) != who:
                continue
            kind = piece.lower()
            if kind == "p":
                for u, v in advances(board, who, x, y, passing):
                    for promoted in "qrbn" if v in (0, 7) else [None]:
                        yield x, y, u, v, promoted
            elif kind in SLIDES:
                for u, v in slides(board, who, x, y, SLIDES[kind]):
                    yield x, y, u, v, None
            else:
                for u, v in leaps(board, who, x, y, LEAPS if kind == "n" else STEPS):
                    yield x, y, u, v, None
    yield from castlings(board, who, rights)


def make(state, move):
    """The state after a move."""
    columns, who, rights, _, quiet = state
    x, y, u, v, promoted = move
    board = [list(column) for column in columns]
    piece = board[x][y]
    pawn = piece.lower() == "p"
    quiet = 0 if pawn or board[u][v] else quiet + 1
    if pawn and x != u and not board[u][v]:
        # taken in passing: the pawn beside, not the one on the square
        board[u][y] = None
    board[x][y] = None
    if promoted:
        piece = promoted.upper() if who == 0 else promoted
    board[u][v] = piece
    if piece.lower() == "k" and abs(u - x) == 2:
        # castling: the rook jumps over the king
        corner, beside = (7, 5) if u == 6 else (0, 3)
        board[beside][y] = board[corner][y]
        board[corner][y] = None
    lost = RIGHTS.get((x, y), "") + RIGHTS.get((u, v), "")
    passing = x if pawn and abs(v - y) == 2 else None
    return (tuple(map(tuple, board)), 1 - who, rights - set(lost), passing, quiet)


def text(move):
    x, y, u, v, promoted = move
    way = f"{FILES[x]} {y + 1} {FILES[u]} {v + 1}"
    return f"(promote {way} {NAMES[promoted]})" if promoted else f"(move {way})"


@lru_cache(maxsize=16)
def moves(state):
    """The legal moves by their texts, each with the state after it."""
    after = {text(move): make(state, move) for move in candidates(state)}
    return {name: then for name, then in after.items() if not in_check(then[0], state[1])}


def legal(state):
    mine = list(moves(state))
    return [mine, ["noop"]] if state[1] == 0 else [["noop"], mine]


def play(state, joint):
    return moves(state)[joint[state[1]]]


def dead(board):
    """Whether nobody can ever mate: bare kings, or one knight or bishop beside them."""
    rest = [piece.lower() for column in board for piece in column if piece and piece not in "Kk"]
    return rest in ([], ["b"], ["n"])


def over(state):
    return state[4] >= 100 or dead(state[0]) or not moves(state)


def goals(state):
    if not moves(state) and in_check(state[0], state[1]):
        return [0, 100] if state[1] == 0 else [100, 0]
    return [50, 50]


def fluents(state):
    board, who, rights, passing, quiet = state
    facts = [f"(control {ROLES[who]})", f"(quietones {quiet % 10})", f"(quiettens {quiet // 10})"]
    for x in range(8):
        for y in range(8):
            piece = board[x][y]
            if piece:
                facts.append(f"(cell {FILES[x]} {y + 1} {ROLES[side(piece)]} {NAMES[piece.lower()]})")
    for name in rights:
        facts.append(f"(right {ROLES[side(name)]} {'short' if name in 'Kk' else 'long'})")
    if passing is not None:
        facts.append(f"(enpassant {FILES[passing]})")
    return facts
