"""Simultaneous connect four, written from its rules: the roles alternate between two boards.

A state is the two boards, each its columns as texts from the bottom, and the number of turns made."""

ROLES = ["red", "yellow"]
LETTERS = "ry"
WIDTH, HEIGHT = 8, 6


def start():
    return (("",) * WIDTH,) * 2, 0


def board_of(role, turns):
    """Which board is a role's in this turn."""
    return (role + turns) % 2


def legal(state):
    boards, turns = state
    both = []
    for role in (0, 1):
        board = board_of(role, turns)
        both.append([f"(drop {board + 1} {x + 1})" for x in range(WIDTH) if len(boards[board][x]) < HEIGHT])
    return both


def play(state, joint):
    boards, turns = list(state[0]), state[1]
    for role, move in enumerate(joint):
        board, x = (int(word) - 1 for word in move.strip("()").split()[1:])
        columns = list(boards[board])
        columns[x] += LETTERS[role]
        boards[board] = tuple(columns)
    return tuple(boards), turns + 1


def lines(columns):
    """The letters that have a line of four on a board."""
    def at(x, y):
        return columns[x][y] if 0 <= x < WIDTH and 0 <= y < len(columns[x]) else None

    found = set()
    for x, discs in enumerate(columns):
        for y, letter in enumerate(discs):
            for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(at(x + k * a, y + k * b) == letter for k in range(4)):
                    found.add(letter)
    return found


def winners(state):
    return lines(state[0][0]) | lines(state[0][1])


def over(state):
    return state[1] == WIDTH * HEIGHT or bool(winners(state))


def goals(state):
    won = winners(state)
    # Both at once are a draw, as is none.
    if len(won) != 1:
        return [50, 50]
    return [100, 0] if "r" in won else [0, 100]


def fluents(state):
    boards, turns = state
    for board, columns in enumerate(boards):
        for x, discs in enumerate(columns):
            for y, letter in enumerate(discs):
                yield f"(cell {board + 1} {x + 1} {y + 1} {ROLES[LETTERS.index(letter)]})"
    for role in (0, 1):
        yield f"(control {ROLES[role]} {board_of(role, turns) + 1})"


def choose(random, state, legal):
    """Puts off the end a little: at random the boards stay almost empty."""
    for _ in range(3):
        joint = [random.choice(moves) for moves in legal]
        if not over(play(state, joint)):
            break
    return joint
