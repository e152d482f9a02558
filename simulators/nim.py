"""Nim with heaps of 3, 4 and 5, written from the rules: two players in turn take any number of
objects from one heap; who takes the last object wins."""
from collections import namedtuple

ROLES = ["first", "second"]
HEAPS = "abc"

# The size of each heap, and the index of the player to move.
State = namedtuple("State", "sizes who")


def start():
    return State((3, 4, 5), 0)


def fluents(state):
    heaps = [f"(heap {heap} {size})" for heap, size in zip(HEAPS, state.sizes)]
    return heaps + [f"(control {ROLES[state.who]})"]


def legal(state):
    moves = [["noop"], ["noop"]]
    moves[state.who] = [
        f"(take {heap} {number})"
        for heap, size in zip(HEAPS, state.sizes)
        for number in range(1, size + 1)
    ]
    return moves


def play(state, joint):
    _, taken, number = joint[state.who].strip("()").split()
    sizes = tuple(
        size - int(number) if heap == taken else size
        for heap, size in zip(HEAPS, state.sizes)
    )
    return State(sizes, 1 - state.who)


def over(state):
    return sum(state.sizes) == 0


def goals(state):
    # Who would have to move now has not taken the last object.
    return [0 if player == state.who else 100 for player in (0, 1)]
