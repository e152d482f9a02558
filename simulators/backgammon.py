"""Backgammon without the doubling cube, written from the rules: as many dice as possible must be
used, and the higher one if only one can be; a match of 400 turns is a draw."""
from collections import namedtuple

ROLES = ["white", "black", "random"]
SETUP = {6: 5, 8: 3, 13: 5, 24: 2}
BAR = 25
TURNS = 400

# Whose turn it is, its phase, for each player the number of pieces at places 0 to 25, the dice
# still to be used (a pair of name and face each; a double is four times the high die), whether the
# roll was a double, and the number of turns so far. Each player counts the points as she moves,
# from 24 down to 1, and 25 is her bar; place 0 stays empty, as pieces borne off are gone.
State = namedtuple("State", "who phase pieces dice double turns")


def start():
    side = tuple(SETUP.get(place, 0) for place in range(26))
    return State(0, "starting", (side, side), (), False, 0)


def fluents(state):
    facts = [
        f"(control {ROLES[state.who]})",
        state.phase,
        f"(turns units {state.turns % 10})",
        f"(turns tens {state.turns // 10 % 10})",
        f"(turns hundreds {state.turns // 100})",
    ]
    for role, side in zip(ROLES, state.pieces):
        for place, number in enumerate(side):
            # The pieces of a place are numbered from 1.
            facts += [f"(piece {role} {place} {piece})" for piece in range(1, number + 1)]
    facts += [f"(die {name} {face})" for name, face in set(state.dice)]
    if state.double and len(state.dice) > 1:
        facts.append(f"(repeats {len(state.dice) - 1})")
    return facts


def blocked(other, place):
    """Whether two or more pieces of the other player hold a point."""
    return other[25 - place] >= 2


def sources(mine, other, face):
    """The places from which a piece may move by one die, whatever the other dice are."""
    if mine[BAR]:
        return [] if blocked(other, BAR - face) else [BAR]
    return [place for place in range(1, 25) if mine[place] and movable(mine, other, place, face)]


def movable(mine, other, place, face):
    if place > face:
        return not blocked(other, place - face)
    # Bearing off: all pieces are at home, and with a die too high none stands further back.
    if any(mine[7:]):
        return False
    return place == face or not any(mine[place + 1:])


def moved(mine, other, place, face):
    """Both sides after a piece has moved."""
    mine, other = list(mine), list(other)
    mine[place] -= 1
    target = place - face
    if target > 0:
        mine[target] += 1
        # A single piece of the other player is hit.
        other[BAR] += other[25 - target]
        other[25 - target] = 0
    return tuple(mine), tuple(other)


def usable(mine, other, faces):
    """How many of the dice can be used at most; who has no piece left needs no more of them."""
    if not faces or not any(mine):
        return len(faces)
    best = 0
    for face in set(faces):
        rest = without(faces, face)
        for place in sources(mine, other, face):
            best = max(best, 1 + usable(*moved(mine, other, place, face), rest))
            # More than all dice cannot be used: no need to look further.
            if best == len(faces):
                return best
    return best


def without(items, item):
    items = list(items)
    items.remove(item)
    return tuple(items)


def piece_moves(state):
    """The moves that let as many dice be used as possible."""
    mine, other = state.pieces[state.who], state.pieces[1 - state.who]
    faces = [face for _, face in state.dice]
    most = usable(mine, other, faces)
    found = []
    for name, face in set(state.dice):
        rest = without(faces, face)
        for place in sources(mine, other, face):
            if 1 + usable(*moved(mine, other, place, face), rest) == most:
                found.append((face, f"(move {place} {name})"))
    # If only one of two dice can be used, then the higher one that can.
    if most == 1 and len(faces) == 2:
        highest = max(face for face, _ in found)
        found = [(face, move) for face, move in found if face == highest]
    return [move for _, move in found]


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "playing":
        moves[state.who] = piece_moves(state) or ["pass"]
        return moves
    # The first roll decides who begins, and so is no double.
    moves[2] = [
        f"(roll {white} {black})"
        for white in range(1, 7)
        for black in range(1, 7)
        if white != black or state.phase == "rolling"
    ]
    return moves


def play(state, joint):
    if state.phase != "playing":
        return roll(state, *(int(word) for word in joint[2].strip("()").split()[1:]))
    if joint[state.who] == "pass":
        return pass_on(state)
    _, place, name = joint[state.who].strip("()").split()
    die = name, dict(state.dice)[name]
    sides = moved(state.pieces[state.who], state.pieces[1 - state.who], int(place), die[1])
    pieces = sides if state.who == 0 else sides[::-1]
    state = state._replace(pieces=pieces, dice=without(state.dice, die))
    return state if state.dice else pass_on(state)


def roll(state, one, two):
    who = state.who
    if state.phase == "starting":
        who = 0 if one > two else 1
    double = one == two
    dice = (("high", one),) * 4 if double else (("high", max(one, two)), ("low", min(one, two)))
    return state._replace(who=who, phase="playing", dice=dice, double=double)


def pass_on(state):
    return State(1 - state.who, "rolling", state.pieces, (), False, state.turns + 1)


def over(state):
    return state.turns == TURNS or not all(any(side) for side in state.pieces)


def goals(state):
    white, black = [not any(side) for side in state.pieces]
    if white == black:
        return [50, 50, 0]
    return [100, 0, 0] if white else [0, 100, 0]


def choose(random, state, legal):
    """Mostly moves of the rearmost pieces, which bring blocked dice and bearing off soon, and rolls
    for which it matters that both dice, or the higher one, must be used: these are rare."""
    joint = [random.choice(moves) for moves in legal]
    mine = legal[state.who]
    if state.phase == "rolling":
        tight = [move for move in legal[2] if restricted(play(state, ["noop", "noop", move]))]
        joint[2] = random.choice(tight or legal[2])
    elif state.phase == "playing" and mine != ["pass"] and random.random() < 0.7:
        places = [int(move.split()[1]) for move in mine]
        rearmost = [move for move, place in zip(mine, places) if place == max(places)]
        joint[state.who] = random.choice(rearmost)
    return joint


def restricted(state):
    """Whether some move of one die is forbidden because of the other one."""
    mine, other = state.pieces[state.who], state.pieces[1 - state.who]
    if state.double:
        return False
    single = sum(len(sources(mine, other, face)) for _, face in state.dice)
    return single > len(piece_moves(state))
