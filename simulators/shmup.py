"""Shmup on a torus of 8 by 8, written from its rules: ships fire and move at once in turn.

A state is the places of the two ships, the bullets as (place, direction), and the number of turns
made."""

ROLES = ["light", "dark"]
SIZE = 8
DIRECTIONS = {"north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
              "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1)}
OPPOSITE = {"north": "south", "northeast": "southwest", "east": "west", "southeast": "northwest",
            "south": "north", "southwest": "northeast", "west": "east", "northwest": "southeast"}


def start():
    return ((2, 2), (5, 5)), frozenset(), 0


def step(place, direction):
    """The next place in a direction; the edges are joined."""
    a, b = DIRECTIONS[direction]
    return (place[0] + a) % SIZE, (place[1] + b) % SIZE


def moves_of(ship, bullets):
    """A ship may not change places with a bullet that comes towards it."""
    free = [way for way in DIRECTIONS if (step(ship, way), OPPOSITE[way]) not in bullets]
    return ["stay"] + [f"(move {way})" for way in free]


def legal(state):
    ships, bullets, turns = state
    if turns % 2 == 0:
        return [[f"(fire {way})" for way in DIRECTIONS] for _ in ROLES]
    return [moves_of(ship, bullets) for ship in ships]


def direction_of(move):
    return move.strip("()").split()[1]


def touch(one, other):
    """Whether two places are the same or neighbours."""
    return all(min((a - b) % SIZE, (b - a) % SIZE) <= 1 for a, b in zip(one, other))


def sail(ships, joint):
    """Where the ships are after moving."""
    targets = [ship if move == "stay" else step(ship, direction_of(move)) for ship, move in zip(ships, joint)]
    # Two that would come to touch both stay.
    if "stay" not in joint and touch(*targets):
        return ships
    return tuple(targets)


def play(state, joint):
    ships, bullets, turns = state
    flown = {(step(place, way), way) for place, way in bullets}
    if turns % 2 == 0:
        fired = {(step(ship, direction_of(move)), direction_of(move)) for ship, move in zip(ships, joint)}
        return ships, frozenset(flown | fired), turns + 1
    return sail(ships, joint), frozenset(flown), turns + 1


def hit(state):
    """Which ships are lost: by a bullet or by each other."""
    ships, bullets, _ = state
    places = {place for place, _ in bullets}
    return [ships[0] == ships[1] or ship in places for ship in ships]


def over(state):
    return any(hit(state))


def goals(state):
    light, dark = hit(state)
    if light == dark:
        return [50, 50]
    return [0, 100] if light else [100, 0]


def fluents(state):
    ships, bullets, turns = state
    for role, (x, y) in zip(ROLES, ships):
        yield f"(column {role} {x + 1})"
        yield f"(row {role} {y + 1})"
    for (x, y), way in bullets:
        yield f"(bullet {x + 1} {y + 1} {way})"
    yield "firing" if turns % 2 == 0 else "moving"


def choose(random, state, legal):
    """Puts off the end: at random few bullets are ever in the air."""
    for _ in range(60):
        joint = [random.choice(moves) for moves in legal]
        if not over(play(state, joint)):
            break
    return joint
