#!/usr/bin/env python3
"""A complete player for the GGP protocol, to start your own from.

It plays any legal move, in every game whose players see all moves. What is legal it asks `ludex`;
the rest is HTTP and a few lists. Run it, and let it play:

    python3 examples/player.py 9148 &
    ludex host tic-tac-toe http://127.0.0.1:9148 uct
"""
import os, random, re, subprocess, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

matches = {}  # by name: our role, the rules, and the joint moves so far


def read(text):
    """Text to nested lists: "(a (b c))" becomes ["a", ["b", "c"]]."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    return stack[0][0]


def write(form):
    """And back to text."""
    return form if isinstance(form, str) else "(" + " ".join(map(write, form)) + ")"


def legal_moves(role, rules, joint_moves):
    """What `ludex show facts` tells of the state after some joint moves."""
    command = [os.environ.get("LUDEX", "ludex"), "show", "facts", "-", "--quiet"]
    after = ["--after", *joint_moves] if joint_moves else []
    shown = subprocess.run(command + after, input=rules, capture_output=True, text=True, check=True)
    facts = map(read, shown.stdout.splitlines())
    return [write(fact[2]) for fact in facts if fact[0] == "legal" and fact[1] == role]


def answer(message):
    """The reply to a message of a manager."""
    kind, *words = read(message)
    kind = kind.lower()
    if kind == "info":
        return "((name Example) (status available))"
    if kind == "start":  # (START match role (rule ...) startclock playclock)
        matches[words[0]] = words[1], " ".join(map(write, words[2])), []
    if kind == "play":  # (PLAY match NIL) at first, then (PLAY match (move ...)), a move of each role
        role, rules, joint_moves = matches[words[0]]
        if isinstance(words[1], list):
            joint_moves.append(" ".join(map(write, words[1])))
        # This is where your player thinks: it has until its clock is over.
        return random.choice(legal_moves(role, rules, joint_moves))
    if kind in ("stop", "abort"):  # (STOP match (move ...)) at the end, (ABORT match) before it
        matches.pop(words[0], None)
        return "done" if kind == "stop" else "aborted"
    return "ready"


class Player(BaseHTTPRequestHandler):
    def do_POST(self):
        message = self.rfile.read(int(self.headers["Content-Length"])).decode()
        reply = answer(message).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)


server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9147), Player)
print(f"Example listens at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
