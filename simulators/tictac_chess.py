"""Tic-tac-chess for two, written from its rules: pieces move as in free for all, and three in a
line within the middle of the board win."""
from free_for_all import ROLES, TURNS, board, legal, options, play, start

MIDDLE = (2, 3, 4)
LINES = [[(x, y) for x in MIDDLE] for y in MIDDLE]
LINES += [[(x, y) for y in MIDDLE] for x in MIDDLE]
LINES += [[(k, k) for k in MIDDLE], [(k, 6 - k) for k in MIDDLE]]


def has_line(state, role):
    return any(state[role].issuperset(line) for line in LINES)


def over(state):
    return state[2] == TURNS or has_line(state, 0) or has_line(state, 1)


def goals(state):
    return [100 * has_line(state, 0), 100 * has_line(state, 1)]


def fluents(state):
    return board(state)


def choose(random, state, legal):
    """Mostly goes into the middle from outside it: at random there is hardly a line."""
    turn = state[2] % 2
    good = [move for move, (origin, target) in options(state).items()
            if set(target) <= set(MIDDLE) and not set(origin) <= set(MIDDLE)]
    move = random.choice(sorted(good) if good and random.random() < 0.8 else legal[turn])
    return [move, "noop"] if turn == 0 else ["noop", move]
