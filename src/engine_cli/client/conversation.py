"""The protocol without a process: bytes in, text to send out, one exchange at a time."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from engine_cli.client.errors import EngineError, EngineStateError, OutputFlood, WrongAnswer
from engine_cli.client.exchange import Exchange, Wait
from engine_cli.client.framing import Cut, LineBuffer
from engine_cli.client.limits import Bounds
from engine_cli.client.search import Search

__all__ = ["Conversation", "Trace"]

_REMEMBERED: Final = 12
_KEPT: Final = 1000  # characters of each remembered line
_WARNINGS: Final = 20
_ANSWERS: Final = frozenset(["uhiok", "readyok", "bestmove", "response"])

#: Called with ``>``, ``<`` or ``!`` and the line sent, received, or found on standard error.
Trace = Callable[[str, str], None]


class Conversation:
    """Gives every line of an engine to the exchange that it belongs to.

    Beside a search one other exchange can be going on. Errors are raised as they are found, with
    the name of the engine, the request and the last lines.
    """

    def __init__(self, name: str, bounds: Bounds, trace: Trace | None = None) -> None:
        self.name = name
        self.search: Search | None = None
        self.exchange: Exchange | None = None
        self._warnings: list[str] = []
        self._bounds = bounds
        self._trace = trace
        self._buffer = LineBuffer(bounds.line)
        self._last: deque[str] = deque(maxlen=_REMEMBERED)
        self._lines = 0
        self._unexpected = 0
        self._warned = 0

    # -- out --------------------------------------------------------------------------------

    def begin(self, exchange: Exchange) -> bytes:
        """Begin an exchange; returns what is to be sent."""
        self.check_free(exchange)
        if isinstance(exchange, Search):
            self.search = exchange
        else:
            self.exchange = exchange
        self._lines = self._unexpected = 0
        exchange.begin()
        return self._encode(exchange.requests)

    @property
    def abandoned(self) -> Exchange | None:
        """An exchange that has to be brought to its end before another one begins."""
        for running in (self.exchange, self.search):
            if running is not None and running.abandoned:
                return running
        return None

    def check_free(self, exchange: Exchange) -> None:
        """Raise EngineStateError if another exchange has to end before this one."""
        running = self.exchange or (self.search if isinstance(exchange, Search) else None)
        if running is not None:
            problem = f"{running.command!r} has to be answered first"
            raise self.error(EngineStateError(problem), exchange.command)

    def pending(self) -> bytes:
        """What has to be sent on behalf of the search."""
        search = self.search
        if search is None or not search.outgoing:
            return b""
        requests, search.outgoing = search.outgoing, []
        return self._encode(requests)

    def say(self, request: str) -> bytes:
        """A request that belongs to no exchange, such as `quit`."""
        return self._encode((request,))

    def _encode(self, requests: Sequence[str]) -> bytes:
        self._last.extend(["> " + request[:_KEPT] for request in requests])
        if self._trace is not None:
            for request in requests:
                self._trace(">", request)
        return ("\n".join(requests) + "\n").encode()

    # -- in ---------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Take what the engine printed. Raises an EngineError if that cannot be an answer."""
        for line in self._buffer.feed(data):
            self._line(line)

    def stderr(self, line: str) -> None:
        """Take a line of standard error."""
        self._last.append("! " + line[:_KEPT])
        if self._trace is not None:
            self._trace("!", line)

    def end(self) -> None:
        """Take note of the end of the output."""
        if self._buffer.rest:
            self._last.append("< " + self._buffer.rest)

    def _line(self, line: str) -> None:
        self._last.append("< " + line[:_KEPT])
        if self._trace is not None:
            self._trace("<", line)
        verb, _, rest = line.partition(" ")
        rest = rest.strip()
        self._count()
        if isinstance(line, Cut):
            self._stray(line, line.pieces)
            return
        try:
            if not self._route(verb, rest):
                if verb in _ANSWERS:
                    raise WrongAnswer(f"nothing was asked that {line!r} could answer")
                if verb != "info":  # which can come at any time
                    self._stray(line, 1 + len(line) // 4096)
        except ValueError as problem:
            self._stray(f"{line} ({problem})", 1)
        except EngineError as problem:
            raise self.error(problem) from None

    def _route(self, verb: str, rest: str) -> bool:
        exchange, search = self.exchange, self.search
        if search is not None and search.beginning and search.receive(verb, rest):
            return True
        if exchange is not None and exchange.receive(verb, rest):
            if exchange.done:
                self.exchange = None
            return True
        if search is not None and search.receive(verb, rest):
            if search.done:
                self.search = None
            return True
        return False

    def _count(self) -> None:
        self._lines += 1
        if self._lines > self._bounds.lines:
            if self.search is not None and self.search.limit.infinite:
                self._lines = 0
                return
            raise self.error(OutputFlood(f"more than {self._bounds.lines} lines for one answer"))

    def _stray(self, line: str, weight: int) -> None:
        self._unexpected += weight
        if self._unexpected > self._bounds.unexpected:
            most = self._bounds.unexpected
            raise self.error(OutputFlood(f"more than {most} lines that are not protocol"))
        self._warned += 1
        if self._warned <= _WARNINGS:
            self.warn(f"unexpected line {line[:200]!r}")
        if self._warned == _WARNINGS:
            self.warn("further unexpected lines are not reported")

    def warn(self, text: str) -> None:
        """Keep a warning."""
        self._warnings.append(f"{self.name}: {text}")

    def take_warnings(self) -> list[str]:
        """The warnings that were not given yet."""
        if not self._warnings:
            return []
        texts, self._warnings = self._warnings, []
        return texts

    # -- errors -----------------------------------------------------------------------------

    @property
    def waiting(self) -> Wait | None:
        """What is awaited."""
        running = self.exchange or self.search
        return None if running is None else running.wait

    @property
    def command(self) -> str:
        """The request whose answer is awaited."""
        running = self.exchange or self.search
        return "" if running is None else running.command

    def error(self, problem: EngineError, command: str = "") -> EngineError:
        """The error with everything that is known here."""
        return problem.locate(self.name, command or self.command, self._last)
