"""A search: the exchange from `position` and `go` to `bestmove`."""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine_cli.client.errors import MalformedAnswer, WrongAnswer
from engine_cli.client.exchange import Confirmation, Exchange, Wait
from engine_cli.client.info import Info, parse_info
from engine_cli.client.limits import Limit

__all__ = ["PlayResult", "Search"]

_KEPT = 10_000  # infos that nobody has taken yet
_MOST_RANKS = 1000


@dataclass(frozen=True, slots=True)
class PlayResult:
    """How a search ended."""

    turn: str
    """The turn to play, as the engine wrote it."""
    lines: tuple[Info, ...]
    """The last info of each rank, best first; empty if the engine said nothing."""
    elapsed: float
    """Seconds between sending the request and reading the answer."""

    @property
    def info(self) -> Info | None:
        """The last info of the best turn."""
        return self.lines[0] if self.lines else None


class _Stage(Enum):
    POSITION = 1  # until `readyok`, errors are those of the position
    GO = 2
    OVER = 3


class Search(Exchange):
    """`position`, `isready` and `go` in one go; the ``readyok`` tells whose an error is.

    A ``bestmove`` that comes before it answers an older search. A search that was begun although
    its position was refused is stopped, and its answer thrown away.
    """

    def __init__(
        self,
        requests: Sequence[str],
        go: str,
        *,
        limit: Limit,
        ponder: bool = False,
        stream: bool = False,
    ) -> None:
        super().__init__((*requests, "isready", go), go, Wait.READY)
        self._stage = _Stage.POSITION
        self._ranks: dict[int, Info] = {}
        self._began = 0.0
        self.news: deque[Info] | None = deque(maxlen=_KEPT) if stream else None
        """Infos that were not handed out yet."""
        self.outgoing: list[str] = []
        """What has to be sent now."""
        self.result: PlayResult | None = None
        self.stopped = False
        self.limit = limit
        """What ends it."""
        self.pondering = ponder
        """Whether `ponderhit` is awaited."""

    @property
    def beginning(self) -> bool:
        """Whether ``readyok`` is still to come, before any other request is answered."""
        return self._stage is _Stage.POSITION

    @property
    def searching(self) -> bool:
        """Whether `go` was taken up and ``bestmove`` is still to come."""
        return self._stage is _Stage.GO

    def stop(self) -> None:
        """Ask for the answer now."""
        if not self.stopped and not self.done:
            self.stopped = True
            self.outgoing.append("stop")
            if self._stage is _Stage.GO:
                self.wait = Wait.STOPPED

    def begin(self) -> None:
        """Start the clock."""
        self._began = time.perf_counter()

    def outcome(self) -> PlayResult:
        """The result of a search that is done and was not refused."""
        assert self.result is not None
        return self.result

    def abandon(self) -> None:
        """Have it stopped, since nobody waits for the answer any more."""
        super().abandon()
        self.stop()

    def hit(self) -> Confirmation:
        """What ends pondering: the limits hold from then on."""
        self.pondering = False
        return Confirmation(["ponderhit"])

    def receive(self, verb: str, rest: str) -> bool:
        """Take a line."""
        if self._stage is _Stage.POSITION:
            return self._before(verb, rest)
        if verb == "info":
            self._info(rest)
        elif verb == "bestmove":
            self._bestmove(rest)
        elif verb == "error":
            self.refuse(rest)
            self._end()
        else:
            return False
        return True

    def _before(self, verb: str, rest: str) -> bool:
        if verb == "readyok":
            self._stage = _Stage.GO
            self.wait = Wait.STOPPED if self.stopped else Wait.SEARCH
            if self.refusal is not None:
                self.stop()
        elif verb == "error":
            self.refuse(rest, self.requests[0])
        elif verb == "bestmove":
            raise WrongAnswer(f"found bestmove {rest!r} before readyok: it answers no search")
        else:
            return False
        return True

    def _info(self, rest: str) -> None:
        info = parse_info(rest)
        if self.refusal is not None:
            return
        if info.string is None and len(self._ranks) < _MOST_RANKS:
            self._ranks[info.multipv] = info
        if self.news is not None:
            self.news.append(info)

    def _bestmove(self, rest: str) -> None:
        elapsed = time.perf_counter() - self._began
        if self.refusal is None:
            if not rest or " " in rest:
                raise MalformedAnswer(f"expected bestmove and one turn, found {rest!r}")
            lines = tuple(self._ranks[rank] for rank in sorted(self._ranks))
            self.result = PlayResult(rest, lines, elapsed)
        self._end()

    def _end(self) -> None:
        self._stage = _Stage.OVER
        self.done = True
