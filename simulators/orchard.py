"""Orchard, written from the rules: two players together pick four trees empty before the raven of
nine pieces is complete; a tree already empty cannot be rolled."""
from collections import namedtuple

ROLES = ["alice", "bob", "random"]
TREES = ["apple", "pear", "cherry", "plum"]
RAVEN = 9

# Fruits on each tree, pieces of the raven, whose turn it is, and how many fruits are still to be
# picked for a basket.
State = namedtuple("State", "fruits raven who picks")


def start():
    return State((10, 10, 10, 10), 0, 0, 0)


def fluents(state):
    facts = [f"(tree {tree} {number})" for tree, number in zip(TREES, state.fruits)]
    facts += [f"(raven {state.raven})", f"(control {ROLES[state.who]})"]
    if state.picks:
        facts.append(f"(basket {state.picks})")
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    bearing = [tree for tree, number in zip(TREES, state.fruits) if number]
    if state.picks:
        moves[state.who] = [f"(pick {tree})" for tree in bearing]
    else:
        moves[2] = [f"(roll {face})" for face in bearing + ["basket", "raven"]]
    return moves


def play(state, joint):
    # The player moves while a basket is to be filled, else the die.
    mover = state.who if state.picks else 2
    what = joint[mover].strip("()").split()[1]
    if what == "basket":
        return state._replace(picks=2)
    if what == "raven":
        return state._replace(raven=state.raven + 1, who=1 - state.who)
    fruits = tuple(
        number - 1 if tree == what else number
        for tree, number in zip(TREES, state.fruits)
    )
    # After the first fruit of a basket the same player picks the second one.
    if state.picks == 2:
        return state._replace(fruits=fruits, picks=1)
    return state._replace(fruits=fruits, who=1 - state.who, picks=0)


def over(state):
    return state.raven == RAVEN or sum(state.fruits) == 0


def goals(state):
    # The players win or lose together.
    won = 100 if sum(state.fruits) == 0 else 0
    return [won, won, 0]
