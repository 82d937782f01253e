"""`bench`: a fixed piece of work that shows speed and any change of behaviour."""

import time
import zlib
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.output import Output

if TYPE_CHECKING:
    from harmonies_core import Position
    from harmonies_core.search.searcher import StopFlag

__all__ = ["DEFAULT_NODES", "bench", "bench_positions"]

DEFAULT_NODES: Final = 20_000

# players, side, spirits, packs, seed, turns already played
_GAMES: Final = (
    (2, "A", False, ("base",), 1, 0),
    (2, "A", False, ("base",), 2, 5),
    (2, "A", True, ("base",), 3, 9),
    (2, "B", False, ("base",), 4, 12),
    (1, "A", False, ("base",), 5, 4),
    (3, "A", False, ("base", "pulse"), 6, 11),
    (4, "B", True, ("base",), 7, 14),
)


def bench_positions() -> "list[Position]":
    """The positions: seeded deals, and turns chosen by counting, without any search."""
    return [_walk(*game) for game in _GAMES]


def _walk(
    players: int, side: str, spirits: bool, packs: tuple[str, ...], seed: int, turns: int
) -> "Position":
    from harmonies_core import Dealer, Rules

    dealer = Dealer(Rules(players, side, spirits=spirits, packs=packs), seed)
    position = dealer.start()
    number = seed
    for _ in range(turns):
        while position.phase in ("spirit", "turn"):
            number = (number * 69069 + 1) % 2**32
            actions = position.actions()
            position.push_action(actions[(number >> 16) % len(actions)])
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
    return position


def bench(nodes: int, algorithm: str, output: Output, stop: "StopFlag") -> str:
    """Search every position; the lines on the way are printed, the last one is returned."""
    from harmonies_core.search.searcher import Limit, search

    total = 0
    signature = 0
    positions = bench_positions()
    start = time.perf_counter()
    for number, position in enumerate(positions, 1):
        best = search(position, Limit(nodes=nodes), algorithm=algorithm, stop=stop)[0]
        if stop.is_set():
            raise RequestError("stopped", "bench was stopped")
        total += best.nodes
        signature = zlib.crc32(f"{best.turn} {best.nodes}".encode(), signature)
        output.line(
            f"info string bench {number} of {len(positions)} nodes {best.nodes} turn {best.turn}"
        )
    ms = max(1, round((time.perf_counter() - start) * 1000))
    return f"response bench nodes {total} time {ms} nps {total * 1000 // ms} signature {signature}"
