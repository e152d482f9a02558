"""War with ten cards, written from its rules: the winner of a battle takes the cards one by one."""
from collections import Counter
from typing import NamedTuple

ROLES = ["north", "south", "random"]
CARDS = tuple((rank, colour) for rank in range(1, 6) for colour in ("black", "red"))
LAST = 31


class State(NamedTuple):
    phase: str = "deal"
    deck: tuple = CARDS
    stacks: tuple = ((), ())
    pot: tuple = ()
    winner: int = None
    battle: int = 1


def start():
    return State()


def without(cards, card):
    """The cards less one of them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1:]


def onto(stacks, who, rank):
    """The stacks after a card went under one of them."""
    return tuple(stack + (rank,) if at == who else stack for at, stack in enumerate(stacks))


def fluents(state):
    facts = [f"(battle {state.battle})"] + [f"(undealt {rank} {colour})" for rank, colour in state.deck]
    if state.phase == "deal":
        # the sizes are those after the deal
        facts += [f"(dealing {11 - len(state.deck)})", "(size north 5)", "(size south 5)"]
    else:
        facts.append(f"(phase {state.phase})")
        facts += [f"(size {role} {len(stack)})" for role, stack in zip(ROLES, state.stacks)]
    for role, stack in zip(ROLES, state.stacks):
        facts += [f"(stack {role} {place} {rank})" for place, rank in enumerate(stack, 1)]
    facts += [f"(pot {rank} {count})" for rank, count in Counter(state.pot).items()]
    if state.winner is not None:
        facts.append(f"(winner {ROLES[state.winner]})")
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "deal":
        moves[2] = [f"(deal {rank} {colour})" for rank, colour in state.deck]
    elif state.phase == "take":
        moves[state.winner] = [f"(take {rank})" for rank in set(state.pot)]
    else:
        moves[:2] = [["play"], ["play"]]
    return moves


def deal(state, move):
    """The state after a card was dealt; north gets the first."""
    _, rank, colour = move.strip("()").split()
    stacks = onto(state.stacks, len(state.deck) % 2, int(rank))
    deck = without(state.deck, (int(rank), colour))
    return state._replace(deck=deck, stacks=stacks, phase="deal" if deck else "flip")


def take(state, move):
    """The state after the winner took a card of the pot, and what is seen."""
    rank = int(move.strip("()").split()[1])
    pot = without(state.pot, rank)
    after = state._replace(pot=pot, stacks=onto(state.stacks, state.winner, rank))
    if not pot:
        after = after._replace(phase="flip", winner=None, battle=state.battle + 1)
    return after, [f"(takes {ROLES[state.winner]} {rank})"]


def put(state):
    """The state after both put their first card into the pot, and what is seen."""
    (north, *_), (south, *_) = state.stacks
    pot = state.pot + (north, south)
    after = state._replace(pot=pot, stacks=tuple(stack[1:] for stack in state.stacks))
    if state.phase == "stake":
        # stakes lie face down
        return after._replace(phase="flip"), []
    seen = [f"(shows north {north})", f"(shows south {south})"]
    if north == south:
        return after._replace(phase="stake"), seen
    seen += [f"(won {rank} {count})" for rank, count in Counter(pot).items()]
    return after._replace(phase="take", winner=0 if north > south else 1), seen


def turn(state, joint):
    """The next state and what is seen."""
    if state.phase == "deal":
        return deal(state, joint[2]), []
    if state.phase == "take":
        return take(state, joint[state.winner])
    return put(state)


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 3


def over(state):
    must_play = state.phase in ("flip", "stake")
    return must_play and not all(state.stacks) or state.battle == LAST


def goals(state):
    north, south = map(len, state.stacks)
    if north == south:
        return [50, 50, 0]
    return [100, 0, 0] if north > south else [0, 100, 0]
