"""English draughts, written from its rules: like checkers, but a whole chain of jumps is one move.

A state is (pieces, side to move, quiet plies), the pieces as pairs of a square and (side, kind).
"""
import checkers

ROLES = checkers.ROLES
QUIET = 80
NAMES = {(1, 1): "northeast", (-1, 1): "northwest", (1, -1): "southeast", (-1, -1): "southwest"}


def start():
    pieces, side, _, quiet = checkers.start()
    return (pieces, side, quiet)


def direction(square, over_it):
    return NAMES[over_it[0] - square[0], over_it[1] - square[1]]


def chains(pieces, square):
    """The chains of jumps of a piece: their directions, and the pieces after them."""
    found = []
    for over_it, target in checkers.jumps(pieces, square):
        after = checkers.moved(pieces, square, target)
        del after[over_it]
        # the crown ends a chain; otherwise it goes on as long as it can
        ended = checkers.crowned(pieces[square], target)
        rest = [] if ended else chains(after, target)
        for ways, last in rest or [([], after)]:
            found.append(([direction(square, over_it)] + ways, last))
    return found


def text(square, ways):
    """A chain as a term: each further jump is wrapped around those before."""
    term = ways[0]
    for way in ways[1:]:
        term = f"(then {term} {way})"
    return f"(jump {square[0]} {square[1]} {term})"


def moves(state):
    """The moves by their texts, each with the state after it: jumps, and if there is none, steps."""
    pieces, side, quiet = dict(state[0]), state[1], state[2]
    mine = [square for square in pieces if pieces[square][0] == side]
    found = {}
    for square in mine:
        for ways, after in chains(pieces, square):
            found[text(square, ways)] = (frozenset(after.items()), checkers.other(side), 0)
    if found:
        return found
    for square in mine:
        for target in checkers.steps(pieces, square):
            after = checkers.moved(pieces, square, target)
            plies = quiet + 1 if pieces[square][1] == "king" else 0
            name = checkers.text("move", square, target)
            found[name] = (frozenset(after.items()), checkers.other(side), plies)
    return found


def legal(state):
    return [list(moves(state)) if role == state[1] else ["noop"] for role in ROLES]


def play(state, joint):
    return moves(state)[joint[ROLES.index(state[1])]]


def over(state):
    return state[2] >= QUIET or not moves(state)


def goals(state):
    if moves(state):
        return [50, 50]
    return [0 if role == state[1] else 100 for role in ROLES]


def fluents(state):
    pieces, side, quiet = state
    return checkers.fluents((pieces, side, None, quiet))
