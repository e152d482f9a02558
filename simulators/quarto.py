"""Quarto, written from its rules: the other gives the piece, four that share a trait win.

A state is the board, 16 squares with a piece or None, the piece in hand or None, and the number of
moves made. A piece is a tuple of four traits."""
import itertools

ROLES = ["white", "black"]
SIZE = 4
TRAITS = [("tall", "short"), ("dark", "light"), ("round", "square"), ("hollow", "solid")]
PIECES = list(itertools.product(*TRAITS))
LINES = [[SIZE * y + x for x in range(SIZE)] for y in range(SIZE)]
LINES += [[SIZE * y + x for y in range(SIZE)] for x in range(SIZE)]
LINES += [[0, 5, 10, 15], [3, 6, 9, 12]]


def start():
    return (None,) * SIZE * SIZE, None, 0


def mover(moves_made):
    """White gives, then each places and gives in turn, black first."""
    return (moves_made + 1) // 2 % 2


def pool(state):
    board, hand, _ = state
    return [piece for piece in PIECES if piece not in board and piece != hand]


def options(state):
    """The texts of the moves, with the piece given or the square placed on."""
    board, hand, _ = state
    if hand is None:
        return {f"(give {' '.join(piece)})": piece for piece in pool(state)}
    return {f"(place {square % SIZE + 1} {square // SIZE + 1})": square
            for square, piece in enumerate(board) if piece is None}


def legal(state):
    moves = list(options(state))
    return [moves, ["noop"]] if mover(state[2]) == 0 else [["noop"], moves]


def play(state, joint):
    board, hand, made = state
    move = options(state)[joint[mover(made)]]
    if hand is None:
        return board, move, made + 1
    return board[:move] + (hand,) + board[move + 1:], None, made + 1


def has_line(state):
    for line in LINES:
        pieces = [state[0][square] for square in line]
        if None not in pieces and set.intersection(*map(set, pieces)):
            return True
    return False


def over(state):
    return has_line(state) or None not in state[0]


def goals(state):
    if not has_line(state):
        return [50, 50]
    # The last to move has placed the piece.
    return [100, 0] if mover(state[2] - 1) == 0 else [0, 100]


def fluents(state):
    board, hand, made = state
    for square, piece in enumerate(board):
        for trait in piece or ():
            yield f"(cell {square % SIZE + 1} {square // SIZE + 1} {trait})"
    for piece in pool(state):
        yield f"(pool {' '.join(piece)})"
    for trait in hand or ():
        yield f"(given {trait})"
    yield f"(control {ROLES[mover(made)]} {'give' if hand is None else 'place'})"


def choose(random, state, legal):
    """Puts off the end a little, so that some boards fill."""
    for _ in range(6):
        joint = [random.choice(moves) for moves in legal]
        if not over(play(state, joint)):
            break
    return joint
