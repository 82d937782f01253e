"""The arguments of `go`."""

from dataclasses import dataclass
from typing import Final

from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.words import MAX_COUNT, MAX_MS, Words, quote

__all__ = ["DEPTH", "MAX_MULTIPV", "MOVETIME", "NODES", "Clock", "Go", "parse_go"]

# The least and the most of each limit, the same wherever a search is asked for.
NODES: Final = (1, MAX_COUNT)
MOVETIME: Final = (0, MAX_MS)
# Managers of other games may ask for depth 0; one turn is the least there is.
DEPTH: Final = (0, 1000)
MAX_MULTIPV: Final = 500
_MAX_TOGO: Final = 1000
_SEATS: Final = ("1", "2", "3", "4")
_KEYWORDS: Final = frozenset(
    ["movetime", "nodes", "depth", "infinite", "ponder", "clock", "togo", "searchmoves", "multipv"]
    + [f"p{seat}{what}" for seat in _SEATS for what in ("time", "inc")]
)


@dataclass(frozen=True)
class Clock:
    """Milliseconds left and added for each turn."""

    left: int
    increment: int


@dataclass
class Go:
    """What `go` asked for; None where it did not say."""

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    multipv: int | None = None
    infinite: bool = False
    ponder: bool = False
    clock: Clock | None = None
    """The clock of the seat to move."""
    togo: int | None = None
    searchmoves: list[str] | None = None

    @property
    def unlimited(self) -> bool:
        """Whether nothing but `stop` ends the search."""
        limits = (self.movetime, self.nodes, self.depth, self.clock)
        return all(limit is None for limit in limits)


def parse_go(words: Words, seat: int) -> Go:
    """Read the arguments, for a search by this seat."""
    go = Go()
    times: dict[int, int] = {}
    increments: dict[int, int] = {}
    while words:
        key = words.keyword()
        if key not in _KEYWORDS:
            raise RequestError("syntax", f"go does not take {quote(key)}")
        if key == "movetime":
            go.movetime = words.integer(key, *MOVETIME)
        elif key == "nodes":
            go.nodes = words.integer(key, *NODES)
        elif key == "depth":
            go.depth = max(1, words.integer(key, *DEPTH))
        elif key == "multipv":
            go.multipv = words.integer(key, 1, MAX_MULTIPV)
        elif key == "infinite":
            go.infinite = True
        elif key == "ponder":
            go.ponder = True
        elif key == "clock":
            left = words.integer("clock time", 0, MAX_MS)
            go.clock = Clock(left, words.integer("clock increment", 0, MAX_MS))
        elif key == "togo":
            go.togo = words.integer(key, 1, _MAX_TOGO)
        elif key == "searchmoves":
            go.searchmoves = words.until(_KEYWORDS)
            if not go.searchmoves:
                raise RequestError("syntax", "searchmoves needs at least one turn")
        else:
            what = times if key.endswith("time") else increments
            what[int(key[1])] = words.integer(key, 0, MAX_MS)
    _settle_clock(go, times, increments, seat)
    return go


def _settle_clock(go: Go, times: dict[int, int], increments: dict[int, int], seat: int) -> None:
    if times or increments:
        if go.clock is not None:
            raise RequestError("syntax", "give clock or the clocks p1time ..., not both")
        if seat not in times:
            raise RequestError("syntax", f"p{seat}time is missing, and seat {seat} is to move")
        go.clock = Clock(times[seat], increments.get(seat, 0))
    if go.togo is not None and go.clock is None:
        raise RequestError("syntax", "togo needs a clock")
    if go.infinite and not go.unlimited:
        raise RequestError("syntax", "infinite does not go together with another limit")
    if go.infinite and go.ponder:
        raise RequestError("syntax", "infinite does not go together with ponder")
