"""Pickomino for two, written from the rules: eight dice, tiles 21 to 36 on the grill; dice of one
new face are set aside after each roll, and a worm among them is needed to take or steal a tile."""
from collections import namedtuple

ROLES = ["red", "blue", "random"]
VALUES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "worm": 5}
DICE = 8
TILES = range(21, 37)
TURNS = 200

# Whose turn it is, its phase, the faces rolled, the faces set aside, the tiles on the grill, the
# stack of tiles of each player (the top one last), and the number of turns so far.
State = namedtuple("State", "who phase rolled aside grill stacks turns")


def start():
    return State(0, "rolling", (), (), frozenset(TILES), ((), ()), 0)


def worms(tiles):
    """Four tiles each have one, two, three and four worms."""
    return sum((tile - 21) // 4 + 1 for tile in tiles)


def reached(state):
    return sum(VALUES[face] for face in state.aside)


def fluents(state):
    left = DICE - len(state.aside)
    facts = [
        f"(control {ROLES[state.who]})",
        state.phase,
        f"(left {left})",
        f"(sum tens {reached(state) // 10})",
        f"(sum units {reached(state) % 10})",
        f"(turns units {state.turns % 10})",
        f"(turns tens {state.turns // 10 % 10})",
        f"(turns hundreds {state.turns // 100})",
    ]
    if state.phase == "rolling":
        facts.append(f"(cup {left - len(state.rolled)})")
    facts += [f"(rolled {face} {state.rolled.count(face)})" for face in VALUES]
    facts += [f"(used {face})" for face in set(state.aside)]
    facts += [f"(grill {tile})" for tile in state.grill]
    for role, stack in zip(ROLES, state.stacks):
        facts += stack_facts(role, stack)
    return facts


def stack_facts(role, stack):
    facts = [
        f"(worms {role} tens {worms(stack) // 10})",
        f"(worms {role} units {worms(stack) % 10})",
    ]
    facts += [f"(owns {role} {tile})" for tile in stack]
    facts += [f"(top {role} {tile})" for tile in stack[-1:]]
    facts += [f"(on {upper} {lower})" for lower, upper in zip(stack, stack[1:])]
    return facts


def takable(state):
    """The tile of the grill that the dice aside bring: the highest not above their sum, or None."""
    if "worm" not in state.aside:
        return None
    return max((tile for tile in state.grill if tile <= reached(state)), default=None)


def stealable(state):
    """Whether the dice aside bring just the top tile of the other player."""
    return "worm" in state.aside and state.stacks[1 - state.who][-1:] == (reached(state),)


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "rolling":
        moves[2] = [f"(roll {face})" for face in VALUES]
        return moves
    if state.phase == "choosing":
        mine = [f"(set-aside {face})" for face in set(state.rolled) - set(state.aside)]
    else:
        mine = ["take"] if takable(state) else []
        mine += ["steal"] if stealable(state) else []
        mine += ["roll-on"] if len(state.aside) < DICE else []
    moves[state.who] = mine or ["fail"]
    return moves


def play(state, joint):
    if state.phase == "rolling":
        rolled = state.rolled + (joint[2].strip("()").split()[1],)
        all_rolled = len(rolled) + len(state.aside) == DICE
        return state._replace(phase="choosing" if all_rolled else "rolling", rolled=rolled)
    move = joint[state.who]
    if move == "roll-on":
        return state._replace(phase="rolling")
    if move in ("take", "steal", "fail"):
        return end_turn(state, move)
    face = move.strip("()").split()[1]
    aside = state.aside + (face,) * state.rolled.count(face)
    return state._replace(phase="deciding", rolled=(), aside=aside)


def end_turn(state, move):
    mine, others = list(state.stacks[state.who]), list(state.stacks[1 - state.who])
    grill = set(state.grill)
    if move == "take":
        grill.remove(takable(state))
        mine.append(takable(state))
    elif move == "steal":
        mine.append(others.pop())
    else:
        give_back(grill, mine)
    stacks = (tuple(mine), tuple(others))
    # The stacks stand in the order of the players.
    stacks = stacks if state.who == 0 else stacks[::-1]
    return State(1 - state.who, "rolling", (), (), frozenset(grill), stacks, state.turns + 1)


def give_back(grill, stack):
    """The top tile goes back, and the highest of the grill out, unless it is that one."""
    back = stack.pop() if stack else None
    if back:
        grill.add(back)
    if max(grill) != back:
        grill.remove(max(grill))


def over(state):
    return not state.grill or state.turns == TURNS


def goals(state):
    # Of equally many worms the highest tile decides.
    red, blue = [(worms(stack), max(stack, default=0)) for stack in state.stacks]
    if red == blue:
        return [50, 50, 0]
    return [100, 0, 0] if red > blue else [0, 100, 0]


def choose(random, state, legal):
    """Mostly sensible play, so that tiles change hands; and some matches that do not end."""
    if endless(state):
        return steal_for_ever(state, legal)
    joint = [random.choice(moves) for moves in legal]
    mine = legal[state.who]
    if random.random() < 0.9:
        if state.phase == "choosing" and mine != ["fail"]:
            joint[state.who] = max(mine, key=lambda move: liking(state, move))
        elif "steal" in mine:
            joint[state.who] = "steal"
        elif "take" in mine:
            joint[state.who] = "take"
    return joint


def liking(state, move):
    """High sums first, and a worm is worth something more."""
    face = move.strip("()").split()[1]
    return VALUES[face] * state.rolled.count(face) + (3 if face == "worm" else 0)


def endless(state):
    """Whether the first die of the match was a worm, and only tile 36 has been taken since."""
    if state.turns == 0:
        return (state.aside + state.rolled)[:1] == ("worm",)
    return sorted(state.stacks) == [(), (36,)]


def steal_for_ever(state, legal):
    """Seven worms and a one are 36, turn after turn, up to the limit."""
    joint = [moves[0] for moves in legal]
    mine = legal[state.who]
    if state.phase == "rolling":
        worm = not state.aside and len(state.rolled) < 7
        joint[2] = "(roll worm)" if worm else "(roll 1)"
    elif state.phase == "choosing":
        joint[state.who] = mine[-1]
    elif "roll-on" in mine:
        joint[state.who] = "roll-on"
    elif "steal" in mine:
        joint[state.who] = "steal"
    return joint
