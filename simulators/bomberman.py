"""Bomberman, written from its rules: two players with one bomb each, all moves at the same time."""
from typing import NamedTuple

ROLES = ["red", "blue"]
STEP = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
FUSE = 3
REACH = 2
LAST = 60


class State(NamedTuple):
    at: tuple = ((1, 1), (7, 7))
    # for each player None, or where the bomb lies and how long it still burns
    bombs: tuple = (None, None)
    bricks: frozenset = frozenset({(4, 1), (1, 4), (7, 4), (4, 7)})
    fire: frozenset = frozenset()
    turn: int = 0


def start():
    return State()


def floor(square):
    """Whether a square is no wall; pillars stand where both numbers are even."""
    x, y = square
    return 1 <= x <= 7 and 1 <= y <= 7 and not (x % 2 == 0 and y % 2 == 0)


def beside(square, direction, steps=1):
    return (square[0] + steps * STEP[direction][0], square[1] + steps * STEP[direction][1])


def fluents(state):
    facts = [f"(turn {state.turn // 10} {state.turn % 10})"]
    facts += ["(brick %d %d)" % brick for brick in state.bricks]
    facts += ["(fire %d %d)" % flame for flame in state.fire]
    facts += [f"(at {role} {x} {y})" for role, (x, y) in zip(ROLES, state.at)]
    for role, bomb in zip(ROLES, state.bombs):
        if bomb:
            (x, y), fuse = bomb
            facts += [f"(bomb {role} {x} {y})", f"(fuse {role} {fuse})"]
    return facts


def legal(state):
    solid = state.bricks | {bomb[0] for bomb in state.bombs if bomb}
    every = []
    for square, bomb in zip(state.at, state.bombs):
        moves = ["stay"] if bomb else ["stay", "drop"]
        for direction in STEP:
            target = beside(square, direction)
            if floor(target) and target not in solid:
                moves.append(f"(move {direction})")
        every.append(moves)
    return every


def blast(square, bricks):
    """The squares that a bomb sets on fire: walls stop it, and so does the first brick it burns."""
    fire = {square}
    for direction in STEP:
        for steps in range(1, REACH + 1):
            target = beside(square, direction, steps)
            if not floor(target):
                break
            fire.add(target)
            if target in bricks:
                break
    return fire


def burnt(bomb, fire):
    """A bomb one turn later; one in the fire goes off next."""
    if not bomb or bomb[1] == 1:
        return None
    return (bomb[0], 1 if bomb[0] in fire else bomb[1] - 1)


def play(state, joint):
    fire = set()
    for bomb in state.bombs:
        if bomb and bomb[1] == 1:
            fire |= blast(bomb[0], state.bricks)
    at, bombs = [], []
    for square, bomb, move in zip(state.at, state.bombs, joint):
        at.append(beside(square, move[6:-1]) if move.startswith("(move") else square)
        bombs.append((square, FUSE) if move == "drop" else burnt(bomb, fire))
    return State(tuple(at), tuple(bombs), state.bricks - fire, frozenset(fire), state.turn + 1)


def out(state):
    """For each player whether it stands in the fire."""
    return [square in state.fire for square in state.at]


def over(state):
    return any(out(state)) or state.turn >= LAST


def goals(state):
    red, blue = out(state)
    return [50, 50] if red == blue else [0, 100] if red else [100, 0]


def alone(who, move):
    """A joint move in which the other player stays."""
    return [move, "stay"] if who == 0 else ["stay", move]


def survives(state, who, turns):
    """Whether a player can get through some turns while the other one stays."""
    if out(state)[who] or turns == 0:
        return not out(state)[who]
    moves = [move for move in legal(state)[who] if move != "drop"]
    return any(survives(play(state, alone(who, move)), who, turns - 1) for move in moves)


def choose(random, state, legal):
    """Mostly looks ahead, so that matches last, bricks burn and bombs set each other off."""
    joint = [random.choice(moves) for moves in legal]
    for who in (0, 1):
        safe = [move for move in legal[who] if survives(play(state, alone(who, move)), who, 3)]
        if safe and random.random() < 0.97:
            drops = "drop" in safe and random.random() < 0.4
            joint[who] = "drop" if drops else random.choice(safe)
    return joint
