#!/usr/bin/env python3
"""Holds rule sheets against programs written from the rules.

usage: verify.py [--matches N] [--seed N] [--ludex COMMAND] [--engine ENGINE] GAME...

Beside this file lies for each game a module written from its rules, not from the sheet. Random
matches of it become traces, and `ludex verify` compares every fact, legal move, percept, end and
goal along them with the sheet's. A module has

    ROLES                 the names of the roles, in the order of the sheet
    start()               the first state, whatever it is
    fluents(state)        what holds, as texts
    legal(state)          for each role its moves, as texts
    play(state, joint)    the state after a joint move, a text for each role
    over(state)           whether the match is over
    goals(state)          what each role gets then
    percepts(state, joint)   if roles see anything: for each role texts
    choose(random, state, legal)   if matches at random miss much of the game: a joint move
"""
import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 5000


def spaced(text):
    """A term as traces have it: parentheses stand apart."""
    return " ".join(text.replace("(", " ( ").replace(")", " ) ").split())


def match(game, number, chance):
    """One match at random, as a line of a trace."""
    state, steps = game.start(), []
    while True:
        step = {"true": sorted(map(spaced, game.fluents(state))), "terminal": bool(game.over(state))}
        steps.append(step)
        if step["terminal"]:
            step["goals"] = list(game.goals(state))
            break
        legal = [sorted(moves) for moves in game.legal(state)]
        assert all(legal), f"a role has no move: {step['true']}"
        assert len(steps) < LONGEST, "a match does not end"
        choose = getattr(game, "choose", None)
        joint = choose(chance, state, legal) if choose else [chance.choice(it) for it in legal]
        step["legal"] = [sorted(map(spaced, moves)) for moves in legal]
        step["does"] = [spaced(move) for move in joint]
        if hasattr(game, "percepts"):
            step["sees"] = [sorted(map(spaced, seen)) for seen in game.percepts(state, joint)]
        state = game.play(state, joint)
    return {"match": number, "roles": list(game.ROLES), "steps": steps, "complete": True}


def verify(name, arguments):
    """Compares the sheet of a game with its module; returns whether they agree."""
    game = importlib.import_module(name.replace("-", "_"))
    chance, states = random.Random(arguments.seed), 0
    rules = os.path.join(HERE, "..", "games", name, "rules.kif")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as trace:
        for number in range(arguments.matches):
            line = match(game, number, chance)
            states += len(line["steps"])
            trace.write(json.dumps(line) + "\n")
        trace.flush()
        command = [*arguments.ludex.split(), "verify", "-q", "--engine", arguments.engine]
        done = subprocess.run([*command, "--game", rules, trace.name], capture_output=True, text=True)
    agrees = done.returncode == 0
    print(f"{name}: {states} states {'agree' if agrees else 'DIFFER'}")
    if not agrees:
        print(done.stdout + done.stderr)
    return agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ludex", default="ludex")
    parser.add_argument("--engine", default="lanes")
    parser.add_argument("games", nargs="+", metavar="GAME")
    arguments = parser.parse_args()
    sys.path.insert(0, HERE)
    sys.exit(not all([verify(name, arguments) for name in arguments.games]))


if __name__ == "__main__":
    main()
