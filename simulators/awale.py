"""Awale (Oware Abapa), written from its rules: seeds are sown one by one.

A state is (seeds of the houses 0 to 11, captured by each, side to move, plies without a capture).
"""
ROLES = ["south", "north"]
QUIET = 64


def start():
    return ((4,) * 12, (0, 0), 0, 0)


def houses(player):
    return range(6 * player, 6 * player + 6)


def seeds(board, player):
    return sum(board[house] for house in houses(player))


def sow(board, origin):
    """The houses after sowing, and where the last seed fell."""
    board = list(board)
    hand, board[origin], house = board[origin], 0, origin
    while hand:
        house = (house + 1) % 12
        # the house sown from stays empty, also in a second lap
        if house != origin:
            board[house] += 1
            hand -= 1
    return board, house


def moves(state):
    """The houses that may be sown: the opponent must be left something to play."""
    board, _, player, _ = state
    own = [house for house in houses(player) if board[house]]
    if seeds(board, 1 - player) == 0:
        own = [house for house in own if seeds(sow(board, house)[0], 1 - player)]
    return own


def legal(state):
    mine = [f"(sow {house + 1})" for house in moves(state)]
    return [mine, ["noop"]] if state[2] == 0 else [["noop"], mine]


def captured(board, last, player):
    """The houses captured: twos and threes back from the last seed, but never all."""
    taken = []
    while last in houses(1 - player) and board[last] in (2, 3):
        taken.append(last)
        last -= 1
    slam = sum(board[house] for house in taken) == seeds(board, 1 - player)
    return [] if slam else taken


def play(state, joint):
    board, scores, player, quiet = state
    board, last = sow(board, int(joint[player].strip("()").split()[1]) - 1)
    taken = captured(board, last, player)
    scores = list(scores)
    for house in taken:
        scores[player] += board[house]
        board[house] = 0
    return (tuple(board), tuple(scores), 1 - player, 0 if taken else quiet + 1)


def over(state):
    return max(state[1]) > 24 or not moves(state) or state[3] >= QUIET


def goals(state):
    board, scores, player, _ = state
    scores = list(scores)
    if max(scores) <= 24:
        if moves(state):
            # nothing happens any more: each keeps the own side
            scores = [scores[who] + seeds(board, who) for who in (0, 1)]
        else:
            # the opponent cannot be fed: who is to move takes what is left
            scores[player] += sum(board)
    south, north = scores
    return [50, 50] if south == north else [100, 0] if south > north else [0, 100]


def bits(number):
    """Numbers are given by their binary digits."""
    return [value for value in (1, 2, 4, 8, 16, 32, 64) if number & value]


def fluents(state):
    board, scores, player, quiet = state
    facts = [f"(control {ROLES[player]})"] + [f"(quiet {value})" for value in bits(quiet)]
    for house in range(12):
        facts += [f"(seeds {house + 1} {value})" for value in bits(board[house])]
    for who in (0, 1):
        facts += [f"(captured {ROLES[who]} {value})" for value in bits(scores[who])]
    return facts


def choose(random, state, legal):
    """Mostly hoards seeds: larger houses, second laps, hungry opponents."""
    joint = [random.choice(moves) for moves in legal]

    def size(move):
        return state[0][int(move[5:-1]) - 1] + 2 * random.random()

    if random.random() < 0.85:
        joint[state[2]] = min(legal[state[2]], key=size)
    return joint
