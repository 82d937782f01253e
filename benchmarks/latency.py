"""How fast the engine answers: under full load, after long move lists, to junk, and for long.

python benchmarks/latency.py
"""

import argparse
import os
import random
import shlex
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from harmonies_core import Dealer, Rules
from harmonies_core.search.searcher import search

ENGINE = f"{shlex.quote(sys.executable)} -m engine_cli.engine"


class Engine:
    """An engine as a child process; `ask` returns the milliseconds until the answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.out = os.fdopen(os.dup(self.process.stdout.fileno()), "rb")
        self.options = []
        self.tell("uhi")
        while (line := self.out.readline()) != b"uhiok\n":
            self.options.append(line.decode().strip())
        self.ask("isready", b"readyok")

    def tell(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def wait(self, start):
        while not (line := self.out.readline()).startswith(start):
            if not line:
                raise SystemExit("the engine ended")
        return line

    def ask(self, line, start):
        began = time.perf_counter()
        self.tell(line)
        self.wait(start)
        return 1000 * (time.perf_counter() - began)

    def search(self, background):
        """Begin to search without an end.

        An engine that has no algorithm that lasts counts turns instead, in the background.
        """
        algorithms = next(x for x in self.options if " Algorithm " in x)
        for name in ("mcts", "expectimax"):
            if f" var {name}" in algorithms:
                self.tell(f"setoption name Algorithm value {name}")
                background = False
        self.tell("perft 9" if background else "go infinite")

    def memory(self):
        """Resident memory in KiB, or None where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return None
        return int(status.read_text().partition("VmRSS:")[2].split()[0])

    def quit(self):
        self.tell("quit")
        self.process.wait()


def show(name, times):
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    print(
        f"{name:58} p50 {cuts[49]:7.2f}  p99 {cuts[98]:7.2f}  max {max(times):7.2f} ms", flush=True
    )


def under_load(command, rounds, more):
    """`isready` and `stop` of one engine while others search, so many more than there are cores."""
    cores = os.cpu_count() or 1
    others = [Engine(command) for _ in range(cores - 1 + more)]
    engine = Engine(command)
    rng = random.Random(0)
    ready, stop = [], []
    for other in others:
        other.search(background=True)
    for _ in range(rounds):
        engine.search(background=False)
        time.sleep(rng.uniform(0.001, 0.01))
        ready.append(engine.ask("isready", b"readyok"))
        time.sleep(rng.uniform(0.001, 0.01))
        stop.append(engine.ask("stop", b"bestmove"))
    for each in (engine, *others):
        each.quit()
    searches = f"{cores + more} searches on {cores} cores"
    show(f"isready, {searches}", ready)
    show(f"stop to bestmove, {searches}", stop)


def long_game(turns):
    """The seed of a game of four that lasts so many turns, and its moves with chance parts."""
    for seed in range(1000):
        dealer = Dealer(Rules(4, "A"), seed)
        position = dealer.start()
        moves = []
        while position.phase == "turn" and len(moves) < turns:
            moves.append(str(search(position)[0].turn))
            position.push(moves[-1])
            if position.phase == "chance":
                text = dealer.deal(position)
                position.push_chance(text)
                moves[-1] += f"/{text}"
        if len(moves) == turns:
            return seed, moves
    raise SystemExit(f"no game of {turns} turns found")


def positions(command, rounds):
    """`position` with 36 turns: new, extended by one, repeated, and without chance parts."""
    seed, moves = long_game(36)
    engine = Engine(command)
    line = f"position startpos moves {' '.join(moves)}"
    shorter = f"position startpos moves {' '.join(moves[:-1])}"
    bare = f"position startpos moves {' '.join(move.partition('/')[0] for move in moves)}"
    new, extended, repeated, dealt = [], [], [], []

    def timed(text):
        began = time.perf_counter()
        engine.tell(text, "isready")
        answer = engine.out.readline()
        if answer != b"readyok\n":
            raise SystemExit(answer.decode())
        return 1000 * (time.perf_counter() - began)

    def forget():
        engine.tell(f"newgame seed {seed + 1}", f"newgame players 4 seed {seed}")
        engine.ask("isready", b"readyok")

    for _ in range(rounds):
        forget()
        new.append(timed(line))
        repeated.append(timed(line))
        forget()
        dealt.append(timed(bare))
        timed(shorter)
        extended.append(timed(line))
    engine.quit()
    show("position, 36 turns, new", new)
    show("position, 36 turns without chance parts, new", dealt)
    show("position, 36 turns, one more than before", extended)
    show("position, 36 turns, as before", repeated)


def memory(command, searches):
    """Resident memory while one session searches again and again."""
    engine = Engine(command)
    steps = 10
    shown = []
    for step in range(steps + 1):
        if step:
            for _ in range(searches // steps):
                engine.ask("go nodes 1", b"bestmove")
        shown.append(engine.memory())
    engine.quit()
    print(f"resident memory every {searches // steps} go nodes 1, KiB: {' '.join(map(str, shown))}")


def junk(command, lines):
    """Lines that are no requests, each answered by an error, as fast as the reader takes them."""
    rng = random.Random(0)
    kinds = [
        lambda: "".join(chr(rng.randint(33, 126)) for _ in range(rng.randint(1, 60))),
        lambda: f"go nodes {rng.random()}",
        lambda: "position hfen " + "x" * rng.randint(1, 40),
        lambda: f"setoption name {rng.random()} value 1",
        lambda: f"query {rng.random()}",
    ]
    text = "".join(rng.choice(kinds)() + "\n" for _ in range(lines)).encode()
    engine = Engine(command)
    began = time.perf_counter()

    def write():
        for start in range(0, len(text), 65536):
            chunk = memoryview(text)[start : start + 65536]
            while chunk:
                chunk = chunk[engine.process.stdin.write(chunk) :]
        engine.tell("isready")

    writer = threading.Thread(target=write)
    writer.start()
    answers = 0
    while not (line := engine.out.readline()).startswith(b"readyok"):
        answers += line.startswith(b"error ")
    passed = time.perf_counter() - began
    writer.join()
    engine.quit()
    print(f"junk: {lines} lines, {answers} answers, {lines / passed:,.0f} lines a second")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=ENGINE, help="command that starts it")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--searches", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=500_000)
    options = parser.parse_args()
    under_load(options.engine, options.rounds, 0)
    under_load(options.engine, options.rounds, 1)
    positions(options.engine, max(2, options.rounds // 5))
    memory(options.engine, options.searches)
    junk(options.engine, options.lines)


if __name__ == "__main__":
    main()
