"""Mastermind, written from its rules: the code is put peg by peg by chance, then guessed."""
from collections import Counter

ROLES = ["codebreaker", "random"]
COLOURS = ["red", "orange", "yellow", "green", "blue", "violet"]
PEGS = 4
ROWS = 8


def start():
    """A state is the code, the pegs of the guess so far, its row and whether the code is found."""
    return ((), (), 1, False)


def fluents(state):
    code, guess, row, solved = state
    if len(code) < PEGS:
        facts = ["(row 0)", f"(at {len(code) + 1})"]
    else:
        facts = [f"(row {row})", f"(at {len(guess) + 1})"]
    facts += [f"(peg code {place} {colour})" for place, colour in enumerate(code, 1)]
    facts += [f"(peg guess {place} {colour})" for place, colour in enumerate(guess, 1)]
    return facts + (["solved"] if solved else [])


def legal(state):
    puts = [f"(put {colour})" for colour in COLOURS]
    return [["noop"], puts] if len(state[0]) < PEGS else [puts, ["noop"]]


def answer(code, guess):
    """Black: right colours in the right places; white: right colours elsewhere."""
    black = sum(peg == other for peg, other in zip(code, guess))
    common = sum((Counter(code) & Counter(guess)).values())
    return black, common - black


def turn(state, joint):
    """The next state and what is seen."""
    code, guess, row, _ = state
    if len(code) < PEGS:
        return (code + (joint[1][5:-1],), guess, row, False), []
    guess += (joint[0][5:-1],)
    if len(guess) < PEGS:
        return (code, guess, row, False), []
    black, white = answer(code, guess)
    return (code, (), row + 1, black == PEGS), [f"(black {black})", f"(white {white})"]


def play(state, joint):
    return turn(state, joint)[0]


def percepts(state, joint):
    return [turn(state, joint)[1]] * 2


def over(state):
    return state[3] or state[2] > ROWS


def goals(state):
    return [100 if state[3] else 0, 0]


def choose(random, state, legal):
    """Often near the code, so that all answers and wins occur."""
    joint = [random.choice(moves) for moves in legal]
    code, guess = state[:2]
    if len(code) == PEGS and random.random() < 0.7:
        peg = random.choice(code) if random.random() < 0.4 else code[len(guess)]
        joint[0] = f"(put {peg})"
    return joint
