"""`perft`, which can be stopped: the same numbers as `harmonies_core.perft`."""

from typing import TYPE_CHECKING

from engine_cli.protocol.failure import RequestError

if TYPE_CHECKING:
    from harmonies_core import Position
    from harmonies_core.search.searcher import StopFlag

__all__ = ["count_turns"]


def count_turns(position: "Position", depth: int, stop: "StopFlag") -> int:
    """Number of sequences of `depth` turns, refills dealt from seed 0 at every turn."""
    from harmonies_core import Dealer

    turns = position.turns()
    if depth == 1:
        return len(turns)
    dealer = Dealer.for_position(position)
    total = 0
    for turn in turns:
        if stop.is_set():
            raise RequestError("stopped", "perft was stopped")
        after = position.copy()
        after.push(turn)
        if after.phase == "chance":
            after.push_chance(dealer.copy().deal(after))
        total += count_turns(after, depth - 1, stop)
    return total
