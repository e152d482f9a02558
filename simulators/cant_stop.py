"""Can't Stop for two, with columns 3 to 11, written from the rules: four dice make two pairs, three
runners climb, a roll that moves none loses the turn, and three columns win; 200 turns at most."""
from collections import namedtuple

ROLES = ["red", "blue", "random"]
HEIGHTS = {3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5}
PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
RUNNERS = 3
TURNS = 200

# Whose turn it is, its phase, the dice, the heights of the runners by column, for each player the
# heights of the markers by column, and the number of turns so far.
State = namedtuple("State", "who phase dice runners markers turns")


def start():
    bottom = dict.fromkeys(HEIGHTS, 0)
    return State(0, "rolling", (), {}, (bottom, bottom), 0)


def fluents(state):
    facts = [
        f"(control {ROLES[state.who]})",
        f"(spare {RUNNERS - len(state.runners)})",
        f"(turns units {state.turns % 10})",
        f"(turns tens {state.turns // 10 % 10})",
        f"(turns hundreds {state.turns // 100})",
    ]
    rolling = state.phase == "rolling"
    facts.append(f"(rolling {len(state.dice) + 1})" if rolling else state.phase)
    facts += [f"(shows {number} {face})" for number, face in enumerate(state.dice, 1)]
    facts += [f"(runner {column} {height})" for column, height in state.runners.items()]
    for role, markers in zip(ROLES, state.markers):
        facts += [f"(marker {role} {column} {height})" for column, height in markers.items()]
    return facts


def won_columns(markers):
    return [column for column, height in markers.items() if height == HEIGHTS[column]]


def climb(state, runners, column):
    """The runners after one step in a column, or None if it cannot be climbed."""
    if column not in HEIGHTS or any(column in won_columns(it) for it in state.markers):
        return None
    if column in runners:
        height = runners[column]
        return None if height == HEIGHTS[column] else {**runners, column: height + 1}
    if len(runners) == RUNNERS:
        return None
    return {**runners, column: state.markers[state.who][column] + 1}


def choices(state):
    """The moves of a roll, each with the runners after it: of a pairing both sums if possible, else
    the one that is. Ways that lead to the same runners are one move, named by the lowest column."""
    ways = {}
    for pairing in PAIRINGS:
        sums = [sum(state.dice[die] for die in pair) for pair in pairing]
        for first, second in (sums, sums[::-1]):
            once = climb(state, state.runners, first)
            if once is None:
                continue
            twice = climb(state, once, second)
            after = once if twice is None else twice
            ways.setdefault(frozenset(after.items()), set()).add(first)
    return {f"(choose {min(firsts)})": dict(after) for after, firsts in ways.items()}


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "rolling":
        moves[2] = [f"(roll {face})" for face in range(1, 7)]
    elif state.phase == "choosing":
        moves[state.who] = list(choices(state)) or ["bust"]
    else:
        moves[state.who] = ["stop", "roll-on"]
    return moves


def play(state, joint):
    if state.phase == "rolling":
        dice = state.dice + (int(joint[2].strip("()").split()[1]),)
        return state._replace(dice=dice, phase="choosing" if len(dice) == 4 else "rolling")
    move = joint[state.who]
    if move == "roll-on":
        return state._replace(phase="rolling")
    if move == "bust":
        return pass_on(state, state.markers)
    if move == "stop":
        # The markers go where the runners are.
        markers = list(state.markers)
        markers[state.who] = {**markers[state.who], **state.runners}
        return pass_on(state, tuple(markers))
    return state._replace(phase="deciding", dice=(), runners=choices(state)[move])


def pass_on(state, markers):
    return State(1 - state.who, "rolling", (), {}, markers, state.turns + 1)


def over(state):
    won = any(len(won_columns(markers)) >= 3 for markers in state.markers)
    return won or state.turns == TURNS


def goals(state):
    red, blue = [len(won_columns(markers)) for markers in state.markers]
    if red == blue:
        return [50, 50, 0]
    return [100, 0, 0] if red > blue else [0, 100, 0]


def choose(random, state, legal):
    """Bold play, so that full columns and busts come up; and luck that leaves long matches: four
    ones are no column, so that these come to the limit of turns."""
    joint = [random.choice(moves) for moves in legal]
    if state.phase == "deciding":
        bold = len(state.runners) < RUNNERS or random.random() < 0.75
        joint[state.who] = "roll-on" if bold else "stop"
    if state.phase == "rolling" and state.turns > 20 and random.random() < 0.98:
        joint[2] = "(roll 1)"
    return joint
