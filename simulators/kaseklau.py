"""Käseklau for two, written from the rules: a mouse and a cat run around five rooms; the mouse
takes cheese cards, but all of a turn are lost when both are in one room; 200 throws at most."""
from collections import namedtuple

ROLES = ["red", "blue", "random"]
ROOMS = 5
CARDS = range(1, 31)
PILE = 6
THROWS = 200

# Whose turn it is and its phase; the room whose card is turned up; the cards not seen yet; for each
# room how many cards lie face down and the card on top of them (0: none); the rooms of mouse and
# cat; the cheese each player has safe, what the turn has brought; and the number of throws so far.
State = namedtuple("State", "who phase room unseen down top mouse cat safe open throws")


def start():
    down, top = (PILE,) * ROOMS, (0,) * ROOMS
    return State(0, "turning", 0, frozenset(CARDS), down, top, 0, 2, (0, 0), 0, 0)


def cheese(card):
    """Ten cards each have one, two and three pieces."""
    return (card - 1) // 10 + 1


def pile_sizes(state):
    return [down + (top > 0) for down, top in zip(state.down, state.top)]


def fluents(state):
    turning = state.phase == "turning"
    facts = [
        f"(control {ROLES[state.who]})",
        f"(turning {state.room + 1})" if turning else state.phase,
        f"(mouse {state.mouse + 1})",
        f"(cat {state.cat + 1})",
        f"(loot {state.safe[state.who] + state.open})",
        f"(throws units {state.throws % 10})",
        f"(throws tens {state.throws // 10 % 10})",
        f"(throws hundreds {state.throws // 100})",
    ]
    facts += [f"(safe {role} {pieces})" for role, pieces in zip(ROLES, state.safe)]
    facts += [f"(unseen {card})" for card in state.unseen]
    facts += [f"(pile {room} {size})" for room, size in enumerate(pile_sizes(state), 1)]
    facts += [f"(top {room} {cheese(card)})" for room, card in enumerate(state.top, 1) if card]
    return facts


def legal(state):
    moves = [["noop"], ["noop"], ["noop"]]
    if state.phase == "throwing":
        moves[2] = [f"(throw {cat} {mouse})" for cat in range(3) for mouse in range(1, 4)]
    elif state.phase == "deciding":
        moves[state.who] = ["stop", "throw-again"]
    else:
        moves[2] = [f"(turn-up {card})" for card in state.unseen]
    return moves


def play(state, joint):
    if state.phase == "deciding":
        return decide(state, joint[state.who])
    numbers = [int(word) for word in joint[2].strip("()").split()[1:]]
    return throw(state, *numbers) if state.phase == "throwing" else turn_up(state, *numbers)


def decide(state, move):
    if move == "throw-again":
        return state._replace(phase="throwing")
    # The cheese of the turn is safe, and the other player throws.
    safe = list(state.safe)
    safe[state.who] += state.open
    return state._replace(who=1 - state.who, phase="throwing", safe=tuple(safe), open=0)


def throw(state, cat_steps, mouse_steps):
    """Both animals run; the mouse is caught, or takes the top card of its room if there is one."""
    mouse = (state.mouse + mouse_steps) % ROOMS
    cat = (state.cat + cat_steps) % ROOMS
    state = state._replace(mouse=mouse, cat=cat, throws=state.throws + 1)
    if mouse == cat:
        return state._replace(who=1 - state.who, open=0)
    card = state.top[mouse]
    if not card:
        return state._replace(phase="deciding")
    # The next card of the pile is turned up before the player decides.
    phase = "turning" if state.down[mouse] else "deciding"
    won = state.open + cheese(card)
    return state._replace(phase=phase, room=mouse, top=put(state.top, mouse, 0), open=won)


def turn_up(state, card):
    # At the beginning a card is turned up in each room, and then the first player throws.
    laying_out = any(down == PILE for down in state.down)
    room = state.room
    state = state._replace(
        unseen=state.unseen - {card},
        down=put(state.down, room, state.down[room] - 1),
        top=put(state.top, room, card),
    )
    if not laying_out:
        return state._replace(phase="deciding")
    if room + 1 < ROOMS:
        return state._replace(room=room + 1)
    return state._replace(phase="throwing")


def put(row, place, what):
    return row[:place] + (what,) + row[place + 1:]


def over(state):
    return state.throws == THROWS or pile_sizes(state).count(0) >= 3


def goals(state):
    # What the last turn has brought counts too.
    pieces = list(state.safe)
    pieces[state.who] += state.open
    red, blue = pieces
    if red == blue:
        return [50, 50, 0]
    return [100, 0, 0] if red > blue else [0, 100, 0]


def choose(random, state, legal):
    """In long matches the cat catches the mouse whenever it can, so that some come to the limit."""
    joint = [random.choice(moves) for moves in legal]
    if state.phase == "throwing" and state.throws > 40:
        joint[2] = random.choice([move for move in legal[2] if catches(state, move)] or legal[2])
    return joint


def catches(state, move):
    _, cat, mouse = move.strip("()").split()
    return (state.cat + int(cat) - state.mouse - int(mouse)) % ROOMS == 0
