"""Incredible, written from its rules: a robot fetches gold, stacks blocks, and may ponder in vain."""
from typing import NamedTuple

ROLES = ["robot"]
ROOMS = ["home", "kitchen", "vault", "garden"]
LAST = 20


class State(NamedTuple):
    step: int = 1
    robot: str = "home"
    # a room, or the hand of the robot
    gold: str = "vault"
    on: dict = {"a": "table", "b": "table", "c": "a", "d": "table", "e": "d", "f": "e"}


def start():
    return State()


def fluents(state):
    facts = [f"(step {state.step})", f"(robot {state.robot})", f"(gold {state.gold})"]
    return facts + [f"(on {block} {below})" for block, below in state.on.items()]


def legal(state):
    moves = ["walk"] + [f"(ponder {one} {other})" for one in ROOMS for other in ROOMS]
    if state.gold == state.robot:
        moves.append("grab")
    if state.gold == "hand":
        moves.append("drop")
    clear = [block for block in state.on if block not in state.on.values()]
    for block in clear:
        if state.on[block] == "table":
            moves += [f"(stack {block} {other})" for other in clear if other != block]
        else:
            moves.append(f"(unstack {block})")
    return [moves]


def play(state, joint):
    word, *rest = joint[0].strip("()").split()
    state = state._replace(step=state.step + 1)
    if word == "walk":
        # the rooms lie in a circle, and the robot goes around it one way
        return state._replace(robot=ROOMS[(ROOMS.index(state.robot) + 1) % 4])
    if word == "grab":
        return state._replace(gold="hand")
    if word == "drop":
        return state._replace(gold=state.robot)
    if word == "stack":
        return state._replace(on={**state.on, rest[0]: rest[1]})
    if word == "unstack":
        return state._replace(on={**state.on, rest[0]: "table"})
    return state


def over(state):
    return state.step == LAST or state.gold == "home"


def goals(state):
    gold = state.gold == "home"
    first = state.on["b"] == "d" and state.on["d"] == "f"
    second = state.on["c"] == "a" and state.on["a"] == "e"
    return [45 * gold + 25 * first + 30 * second]


def choose(random, state, legal):
    """Seldom ponders and often does what is of use, so that all goals occur."""
    useful = [move for move in legal[0] if not move.startswith("(ponder")]
    if random.random() < 0.1:
        return [random.choice(legal[0])]
    for move in ("(stack a e)", "(stack c a)", "(stack d f)", "(stack b d)", "grab"):
        if move in useful and random.random() < 0.8:
            return [move]
    if state.gold == "hand" and state.robot != "home" and random.random() < 0.6:
        return ["walk"]
    return [random.choice(useful)]
