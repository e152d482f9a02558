"""Free for all for two, written from its rules: pieces leap like knights and take like kings.

A state is the squares of red, those of blue, the number of turns made, and how many pieces each has
taken."""

ROLES = ["red", "blue"]
# Beside the board; from there new pieces come without end.
HOMES = [(0, 3), (6, 3)]
SQUARES = [(x, y) for x in range(1, 6) for y in range(1, 6)]
TURNS = 30


def start():
    return frozenset(), frozenset(), 0, (0, 0)


def options(state):
    """The moves of the role in control: their texts, with the squares they go from and to."""
    turn = state[2] % 2
    mine, others = state[turn], state[1 - turn]
    found = {}
    for x, y in mine | {HOMES[turn]}:
        for to_x, to_y in SQUARES:
            there = to_x, to_y
            near, far = sorted((abs(x - to_x), abs(y - to_y)))
            takes = far == 1 and there in others
            leaps = (near, far) == (1, 2) and there not in mine | others
            if takes or leaps:
                found[f"(move {x} {y} {to_x} {to_y})"] = (x, y), there
    return found


def legal(state):
    moves = list(options(state)) or ["noop"]
    return [moves, ["noop"]] if state[2] % 2 == 0 else [["noop"], moves]


def play(state, joint):
    turn = state[2] % 2
    pieces, taken = [set(state[0]), set(state[1])], list(state[3])
    if joint[turn] != "noop":
        origin, target = options(state)[joint[turn]]
        taken[turn] += target in pieces[1 - turn]
        pieces[1 - turn].discard(target)
        pieces[turn].discard(origin)
        pieces[turn].add(target)
    return frozenset(pieces[0]), frozenset(pieces[1]), state[2] + 1, tuple(taken)


def over(state):
    return state[2] == TURNS


def goals(state):
    return [min(100, 10 * taken) for taken in state[3]]


def board(state):
    """What holds apart from the pieces taken."""
    for role, squares in zip(ROLES, state):
        for x, y in squares:
            yield f"(cell {x} {y} {role})"
    yield f"(turn {state[2] + 1})"
    yield f"(control {ROLES[state[2] % 2]})"


def fluents(state):
    yield from board(state)
    for role, taken in zip(ROLES, state[3]):
        yield f"(taken {role} {min(10, taken)})"


def choose(random, state, legal):
    """Mostly who is ahead takes and the other goes where it is taken: so some get beyond ten."""
    turn = state[2] % 2
    found, others = options(state), state[1 - turn]
    if state[3][turn] >= state[3][1 - turn]:
        good = [move for move, (_, target) in found.items() if target in others]
    else:
        good = [move for move, (_, (x, y)) in found.items() if (x, y) not in others
                and any(max(abs(x - a), abs(y - b)) == 1 for a, b in others)]
    move = random.choice(sorted(good) if good and random.random() < 0.9 else legal[turn])
    return [move, "noop"] if turn == 0 else ["noop", move]
