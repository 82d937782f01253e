"""Play Harmonies in a terminal against any UHI engine.

python examples/minimal_gui.py --players 3 --side B --spirits --seat 2 --seed 7

This program knows what the lines of docs/protocol.md look like and nothing of the rules: what
may be done, what was dealt, what it is worth and who won is asked from the engine. At the prompt
type the number of an action, or its text.
"""

import argparse
import re
import shlex
import subprocess
import sys


class Engine:
    """An engine as a child process."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
        except OSError as error:
            sys.exit(f"cannot start the engine: {error}")
        self.ask("uhi", "uhiok")

    def tell(self, request):
        """Send a request that has no answer."""
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
        except OSError:
            sys.exit("the engine is gone")

    def ask(self, request, start):
        """Send a request; return what follows `start` in the line that answers it."""
        self.tell(request)
        for line in self.process.stdout:
            if line.startswith(start):
                return line.removeprefix(start).strip()
            if line.startswith("error"):
                sys.exit(f"{request}: {line.strip()}")
        sys.exit("the engine is gone")

    def query(self, what):
        """Ask about the position; the answer as words."""
        return self.ask(f"query {what}", f"response {what}").split()


def draw(engine):
    """Print all that lies on the table."""
    _, *fields = engine.query("hfen")
    points = engine.query("scores")
    for seat, total in enumerate(points, 1):
        landscape, _, cards = fields[seat - 1].partition("|")
        print(f"\nseat {seat}: {total} points, cards {cards}")
        for name, column in zip("abcdefg", landscape.split("/"), strict=False):
            stacks = []
            for text in re.findall("[a-z]*[A-Z][*^]?|[0-9]", column):
                stacks += [text] if not text.isdigit() else ["."] * int(text)
            print("   " + " ".join(f"{name}{row} {text:5}" for row, text in enumerate(stacks, 1)))
    print(f"\nspaces: {fields[len(points)]}   row: {fields[len(points) + 1]}")


def choose(actions):
    """Let the person choose one of the actions."""
    print("  ".join(f"{number}={action}" for number, action in enumerate(actions, 1)))
    while True:
        print("your action: ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word == "quit":
            sys.exit("\ngiven up")
        if word in actions:
            return word
        if re.fullmatch("[0-9]{1,9}", word) and 1 <= int(word) <= len(actions):
            return actions[int(word) - 1]
        print(f"{word!r} is not one of these")


def person(engine, moves):
    """Let the person put a turn together, one action after the other."""
    begun = []
    turn = engine.query("turn")
    while engine.query("turn") == turn and (actions := engine.query("actions")):
        draw(engine)
        print(f"seat {turn[0]}, turn {turn[1]}: {','.join(begun) or '-'}")
        begun.append(choose(actions))
        # the comma keeps the turn open as long as anything can follow, be it only "end"
        comma = "" if begun[-1] == "end" else ","
        engine.tell(f"position startpos moves {' '.join(moves)} {','.join(begun)}{comma}")
    return ",".join(begun)


def play(engine, options):
    """Play one game to its end and say how it ended."""
    setup = f"players {options.players} side {options.side} seed {options.seed}"
    engine.tell(f"newgame {setup} spirits {'on' if options.spirits else 'off'}")
    moves = []
    while engine.query("phase") != ["over"]:
        seat, turn = engine.query("turn")
        if int(seat) == options.seat:
            moves.append(person(engine, moves))
        else:
            moves.append(engine.ask(f"go movetime {options.movetime}", "bestmove"))
            print(f"\nseat {seat}, turn {turn}, plays {moves[-1]}")
        engine.tell(f"position startpos moves {' '.join(moves)}")
        if engine.query("phase") == ["chance"]:
            moves[-1] += "/" + engine.ask("deal", "response deal")
            print(f"dealt: {moves[-1].partition('/')[2]}")
    draw(engine)
    ranks = engine.query("ranks")
    for seat, points in enumerate(" ".join(engine.query("breakdown")).split("seat ")[1:], 1):
        print(f"\nseat {seat}, rank {ranks[seat - 1]}: {points.partition(' ')[2]}")
    print(f"\nresult: {engine.ask('query result', 'response')}")
    print(f"final position: {' '.join(engine.query('hfen'))}")


def main():
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="harmonies-engine", help="command that starts it")
    parser.add_argument("--players", type=int, default=2, help="1 is solo (default: 2)")
    parser.add_argument("--side", default="A", help="A or B (default: A)")
    parser.add_argument("--spirits", action="store_true", help="with Nature's Spirits")
    parser.add_argument("--seed", type=int, default=0, help="of the deal (default: 0)")
    parser.add_argument("--seat", type=int, default=1, help="yours; 0: only watch (default: 1)")
    parser.add_argument("--movetime", type=int, default=500, help="ms a turn (default: 500)")
    options = parser.parse_args()
    engine = Engine(shlex.split(options.engine))
    play(engine, options)
    engine.tell("quit")


if __name__ == "__main__":
    main()
