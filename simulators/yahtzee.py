"""Yahtzee for two, written from the rules: thirteen boxes each, three rolls a turn, 35 points for
63 in the upper boxes; dice go back to the cup one at a time, in the order of their faces."""
from collections import Counter, namedtuple

ROLES = ["red", "blue", "random"]
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight",
         "yahtzee", "chance"]
BOXES = UPPER + LOWER
FACES = range(1, 7)

# Whose turn it is, its phase, the sorted dice on the table, how many are in the cup, rolls left,
# the face last returned to the cup (0: none), and for each player the points by box.
State = namedtuple("State", "who phase dice cup rolls returned sheets")


def start():
    return State(0, "rolling", (), 5, 2, 0, ({}, {}))


def value(box, dice):
    """The points that the dice bring in a box."""
    counts = Counter(dice)
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * counts[face]
    if box == "three-of-a-kind":
        return sum(dice) if max(counts.values()) >= 3 else 0
    if box == "four-of-a-kind":
        return sum(dice) if max(counts.values()) >= 4 else 0
    if box == "full-house":
        return 25 if sorted(counts.values()) == [2, 3] else 0
    if box == "small-straight":
        return 30 if straight(dice, 4) else 0
    if box == "large-straight":
        return 40 if straight(dice, 5) else 0
    if box == "yahtzee":
        return 50 if len(counts) == 1 else 0
    return sum(dice)


def straight(dice, length):
    """Whether the dice have that many faces in a row."""
    return any(set(range(low, low + length)) <= set(dice) for low in range(1, 8 - length))


def upper_sum(sheet):
    return sum(points for box, points in sheet.items() if box in UPPER)


def total(sheet):
    bonus = 35 if upper_sum(sheet) >= 63 else 0
    return sum(sheet.values()) + bonus


def free(sheet):
    return [box for box in BOXES if box not in sheet]


def sheet_facts(role, sheet):
    points, upper = total(sheet), upper_sum(sheet)
    facts = [
        f"(total {role} hundreds {points // 100})",
        f"(total {role} tens {points // 10 % 10})",
        f"(total {role} units {points % 10})",
    ]
    # Once the bonus is reached, the upper sum does not matter any more.
    if upper < 63:
        facts.append(f"(upper-sum {role} tens {upper // 10})")
        facts.append(f"(upper-sum {role} units {upper % 10})")
    return facts + [f"(free {role} {box})" for box in free(sheet)]


def fluents(state):
    facts = [
        f"(control {ROLES[state.who]})",
        f"(phase {state.phase})",
        f"(cup {state.cup})",
        f"(rolls-left {state.rolls})",
    ]
    facts += [f"(count {face} {state.dice.count(face)})" for face in FACES]
    if state.returned:
        facts.append(f"(returned {state.returned})")
    for role, sheet in zip(ROLES, state.sheets):
        facts += sheet_facts(role, sheet)
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "rolling":
        moves[2] = [f"(roll {face})" for face in FACES]
        return moves
    mine = []
    if state.rolls:
        # Only upwards, so that each set of dice can be returned in one way.
        mine = [f"(return {face})" for face in set(state.dice) if face >= state.returned]
    if state.phase == "deciding":
        mine += [f"(score {box})" for box in free(state.sheets[state.who])]
    else:
        mine.append("roll-again")
    moves[state.who] = mine
    return moves


def play(state, joint):
    if state.phase == "rolling":
        return roll(state, int(joint[2].strip("()").split()[1]))
    move = joint[state.who]
    if move == "roll-again":
        return state._replace(phase="rolling", rolls=state.rolls - 1, returned=0)
    kind, what = move.strip("()").split()
    return put_back(state, int(what)) if kind == "return" else score(state, what)


def roll(state, face):
    """One die leaves the cup; after the last one the player decides."""
    phase = "rolling" if state.cup > 1 else "deciding"
    dice = tuple(sorted(state.dice + (face,)))
    return state._replace(phase=phase, dice=dice, cup=state.cup - 1)


def put_back(state, face):
    dice = list(state.dice)
    dice.remove(face)
    return state._replace(phase="returning", dice=tuple(dice), cup=state.cup + 1, returned=face)


def score(state, box):
    """The dice are written down, and the other player begins a turn."""
    sheets = list(state.sheets)
    sheets[state.who] = {**sheets[state.who], box: value(box, state.dice)}
    return State(1 - state.who, "rolling", (), 5, 2, 0, tuple(sheets))


def over(state):
    return all(not free(sheet) for sheet in state.sheets)


def goals(state):
    red, blue = map(total, state.sheets)
    if red == blue:
        return [50, 50, 0]
    return [100, 0, 0] if red > blue else [0, 100, 0]


def choose(random, state, legal):
    """Careful play and luck for red: the bonus, Yahtzees and high totals are rare at random."""
    joint = [random.choice(moves) for moves in legal]
    if state.phase == "rolling":
        if state.who == 0 and state.dice and random.random() < 0.5:
            joint[2] = f"(roll {random.choice(state.dice)})"
    elif random.random() < 0.9:
        joint[state.who] = careful(state, legal[state.who])
    return joint


def careful(state, moves):
    """Keeps the most frequent face, by preference one whose upper box is free, and scores well."""
    dice, open_boxes = state.dice, free(state.sheets[state.who])

    def liking(face):
        return UPPER[face - 1] in open_boxes, dice.count(face), face

    kept = max(dice, key=liking, default=0)
    unwanted = [f"(return {face})" for face in dice if face != kept]
    unwanted = [move for move in unwanted if move in moves]
    if state.phase == "deciding":
        best = max(open_boxes, key=lambda box: value(box, dice))
        if kept and not unwanted and UPPER[kept - 1] in open_boxes:
            best = UPPER[kept - 1]
        if not unwanted or value(best, dice) >= 30:
            return f"(score {best})"
    return unwanted[0] if unwanted else "roll-again"
