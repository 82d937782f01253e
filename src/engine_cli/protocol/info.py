"""`info` lines: what a search says on its way."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.output import Output

if TYPE_CHECKING:
    from harmonies_core.search.searcher import Line

__all__ = ["Reporter", "info_line"]

_PAUSE: Final = 0.1


def info_line(line: "Line", rank: int, seat: int) -> str:
    """One candidate turn of the search."""
    wins, draws, losses = line.wdl
    words = [
        f"info depth {line.depth} seldepth {line.seldepth} multipv {rank}",
        f"score cp {line.seats[seat - 1]} seats {' '.join(map(str, line.seats))} sd {line.sd}",
        f"wdl {wins} {draws} {losses} nodes {line.nodes}",
    ]
    if line.time > 0:
        words.append(f"nps {line.nodes * 1000 // line.time}")
    words.append(f"time {line.time} pv {' '.join(map(str, line.pv))}")
    return " ".join(words)


class Reporter:
    """Prints the lines of a search, not more often than a client can use them."""

    def __init__(self, output: Output, seat: int) -> None:
        self._output = output
        self._seat = seat
        self._printed: list[tuple[object, ...]] = []
        self._next = time.monotonic() + _PAUSE

    def now_and_then(self, lines: "Sequence[Line]") -> None:
        """Print the lines unless some were printed a moment ago."""
        if time.monotonic() >= self._next:
            self.print(lines)

    def print(self, lines: "Sequence[Line]") -> None:
        """Print the lines unless they were the last ones printed."""
        # Time goes on; that alone is no news.
        said: list[tuple[object, ...]] = [
            (line.pv, line.seats, line.wdl, line.depth, line.nodes) for line in lines
        ]
        if said != self._printed:
            self._output.lines(
                [info_line(line, rank, self._seat) for rank, line in enumerate(lines, 1)]
            )
        self._printed = said
        self._next = time.monotonic() + _PAUSE
