"""Battlebrushes for four, written from its rules: each paints where it goes, clashes make dizzy.

A state is the places of the brushes, the paint by place, the dizzy turns each has left, and the
number of the turn."""

ROLES = ["blue", "red", "green", "yellow"]
DIRECTIONS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
HOMES = ((2, 2), (2, 7), (7, 2), (7, 7))
SIZE = 8
LAST = 20
# What a role gets, by how many have more than it and how many others have the same.
SHARES = {(0, 0): 100, (1, 0): 50, (2, 0): 25, (3, 0): 0, (0, 1): 75, (0, 2): 66, (0, 3): 50,
          (1, 1): 33, (1, 2): 25, (2, 1): 12}


def start():
    return HOMES, {place: role for role, place in enumerate(HOMES)}, (0, 0, 0, 0), 1


def options(state, role):
    """Where a brush may go, by the texts of the moves."""
    places, _, dizzy, _ = state
    found = {}
    if not dizzy[role]:
        for way, (a, b) in DIRECTIONS.items():
            x, y = places[role][0] + a, places[role][1] + b
            if 1 <= x <= SIZE and 1 <= y <= SIZE and (x, y) not in places:
                found[f"(go {way})"] = x, y
    return found


def legal(state):
    return [list(options(state, role)) or ["noop"] for role in range(len(ROLES))]


def play(state, joint):
    places, paint, turn = list(state[0]), dict(state[1]), state[3]
    dizzy = [max(0, left - 1) for left in state[2]]
    targets = [options(state, role).get(move) for role, move in enumerate(joint)]
    for role, target in enumerate(targets):
        if target is None:
            continue
        if targets.count(target) > 1:
            dizzy[role] = 2
        else:
            places[role] = target
            paint[target] = role
    return tuple(places), paint, tuple(dizzy), turn + 1


def over(state):
    return state[3] == LAST


def goals(state):
    painted = [list(state[1].values()).count(role) for role in range(len(ROLES))]
    return [SHARES[sum(other > mine for other in painted), painted.count(mine) - 1] for mine in painted]


def fluents(state):
    places, paint, dizzy, turn = state
    for (x, y), role in paint.items():
        yield f"(cell {x} {y} {ROLES[role]})"
    for role, (x, y), left in zip(ROLES, places, dizzy):
        yield f"(column {role} {x})"
        yield f"(row {role} {y})"
        if left:
            yield f"(dizzy {role} {left})"
    yield f"(turn {turn})"


def mirrored(state):
    """Whether the brushes stand as mirror images of the first, and all can go as it can."""
    x, y = state[0][0]
    far_x, far_y = SIZE + 1 - x, SIZE + 1 - y
    return not any(state[2]) and state[0] == ((x, y), (x, far_y), (far_x, y), (far_x, far_y))


def mirror(random, state, legal):
    """All four do the same, mirrored."""
    move = random.choice(legal[0])
    upside = {"(go north)": "(go south)", "(go south)": "(go north)"}.get(move, move)
    sideways = {"(go east)": "(go west)", "(go west)": "(go east)"}
    return [move, upside, sideways.get(move, move), sideways.get(upside, upside)]


def crowd(random, state, legal):
    """All make for one corner, more or less: there they clash and get stuck."""
    joint = []
    for role, moves in enumerate(legal):
        targets = options(state, role)
        nearest = min(map(sum, targets.values()), default=0)
        good = [move for move in moves if move in targets and sum(targets[move]) == nearest]
        joint.append(random.choice(good if good and random.random() < 0.4 else moves))
    return joint


def choose(random, state, legal):
    """A match that begins mirrored stays so and ends in a tie; the others crowd."""
    begins = state[3] == 1
    if mirrored(state) and (not begins or random.random() < 0.2):
        return mirror(random, state, legal)
    return crowd(random, state, legal)
