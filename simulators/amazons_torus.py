"""Amazons on a torus, written from its rules: an amazon is chosen, moved and shoots, move by move."""
from typing import NamedTuple

ROLES = ["white", "black"]
SIZE = 10
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
WORDS = {"choosing": "choose", "moving": "move", "shooting": "shoot"}
AMAZONS = {
    (1, 4): "white", (4, 1): "white", (7, 1): "white", (10, 4): "white",
    (1, 7): "black", (4, 10): "black", (7, 10): "black", (10, 7): "black",
}


class State(NamedTuple):
    board: dict = AMAZONS
    control: str = "white"
    phase: str = "choosing"
    chosen: tuple = None


def start():
    return State()


def reach(board, square):
    """The squares a queen could go to; the edges of the board lead to the opposite ones."""
    found = set()
    for dx, dy in DIRECTIONS:
        x, y = square
        while True:
            x, y = (x - 1 + dx) % SIZE + 1, (y - 1 + dy) % SIZE + 1
            # the own square ends a way around the torus
            if (x, y) in board:
                break
            found.add((x, y))
    return found


def moves(state):
    if state.phase == "choosing":
        mine = [square for square, what in state.board.items() if what == state.control]
        squares = [square for square in mine if reach(state.board, square)]
    else:
        squares = reach(state.board, state.chosen)
    return [f"({WORDS[state.phase]} {x} {y})" for x, y in squares]


def legal(state):
    return [moves(state) if role == state.control else ["noop"] for role in ROLES]


def play(state, joint):
    move = joint[ROLES.index(state.control)]
    square = tuple(map(int, move.strip("()").split()[1:]))
    if state.phase == "choosing":
        return state._replace(phase="moving", chosen=square)
    board = dict(state.board)
    if state.phase == "moving":
        board[square] = board.pop(state.chosen)
        return State(board, state.control, "shooting", square)
    board[square] = "arrow"
    return State(board, "black" if state.control == "white" else "white")


def over(state):
    return state.phase == "choosing" and not moves(state)


def goals(state):
    return [0 if role == state.control else 100 for role in ROLES]


def fluents(state):
    facts = [f"(phase {state.phase})", f"(control {state.control})"]
    facts += [f"(cell {x} {y} {what})" for (x, y), what in state.board.items()]
    if state.chosen:
        facts.append("(chosen %d %d)" % state.chosen)
    return facts
