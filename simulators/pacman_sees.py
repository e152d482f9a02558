"""Pacman sees, written from its rules: pacman and blinky do not see inky unless it is near."""
from typing import NamedTuple

ROLES = ["pacman", "blinky", "random"]
# the northern row first
MAZE = [
    ".......",
    ".##.##.",
    ".#...#.",
    "...#...",
    ".#...#.",
    ".##.##.",
    ".......",
]
OPEN = {(x, y) for x in range(1, 8) for y in range(1, 8) if MAZE[7 - y][x - 1] == "."}
RING = {(x, y) for x, y in OPEN if x in (1, 7) or y in (1, 7)}
PELLETS = frozenset(RING - {(4, 1), (4, 7), (1, 4), (7, 4)})
STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
LAST = 41


class State(NamedTuple):
    phase: str = "hiding"
    round: int = 1
    pacman: tuple = (4, 1)
    blinky: tuple = (4, 7)
    inky: tuple = None
    pellets: frozenset = PELLETS


def start():
    return State()


def beside(square, direction):
    return (square[0] + STEP[direction][0], square[1] + STEP[direction][1])


def distance(square, other):
    return abs(square[0] - other[0]) + abs(square[1] - other[1])


def moves(square):
    return [f"(move {direction})" for direction in STEP if beside(square, direction) in OPEN]


def eaten(state):
    return len(PELLETS) - len(state.pellets)


def fluents(state):
    facts = [f"(phase {state.phase})", f"(round {state.round})", f"(eaten {eaten(state)})"]
    facts += ["(at pacman %d %d)" % state.pacman, "(at blinky %d %d)" % state.blinky]
    if state.inky:
        facts.append("(at inky %d %d)" % state.inky)
    return facts + ["(pellet %d %d)" % pellet for pellet in state.pellets]


def legal(state):
    if state.phase == "hiding":
        return [["noop"], ["noop"], ["(put %d %d)" % square for square in OPEN - RING]]
    if state.phase == "hunted":
        return [moves(state.pacman), ["noop"], ["noop"]]
    return [["noop"], moves(state.blinky), moves(state.inky)]


def turn(state, joint):
    """The next state and what is seen: the moves, and inky beside one of the others."""
    pacman, blinky, inky = (move.strip("()").split()[1:] for move in joint)
    seen = []
    if state.phase == "hiding":
        after = state._replace(inky=(int(inky[0]), int(inky[1])), phase="hunted")
    elif state.phase == "hunted":
        target = beside(state.pacman, pacman[0])
        after = state._replace(pacman=target, pellets=state.pellets - {target}, phase="hunting")
        seen.append(f"(moved pacman {pacman[0]})")
    else:
        after = state._replace(blinky=beside(state.blinky, blinky[0]), inky=beside(state.inky, inky[0]))
        after = after._replace(phase="hunted", round=state.round + 1)
        seen.append(f"(moved blinky {blinky[0]})")
    if min(distance(after.inky, after.pacman), distance(after.inky, after.blinky)) <= 1:
        seen.append("(inky %d %d)" % after.inky)
    return after, seen


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 3


def over(state):
    caught = state.pacman in (state.blinky, state.inky)
    return caught or not state.pellets or state.round == LAST


def goals(state):
    score = 5 * eaten(state)
    return [score, 100 - score, 0]


def choose(random, state, legal):
    """Pacman mostly flees and eats, which makes longer matches."""
    joint = [random.choice(options) for options in legal]

    def value(move):
        square = beside(state.pacman, move[6:-1])
        danger = min(distance(square, state.blinky), distance(square, state.inky)) < 2
        return -50 * danger - min(distance(square, pellet) for pellet in state.pellets) + random.random()

    if state.phase == "hunted" and random.random() < 0.9:
        joint[0] = max(legal[0], key=value)
    return joint
