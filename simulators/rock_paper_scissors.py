"""Rock, paper, scissors, written from the rules: one round, both players show a hand at the same
time, and the same hand twice is a draw."""

ROLES = ["left", "right"]
BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}

# A state is the tuple of the hands shown: empty at first, then one of each player.


def start():
    return ()


def fluents(state):
    return [f"(shows {role} {hand})" for role, hand in zip(ROLES, state)]


def legal(state):
    hands = [f"(show {hand})" for hand in BEATS]
    return [hands, hands]


def play(state, joint):
    return tuple(move.strip("()").split()[1] for move in joint)


def over(state):
    return len(state) == 2


def goals(state):
    left, right = state
    if left == right:
        return [50, 50]
    return [100, 0] if BEATS[left] == right else [0, 100]
