"""Checkers, written from its rules: every single jump is a move of its own.

A state is (pieces, side to move, square of a piece in the middle of its jumps, quiet plies), the
pieces as pairs of a square and (side, kind).
"""
ROLES = ["black", "white"]
QUIET = 40


def start():
    pieces = {}
    for column in range(1, 9):
        for row in range(1, 9):
            if (column + row) % 2 == 0 and row not in (4, 5):
                pieces[column, row] = ("black" if row < 4 else "white", "man")
    return (frozenset(pieces.items()), "black", None, 0)


def other(side):
    return "white" if side == "black" else "black"


def inside(square):
    return 1 <= square[0] <= 8 and 1 <= square[1] <= 8


def directions(piece):
    """Men go forward only, kings both ways."""
    side, kind = piece
    ahead = 1 if side == "black" else -1
    rows = (ahead, -ahead) if kind == "king" else (ahead,)
    return [(dx, dy) for dx in (1, -1) for dy in rows]


def steps(pieces, square):
    """The empty squares beside a piece to which it may go."""
    near = [(square[0] + dx, square[1] + dy) for dx, dy in directions(pieces[square])]
    return [target for target in near if inside(target) and target not in pieces]


def jumps(pieces, square):
    """The jumps of a piece: what is jumped over, and where it ends."""
    found = []
    for dx, dy in directions(pieces[square]):
        over_it = (square[0] + dx, square[1] + dy)
        target = (square[0] + 2 * dx, square[1] + 2 * dy)
        enemy = over_it in pieces and pieces[over_it][0] != pieces[square][0]
        if enemy and inside(target) and target not in pieces:
            found.append((over_it, target))
    return found


def crowned(piece, target):
    """Whether a man becomes a king there."""
    return piece[1] == "man" and target[1] == (8 if piece[0] == "black" else 1)


def moved(pieces, square, target):
    """The pieces after one of them went somewhere, as a king if it is crowned there."""
    after = dict(pieces)
    piece = after.pop(square)
    after[target] = (piece[0], "king") if crowned(piece, target) else piece
    return after


def text(kind, square, target):
    return f"({kind} {square[0]} {square[1]} {target[0]} {target[1]})"


def moves(state):
    """The moves of the side to move: jumps, and only if there is none, steps."""
    pieces, side, jumping = dict(state[0]), state[1], state[2]
    mine = [jumping] if jumping else [square for square in pieces if pieces[square][0] == side]
    found = [text("jump", square, target) for square in mine for _, target in jumps(pieces, square)]
    if not found:
        found = [text("move", square, target) for square in mine for target in steps(pieces, square)]
    return found


def legal(state):
    return [moves(state) if role == state[1] else ["noop"] for role in ROLES]


def play(state, joint):
    pieces, side, quiet = dict(state[0]), state[1], state[3]
    kind, *numbers = joint[ROLES.index(side)].strip("()").split()
    x, y, u, v = map(int, numbers)
    piece = pieces[x, y]
    after = moved(pieces, (x, y), (u, v))
    if kind == "move":
        return (frozenset(after.items()), other(side), None, quiet + 1 if piece[1] == "king" else 0)
    del after[(x + u) // 2, (y + v) // 2]
    # a piece jumps on as long as it can, but the crown ends it
    if not crowned(piece, (u, v)) and jumps(after, (u, v)):
        return (frozenset(after.items()), side, (u, v), 0)
    return (frozenset(after.items()), other(side), None, 0)


def over(state):
    return state[3] >= QUIET or not moves(state)


def goals(state):
    if moves(state):
        return [50, 50]
    return [0 if role == state[1] else 100 for role in ROLES]


def fluents(state):
    pieces, side, jumping, quiet = state
    facts = [f"(control {side})", f"(quietones {quiet % 10})", f"(quiettens {quiet // 10})"]
    facts += [f"(cell {x} {y} {owner} {kind})" for (x, y), (owner, kind) in pieces]
    if jumping:
        facts.append(f"(jumping {jumping[0]} {jumping[1]})")
    return facts
