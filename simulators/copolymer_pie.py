"""Copolymer on a hexagon of side 4 with the pie rule, written from its rules.

A state is the owners of the cells, the number of the role to move, and the number of turns made.
Cells are axial coordinates about the middle."""

ROLES = ["first", "second"]
SIDE = 4
REACH = range(1 - SIDE, SIDE)
CELLS = [(q, r) for q in REACH for r in REACH if q + r in REACH]
NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
MOST = len(CELLS) // 2 + 1


def start():
    return {}, 0, 0


def options(state):
    """The cells that may be claimed, by the texts of the moves."""
    return {f"(claim {q + SIDE} {r + SIDE})": (q, r) for q, r in CELLS if (q, r) not in state[0]}


def legal(state):
    _, turn, turns = state
    # The pie is a turn of its own, after the first cell.
    moves = ["swap", "keep"] if turns == 1 else list(options(state))
    return [moves, ["noop"]] if turn == 0 else [["noop"], moves]


def play(state, joint):
    owners, turn, turns = state
    move = joint[turn]
    if move == "keep":
        return owners, 1, 2
    if move == "swap":
        return {cell: 1 for cell in owners}, 0, 2
    q, r = options(state)[move]
    others = sum(owners.get((q + a, r + b)) == 1 - turn for a, b in NEIGHBOURS)
    # A cell beside two of the other's gives another turn.
    return {**owners, (q, r): turn}, turn if others >= 2 else 1 - turn, turns + 1


def count(state, role):
    return list(state[0].values()).count(role)


def over(state):
    return count(state, 0) >= MOST or count(state, 1) >= MOST


def goals(state):
    return [100, 0] if count(state, 0) >= MOST else [0, 100]


def fluents(state):
    owners, turn, turns = state
    for (q, r), owner in owners.items():
        yield f"(cell {q + SIDE} {r + SIDE} {ROLES[owner]})"
    for number, role in enumerate(ROLES):
        for n in range(count(state, number)):
            yield f"(count {role} {n + 1})"
    yield f"(control {ROLES[turn]})"
    if turns == 0:
        yield "opening"
    if turns == 1:
        yield "pie"
