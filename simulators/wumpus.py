"""The wumpus world, written from its rules: chance digs pits and hides, then the hunter goes in."""
from typing import NamedTuple

ROLES = ["hunter", "random"]
COMPASS = ["north", "east", "south", "west"]
STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
SQUARES = [(x, y) for x in range(1, 5) for y in range(1, 5)]
ENTRANCE = (1, 1)
PITS = 3
HIDDEN = PITS + 2
LAST = HIDDEN + 50


class State(NamedTuple):
    turns: int = 0
    pits: tuple = ()
    wumpus: tuple = None
    gold: tuple = None
    hunter: tuple = ENTRANCE
    facing: str = "east"
    arrow: bool = True
    slain: bool = False
    loaded: bool = False
    dead: bool = False
    out: bool = False


def start():
    return State()


def ahead(square, direction):
    return (square[0] + STEP[direction][0], square[1] + STEP[direction][1])


def fluents(state):
    facts = [f"(turn {state.turns + 1})", "(hunter %d %d)" % state.hunter, f"(facing {state.facing})"]
    facts += ["(pit %d %d)" % pit for pit in state.pits]
    if state.wumpus:
        facts.append("(lair %d %d)" % state.wumpus)
    if state.gold and not state.loaded:
        facts.append("(gold %d %d)" % state.gold)
    return facts + [name for name in ("arrow", "slain", "loaded", "dead", "out") if getattr(state, name)]


def legal(state):
    if state.turns < HIDDEN:
        return [["noop"], hidings(state)]
    moves = ["forward", "left", "right"]
    if not state.loaded:
        moves.append("grab")
    if state.arrow:
        moves.append("shoot")
    if state.hunter == ENTRANCE:
        moves.append("climb")
    return [moves, ["noop"]]


def hidings(state):
    """What chance may do: three pits, then the wumpus, then the gold, never at the entrance."""
    squares = [square for square in SQUARES if square != ENTRANCE]
    if state.turns < PITS:
        return ["(dig %d %d)" % square for square in squares if square not in state.pits]
    what = "wumpus" if state.turns == PITS else "gold"
    return [f"(hide {what} {x} {y})" for x, y in squares]


def hide(state, move):
    """The state after a move of chance."""
    square = tuple(map(int, move.strip("()").split()[-2:]))
    if state.turns < PITS:
        return state._replace(pits=state.pits + (square,))
    if state.turns == PITS:
        return state._replace(wumpus=square)
    return state._replace(gold=square)


def act(state, move):
    """The state after a move of the hunter, and what he hears or feels at once."""
    if move == "forward":
        target = ahead(state.hunter, state.facing)
        return (state._replace(hunter=target), []) if target in SQUARES else (state, ["bump"])
    if move in ("left", "right"):
        turned = COMPASS.index(state.facing) + (1 if move == "right" else -1)
        return state._replace(facing=COMPASS[turned % 4]), []
    if move == "grab":
        return state._replace(loaded=state.hunter == state.gold), []
    if move == "shoot":
        hit = state.wumpus in flight(state)
        return state._replace(arrow=False, slain=hit), ["scream"] if hit else []
    return state._replace(out=True), []


def flight(state):
    """The squares through which an arrow flies."""
    square, squares = ahead(state.hunter, state.facing), []
    while square in SQUARES:
        squares.append(square)
        square = ahead(square, state.facing)
    return squares


def senses(state):
    """What the hunter senses where he stands."""
    near = [ahead(state.hunter, direction) for direction in COMPASS]
    seen = []
    if any(pit in near for pit in state.pits):
        seen.append("breeze")
    if state.wumpus in near + [state.hunter]:
        seen.append("stench")
    if state.hunter == state.gold and not state.loaded:
        seen.append("glitter")
    return seen


def turn(state, joint):
    """The next state and what is sensed."""
    if state.turns < HIDDEN:
        after, seen = hide(state, joint[1]), []
    else:
        after, seen = act(state, joint[0])
    eaten = after.hunter == after.wumpus and not after.slain
    after = after._replace(turns=state.turns + 1, dead=after.hunter in after.pits or eaten)
    # before all is hidden there is nothing to sense
    return after, (seen + senses(after) if after.turns >= HIDDEN else [])


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 2


def over(state):
    return state.dead or state.out or state.turns == LAST


def goals(state):
    if not state.out:
        return [0, 0]
    return [100 if state.loaded else 10, 0]


def choose(random, state, legal):
    """Often a hunter who knows: he seldom dies or leaves at once, and some carry the gold out."""
    joint = [random.choice(moves) for moves in legal]
    if state.turns < HIDDEN:
        return joint
    if state.hunter == state.gold and not state.loaded:
        joint[0] = "grab"
    elif state.hunter == ENTRANCE and state.loaded:
        joint[0] = "climb"
    elif joint[0] == "climb" and random.random() < 0.8:
        joint[0] = "forward"
    target = ahead(state.hunter, state.facing)
    if joint[0] == "forward" and target in state.pits + (state.wumpus,) and random.random() < 0.95:
        joint[0] = "left"
    return joint
