"""Guess dice, written from its rules: chance rolls a die in secret, the player guesses it."""
ROLES = ["player", "random"]
FACES = range(1, 7)


def start():
    """A state is what was rolled and what was guessed."""
    return (None, None)


def fluents(state):
    die, guess = state
    if not die:
        return ["(phase rolling)"]
    if not guess:
        return ["(phase guessing)", f"(die {die})"]
    return ["(phase over)", f"(die {die})"] + (["won"] if guess == die else [])


def legal(state):
    if not state[0]:
        return [["noop"], [f"(roll {face})" for face in FACES]]
    return [[f"(guess {face})" for face in FACES], ["noop"]]


def play(state, joint):
    if not state[0]:
        return (int(joint[1][6:-1]), None)
    return (state[0], int(joint[0][7:-1]))


def percepts(state, joint):
    """The guess uncovers the die."""
    return [[f"(die {state[0]})"] if state[0] else []] * 2


def over(state):
    return state[1] is not None


def goals(state):
    return [100 if state[0] == state[1] else 0, 0]
