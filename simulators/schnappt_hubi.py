"""Schnappt Hubi, written from its rules: mouse and rabbit open two doors and then catch the ghost.

Chance builds the walls in secret. Every room of the three by three in the south-west owns the
borders to its north and east; one of them is free, the other one something else.
"""
from typing import NamedTuple

ROLES = ["mouse", "rabbit", "random"]
STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
ROOMS = [(x, y) for x in range(1, 5) for y in range(1, 5)]
OWNERS = [(x, y) for y in range(1, 4) for x in range(1, 4)]
DOORS = 2
LAST = 31
# who calls in which room, the northern row first
CALLS = [
    ["black owl", "white toad", "black centipede", "white bat"],
    ["white owl", "black bat", "white centipede", "black toad"],
    ["black centipede", "white bat", "black owl", "white toad"],
    ["white centipede", "black toad", "white owl", "black bat"],
]


class State(NamedTuple):
    control: str = "build"
    free: dict = {}
    other: dict = {}
    enchanted: int = 0
    at: dict = {"mouse": (1, 1), "rabbit": (4, 4)}
    hubi: tuple = None
    doors: int = 0
    round: int = 1


def start():
    return State()


def beside(room, direction):
    return (room[0] + STEP[direction][0], room[1] + STEP[direction][1])


def exits(room):
    """The directions that do not lead out of the house."""
    return [direction for direction in STEP if beside(room, direction) in ROOMS]


def border(state, room, neighbour):
    """What stands between two rooms, and the room that owns it."""
    owner = min(room, neighbour)
    side = "east" if room[0] != neighbour[0] else "north"
    if owner not in OWNERS or state.free[owner] == side:
        return "free", None
    return state.other[owner], owner


def passes(who, kind):
    """Whether one of the two can go through a border."""
    return kind in ("free", "opened") or (who, kind) in (("mouse", "hole"), ("rabbit", "window"))


def fluents(state):
    facts = [f"(doors {state.doors})", f"(round {state.round})"]
    facts += [f"(at {who} {x} {y})" for who, (x, y) in state.at.items()]
    if state.hubi:
        facts.append("(at hubi %d %d)" % state.hubi)
    if state.control == "build":
        facts.append(f"(building {len(state.free) + state.enchanted + 1})")
    else:
        facts.append(f"(control {state.control})")
    facts += [f"(free {x} {y} {side})" for (x, y), side in state.free.items()]
    facts += [f"(other {x} {y} {kind})" for (x, y), kind in state.other.items()]
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.control == "build":
        moves[2] = buildings(state)
    elif state.control != "hubi":
        ways = exits(state.at[state.control])
        moves[ROLES.index(state.control)] = ["listen"] + [f"(go {way})" for way in ways]
    elif state.hubi:
        moves[2] = ["stay"] + [f"(go {way})" for way in exits(state.hubi)]
    else:
        moves[2] = ["(put %d %d)" % room for room in ROOMS if room not in state.at.values()]
    return moves


def buildings(state):
    """What chance may build: borders room by room, then two of them become enchanted doors."""
    if len(state.free) < len(OWNERS):
        kinds = ("wall", "hole", "window")
        return [f"(build {side} {kind})" for side in ("north", "east") for kind in kinds]
    return ["(enchant %d %d)" % room for room in OWNERS if state.other[room] != "door"]


def build(state, words):
    """The state after chance built."""
    if words[0] == "build":
        room = OWNERS[len(state.free)]
        return state._replace(free={**state.free, room: words[1]}, other={**state.other, room: words[2]})
    room = (int(words[1]), int(words[2]))
    enchanted = state.enchanted + 1
    control = "mouse" if enchanted == DOORS else "build"
    return state._replace(other={**state.other, room: "door"}, enchanted=enchanted, control=control)


def haunt(state, words):
    """The state after Hubi appeared, went or stayed."""
    if words[0] == "put":
        return state._replace(hubi=(int(words[1]), int(words[2])))
    if words[0] == "go":
        return state._replace(hubi=beside(state.hubi, words[1]))
    return state


def act(state, words):
    """The state after mouse or rabbit listened or tried to go, and what is seen."""
    who = state.control
    if words[0] == "listen":
        if not state.hubi:
            return state, []
        x, y = state.hubi
        return state, [f"(calls {CALLS[4 - y][x - 1]})"]
    target = beside(state.at[who], words[1])
    kind, _ = border(state, state.at[who], target)
    if passes(who, kind):
        state = state._replace(at={**state.at, who: target})
    after, seen = creak(state)
    return after, [f"(goes {who} {words[1]} {kind})"] + seen


def creak(state):
    """A door opens when the two stand on its sides."""
    mouse, rabbit = state.at["mouse"], state.at["rabbit"]
    if abs(mouse[0] - rabbit[0]) + abs(mouse[1] - rabbit[1]) == 1:
        kind, owner = border(state, mouse, rabbit)
        if kind == "door":
            opened = state._replace(other={**state.other, owner: "opened"}, doors=state.doors + 1)
            return opened, ["(creaks %d %d)" % owner]
    return state, []


def pass_on(state, doors):
    """The next in control; Hubi plays only if both doors were open before this turn."""
    if state.control == "mouse":
        return state._replace(control="rabbit")
    if state.control == "rabbit" and doors == DOORS:
        return state._replace(control="hubi")
    return state._replace(control="mouse", round=state.round + 1)


def turn(state, joint):
    """The next state and what is seen."""
    if state.control == "build":
        return build(state, joint[2].strip("()").split()), []
    if state.control == "hubi":
        after, seen = haunt(state, joint[2].strip("()").split()), []
    else:
        after, seen = act(state, joint[ROLES.index(state.control)].strip("()").split())
    seen = seen + [f"(meets {who})" for who, room in after.at.items() if room == after.hubi]
    return pass_on(after, state.doors), seen


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 3


def caught(state):
    return state.at["mouse"] == state.at["rabbit"] == state.hubi


def over(state):
    return caught(state) or state.round == LAST


def goals(state):
    both = 100 if caught(state) else 25 * state.doors
    return [both, both, 0]


def way(state, who, target):
    """The first direction of a shortest way to a room."""
    first, queue = {state.at[who]: None}, [state.at[who]]
    for room in queue:
        for direction in exits(room):
            neighbour = beside(room, direction)
            if neighbour not in first and passes(who, border(state, room, neighbour)[0]):
                first[neighbour] = first[room] or direction
                queue.append(neighbour)
    return first[target]


def choose(random, state, legal):
    """Often straight to the doors and to Hubi, so that he appears and is caught."""
    joint = [random.choice(moves) for moves in legal]
    who = state.control
    if who not in ("mouse", "rabbit") or random.random() < 0.5:
        return joint
    if state.doors < DOORS:
        room = min(room for room in OWNERS if state.other[room] == "door")
        behind = beside(room, "east" if state.free[room] == "north" else "north")
        target = room if who == "mouse" else behind
    elif state.hubi:
        target = state.hubi
    else:
        return joint
    there = state.at[who] == target
    joint[ROLES.index(who)] = "listen" if there else f"(go {way(state, who, target)})"
    return joint
