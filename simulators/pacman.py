"""Pacman, written from its rules: four ghosts come out of their nest and hunt pacman in a maze."""
from typing import NamedTuple

ROLES = ["pacman", "blinky", "pinky", "inky", "clyde"]
# the northern row first; # is wall, - the nest of the ghosts
MAZE = [
    "....#....",
    ".##.#.##.",
    ".........",
    "##.#-#.##",
    "...#-#...",
    "##.###.##",
    ".........",
    ".##.#.##.",
    ".........",
]
SQUARES = {(x, y): MAZE[9 - y][x - 1] for x in range(1, 10) for y in range(1, 10)}
# nothing to eat where pacman starts and in the mouths of the tunnel
BARE = [(5, 1), (1, 5), (9, 5)]
PELLETS = frozenset(at for at, kind in SQUARES.items() if kind == "." and at not in BARE)
STEP = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
LAST = 120


class State(NamedTuple):
    at: tuple = ((5, 1), (5, 7), (5, 6), (5, 5), (5, 5))
    pellets: frozenset = PELLETS
    swapped: bool = False
    turn: int = 0


def start():
    return State()


def beside(square, direction):
    """The next square, or None if the way is closed."""
    x, y = square[0] + STEP[direction][0], square[1] + STEP[direction][1]
    if y == 5:
        # the tunnel leads from one edge to the other
        x = {0: 9, 10: 1}.get(x, x)
    if SQUARES[square] == "-":
        # out of the nest there is only one way, and none leads in
        return (x, y) if direction == "north" else None
    return (x, y) if SQUARES.get((x, y)) == "." else None


def score(state):
    return 2 * (len(PELLETS) - len(state.pellets))


def fluents(state):
    facts = [f"(score {score(state)})", f"(turn {state.turn // 10} {state.turn % 10})"]
    facts += [f"(at {role} {x} {y})" for role, (x, y) in zip(ROLES, state.at)]
    facts += ["(pellet %d %d)" % pellet for pellet in state.pellets]
    return facts + (["caught"] if state.swapped else [])


def legal(state):
    moves = [[f"(move {way})" for way in STEP if beside(square, way)] for square in state.at]
    moves[0].append("wait")
    return moves


def target(square, move):
    return square if move == "wait" else beside(square, move[6:-1])


def play(state, joint):
    at = tuple(target(square, move) for square, move in zip(state.at, joint))
    # pacman does not slip past a ghost: who changes places with one is caught
    ghosts = zip(state.at[1:], at[1:])
    swapped = at[0] != state.at[0] and any((at[0], state.at[0]) == ghost for ghost in ghosts)
    return State(at, state.pellets - {at[0]}, swapped, state.turn + 1)


def over(state):
    caught = state.swapped or state.at[0] in state.at[1:]
    return caught or not state.pellets or state.turn >= LAST


def goals(state):
    return [score(state)] + [100 - score(state)] * 4


def choose(random, state, legal):
    """Pacman mostly flees and eats, which makes longer matches."""
    joint = [random.choice(moves) for moves in legal]

    def value(move):
        x, y = target(state.at[0], move)
        near = min(abs(x - u) + abs(y - v) for u, v in state.at[1:])
        return 2 * min(near, 4) + 3 * ((x, y) in state.pellets) - (move == "wait") + 2 * random.random()

    if random.random() < 0.9:
        joint[0] = max(legal[0], key=value)
    return joint
