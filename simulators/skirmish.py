"""Skirmish, written from its rules: chess without check, where who takes more pieces wins.

A turn is made by halves: first the piece, then where it goes. Squares are files and ranks from 0."""
from collections import namedtuple

ROLES = ["white", "black"]
FILES = "abcdefgh"
BACK = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
RIDES = {"rook": STRAIGHT, "bishop": DIAGONAL, "queen": STRAIGHT + DIAGONAL}
STEPS = {"knight": LEAPS, "king": STRAIGHT + DIAGONAL}
PROMOTIONS = ("queen", "rook", "bishop", "knight")
# For each side: the file of the rook, the files between, where the king goes, where the rook goes.
CASTLING = {"short": (7, (5, 6), 6, 5), "long": (0, (1, 2, 3), 2, 3)}
KING = 4
TURNS = 100

# board: squares with (role, kind); turns: how many were made; passing: the file where a pawn has
# just gone two steps, or None; rights: (role, side) of castlings; taken: how many pieces each has
# taken; chosen: the square of the piece to go, or None.
State = namedtuple("State", "board turns passing rights taken chosen")
# special: what is more to a move: None, "passing", or the side of a castling.
Move = namedtuple("Move", "origin target promotion special")


def start():
    board = {}
    for x, kind in enumerate(BACK):
        board[x, 0], board[x, 7] = (0, kind), (1, kind)
        board[x, 1], board[x, 6] = (0, "pawn"), (1, "pawn")
    rights = frozenset((role, side) for role in (0, 1) for side in CASTLING)
    return State(board, 0, None, rights, (0, 0), None)


def on_board(square):
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def ride(board, role, origin, directions):
    """The targets of a piece that goes on until something stands in its way."""
    for a, b in directions:
        square = origin[0] + a, origin[1] + b
        while on_board(square) and square not in board:
            yield square
            square = square[0] + a, square[1] + b
        if square in board and board[square][0] != role:
            yield square


def leap(board, role, origin, steps):
    """The targets of a piece that goes a single step."""
    for a, b in steps:
        square = origin[0] + a, origin[1] + b
        if on_board(square) and (square not in board or board[square][0] != role):
            yield square


def pawn_targets(state, role, origin):
    """The targets of a pawn, each with whether it takes in passing."""
    board, (x, y) = state.board, origin
    forward, home, fifth = ((1, 1, 4), (-1, 6, 3))[role]
    if (x, y + forward) not in board:
        yield (x, y + forward), None
        if y == home and (x, y + 2 * forward) not in board:
            yield (x, y + 2 * forward), None
    for file in (x - 1, x + 1):
        square = file, y + forward
        if square in board:
            if board[square][0] != role:
                yield square, None
        elif file == state.passing and y == fifth:
            yield square, "passing"


def pawn_moves(state, role, origin):
    for target, special in pawn_targets(state, role, origin):
        for promotion in PROMOTIONS if target[1] in (0, 7) else (None,):
            yield Move(origin, target, promotion, special)


def castlings(state, role):
    """A right tells that king and rook still stand at home."""
    rank = 7 * role
    for side, (_, between, king_to, _) in CASTLING.items():
        if (role, side) in state.rights and not any((x, rank) in state.board for x in between):
            yield Move((KING, rank), (king_to, rank), None, side)


def all_moves(state):
    """Every whole move of the role in control."""
    board, role = state.board, state.turns % 2
    found = list(castlings(state, role))
    for origin, (owner, kind) in board.items():
        if owner != role:
            continue
        if kind == "pawn":
            found += pawn_moves(state, role, origin)
        elif kind in RIDES:
            found += [Move(origin, to, None, None) for to in ride(board, role, origin, RIDES[kind])]
        else:
            found += [Move(origin, to, None, None) for to in leap(board, role, origin, STEPS[kind])]
    return found


def name(square):
    return f"{FILES[square[0]]} {square[1] + 1}"


def text(move):
    """The second half of a move."""
    if move.promotion:
        return f"(promote {FILES[move.target[0]]} {move.promotion})"
    return f"(go {name(move.target)})"


def options(state):
    """The texts of what may be done now, with the piece to choose or the move to make."""
    moves = all_moves(state)
    if state.chosen is None:
        return {f"(choose {name(move.origin)})": move.origin for move in moves}
    return {text(move): move for move in moves if move.origin == state.chosen}


def legal(state):
    moves = list(options(state))
    return [moves, ["noop"]] if state.turns % 2 == 0 else [["noop"], moves]


def kept_rights(rights, touched):
    """A right is lost once anything leaves or reaches the squares of the king and the rook."""
    return frozenset((role, side) for role, side in rights
                     if not touched & {(KING, 7 * role), (CASTLING[side][0], 7 * role)})


def make(state, move):
    """The state after a whole move."""
    board, role = dict(state.board), state.turns % 2
    origin, target, promotion, special = move
    _, kind = board.pop(origin)
    takes = target in board or special == "passing"
    board[target] = role, promotion or kind
    if special == "passing":
        del board[target[0], origin[1]]
    elif special:
        rook_from, _, _, rook_to = CASTLING[special]
        board[rook_to, origin[1]] = board.pop((rook_from, origin[1]))
    taken = tuple(count + (takes and number == role) for number, count in enumerate(state.taken))
    passing = origin[0] if kind == "pawn" and abs(origin[1] - target[1]) == 2 else None
    # A castling touches the king's square, and with it both rights go.
    return State(board, state.turns + 1, passing, kept_rights(state.rights, {origin, target}), taken, None)


def play(state, joint):
    picked = options(state)[joint[state.turns % 2]]
    if state.chosen is None:
        return state._replace(chosen=picked)
    return make(state, picked)


def over(state):
    return state.turns == TURNS or not all_moves(state)


def goals(state):
    white, black = state.taken
    if white == black:
        return [50, 50]
    return [100, 0] if white > black else [0, 100]


def turn_fluents(state):
    """Whose half of a turn it is, and how many turns each has made."""
    role = ROLES[state.turns % 2]
    yield f"(control {role} {'choose' if state.chosen is None else 'go'})"
    if state.chosen is not None:
        yield f"(chosen {name(state.chosen)})"
        yield f"(held {state.board[state.chosen][1]})"
    each = state.turns // 2
    yield f"(ones {each % 10})"
    yield "full" if state.turns == TURNS else f"(tens {each // 10})"


def fluents(state):
    for square, (role, kind) in state.board.items():
        yield f"(cell {name(square)} {ROLES[role]} {kind})"
    for role, taken in zip(ROLES, state.taken):
        for count in range(taken):
            yield f"(taken {role} {count + 1})"
    if state.passing is not None:
        yield f"(passing {FILES[state.passing]})"
    for role, side in state.rights:
        yield f"(castling {ROLES[role]} {side})"
    yield from turn_fluents(state)


def worth(state, move):
    """How much a move shows that matches at random would miss."""
    board, role = state.board, state.turns % 2
    ahead, kind = state.taken[role] - state.taken[1 - role], board[move.origin][1]
    value = 20 * bool(move.special or move.promotion)
    # The way for castling opens, and king and rook wait.
    if move.origin[1] == 7 * role:
        value += -4 if kind in ("king", "rook") else 4
    # Who is well ahead hunts until the other has nothing left.
    if move.target in board:
        value += 10 if ahead > 3 else -10 if ahead < -3 else 0
    elif ahead > 3 and kind in RIDES:
        value += 8 - min(max(abs(x - move.target[0]), abs(y - move.target[1]))
                         for (x, y), (owner, _) in board.items() if owner != role)
    return value + 2 * (kind == "pawn")


def choose(random, state, legal):
    """Special moves, and otherwise what is worth the most or anything."""
    role = state.turns % 2
    moves = [move for move in all_moves(state) if state.chosen in (None, move.origin)]
    best = max(moves, key=lambda move: worth(state, move) + 6 * random.random())
    if random.random() < (0.1 if best.special or best.promotion else 0.4):
        pick = random.choice(legal[role])
    else:
        pick = f"(choose {name(best.origin)})" if state.chosen is None else text(best)
    return [pick, "noop"] if role == 0 else ["noop", pick]
