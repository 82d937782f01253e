"""Players for matches inside one process, by name.

A name is an algorithm, or `algorithm@limit` with a limit such as `100ms`, `20000n` or `2d`;
`=objective`, `/strength` and `*threads` may follow in any order, `:weights-file` at the end.
`+blind` makes expectimax leave out the other seats.
`handmade` is the hand-made player, `points` and `rush` are simple styles.
"""

import re
import time
from dataclasses import dataclass, field

from harmonies_core import Position, Turn
from harmonies_core.search.greedy import Greedy
from harmonies_core.search.handmade import greedy_lines
from harmonies_core.search.searcher import ALGORITHMS, Limit, make_searcher
from harmonies_core.values.weights import load_weights

STYLES = ("points", "rush")
_UNITS = {"ms": "movetime", "n": "nodes", "d": "depth"}


@dataclass
class Contestant:
    """A player and what its turns cost."""

    name: str
    seconds: float = 0.0
    nodes: int = 0
    turns: int = 0
    longest: float = 0.0
    searcher: object = field(default=None, repr=False)
    limit: Limit = field(default_factory=Limit, repr=False)

    def __post_init__(self) -> None:
        name, _, weights_file = self.name.partition(":")
        parts = re.split(r"([@=/*+])", name)
        algorithm, options = parts[0], dict(zip(parts[1::2], parts[2::2], strict=True))
        if "@" in options:
            number, unit = re.fullmatch(r"(\d+)(ms|n|d)", options["@"]).groups()
            self.limit = Limit(**{_UNITS[unit]: int(number)})
        weights = load_weights(weights_file) if weights_file else None
        if algorithm in ALGORITHMS:
            self.searcher = make_searcher(
                algorithm,
                weights=weights,
                threads=int(options.get("*", 1)),
                objective=options.get("=", "win"),
                strength=int(options.get("/", 10)),
            )
            if options.get("+") == "blind":
                self.searcher.blind = True
        elif algorithm in STYLES:
            self.searcher = Greedy()
            self.searcher.style = algorithm
        elif algorithm != "handmade":
            raise SystemExit(f"no player {algorithm!r}")

    def new_game(self, seed: int) -> None:
        if self.searcher is not None:
            self.searcher.forget()
            self.searcher.seed = seed

    def turn(self, position: Position) -> Turn:
        began = time.perf_counter()
        if self.searcher is None:
            found, nodes = greedy_lines(position)
            turn = found[0][0]
        else:
            # Not `search`, which spends a while on expected replies for people to read.
            found, _, nodes = self.searcher.think(position, self.limit)
            turn = found[0].turn
        passed = time.perf_counter() - began
        self.seconds += passed
        self.longest = max(self.longest, passed)
        self.nodes += nodes
        self.turns += 1
        return turn
