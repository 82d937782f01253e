"""One run of the engine that is checked, and all that it says."""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from engine_cli.client.command import describe_status
from engine_cli.client.framing import LineBuffer
from engine_cli.client.printable import printable
from engine_cli.client.process import ProcessTransport
from engine_cli.client.stderr import StderrLog
from engine_cli.client.transport import TransportClosed

__all__ = ["Failure", "Notes", "Probe"]

#: First words of what an engine may print.
ANSWERS: Final = frozenset(
    [
        "id",
        "protocol",
        "option",
        "uhiok",
        "ugiok",
        "readyok",
        "info",
        "bestmove",
        "response",
        "error",
    ]
)

_LONGEST: Final = 16 * 2**20
_SHOWN: Final = 12  # lines of a report
_WIDEST: Final = 160  # characters of such a line
_MOST_STRANGE: Final = 1000
_MOST_LINES: Final = 100_000


class Failure(Exception):
    """A step that was not passed: what was expected, and what was said instead."""


@dataclass
class Notes:
    """What is wrong with single lines, whatever the step; kept for steps of their own."""

    untidy: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)


class Probe:
    """A context manager; at the end the process is gone."""

    def __init__(self, command: Sequence[str], timeout: float, notes: Notes) -> None:
        """Start the engine. Raises Failure if it cannot be run."""
        self.timeout = timeout
        self.said: deque[str] = deque(maxlen=_SHOWN)
        """The last lines in both directions."""
        self._notes = notes
        self._stderr = StderrLog()
        self._buffer = LineBuffer(_LONGEST)
        self._lines: deque[str] = deque()
        self._strange = 0
        self._request = ""
        try:
            self._transport = ProcessTransport(command, stderr=self._stderr)
        except OSError as error:
            raise Failure(f"the program cannot be run: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End the process."""
        _, errors = self._transport.kill()
        self._notes.stderr += errors
        self.said.extend(f"! {_short(line)}" for line in errors)

    # -- requests ---------------------------------------------------------------------------

    def send(self, *requests: str) -> None:
        """Send lines."""
        for request in requests:
            self.send_bytes(request.encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        """Send what may be no line at all."""
        self._request = data.decode("utf-8", "backslashreplace").rstrip("\n")
        self.said.append(f"> {_short(self._request)}")
        try:
            if not self._transport.send(data, self.timeout):
                raise Failure(f"does not read {self._request!r} within {self.timeout:g} s")
        except TransportClosed:
            raise self._ended() from None

    def ask(self, request: str, *ends: str) -> list[str]:
        """Send a request and read up to a line that begins with one of these words."""
        self.send(request)
        return self.until(*ends)

    def until(self, *ends: str) -> list[str]:
        """Lines up to one that begins with one of these words, that one included."""
        lines: list[str] = []
        deadline = time.monotonic() + self.timeout
        while len(lines) < _MOST_LINES:
            lines.append(self.read(" or ".join(ends), deadline))
            if lines[-1].split(" ", 1)[0] in ends:
                return lines
        raise Failure(f"more than {_MOST_LINES} lines after {_short(self._request)!r}")

    def quiet(self, *requests: str) -> None:
        """Requests that are answered with nothing."""
        for request in requests:
            self.send(request)
            self.nothing_more(request)

    def nothing_more(self, request: str) -> None:
        """See that nothing comes before the answer to `isready`."""
        *others, _ = self.ask("isready", "readyok")
        if others:
            raise Failure(f"{_short(request)}: expected no answer, found {_short(others[0])!r}")

    def refused(self, request: str | bytes, *codes: str) -> None:
        """A request that is answered with one error of one of these codes."""
        data = request if isinstance(request, bytes) else request.encode()
        self.send_bytes(data + b"\n")
        *others, _ = self.ask("isready", "readyok")
        name = _short(data.decode("utf-8", "backslashreplace"))
        expected = f"{name}: expected error {' or '.join(codes)}"
        if not others:
            raise Failure(f"{expected}, found no answer")
        words = others[0].split(" ")
        if len(others) > 1 or words[0] != "error" or words[1:2] not in [[code] for code in codes]:
            raise Failure(f"{expected}, found {_short(' / '.join(others))!r}")
        if len(words) < 3:
            raise Failure(f"{name}: expected a text after the code, found {others[0]!r}")

    def response(self, request: str, name: str) -> str:
        """The answer to a question without ``response`` and the name of what was asked."""
        (*others, line) = self.ask(request, "response", "error")
        head = f"response {name}".rstrip() + " "
        if others:
            raise Failure(f"{request}: expected one line, found {_short(others[0])!r} before it")
        if not f"{line} ".startswith(head):
            raise Failure(f"{request}: expected {head}..., found {_short(line)!r}")
        return line[len(head) :]

    def search(self, go: str, *, stop: bool = False) -> tuple[list[str], str]:
        """The info lines of a search, and the one turn that ends it."""
        self.send(go, *(["stop"] if stop else []))
        return self.outcome(go)

    def outcome(self, go: str) -> tuple[list[str], str]:
        """The same for a search that was begun before."""
        *infos, last = self.until("bestmove", "error")
        for line in infos:
            if not line.startswith("info "):
                raise Failure(f"{go}: expected info lines and bestmove, found {_short(line)!r}")
        words = last.split(" ")
        if words[0] != "bestmove" or len(words) != 2:
            raise Failure(f"{go}: expected bestmove and one turn, found {_short(last)!r}")
        self.nothing_more(go)
        return infos, words[1]

    # -- the end ----------------------------------------------------------------------------

    def ends(self, how: str) -> list[str]:
        """Wait for the end of the process after it was asked for; returns what it still said."""
        lines = []
        deadline = time.monotonic() + self.timeout
        try:
            while time.monotonic() < deadline:
                if not self._lines:
                    self._receive(max(0.0, deadline - time.monotonic()))
                while self._lines:
                    lines.append(self._lines.popleft())
        except TransportClosed:
            pass
        if not self._transport.wait(max(0.1, deadline - time.monotonic())):
            raise Failure(f"{how}: the process is still there after {self.timeout:g} s")
        status, _ = self._transport.kill()
        if status != 0:
            raise Failure(f"{how}: expected exit status 0, but it {describe_status(status)}")
        return lines

    def close_input(self) -> None:
        """Let the engine see the end of its input."""
        self.said.append("> (end of input)")
        self._transport.close_input()

    # -- lines ------------------------------------------------------------------------------

    def read(self, expected: str, deadline: float | None = None) -> str:
        """The next answer. What is no answer is noted and passed over."""
        if deadline is None:
            deadline = time.monotonic() + self.timeout
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                rest = f" but {_short(self._buffer.rest)!r} without a line end"
                raise Failure(
                    f"expected {expected} after {_short(self._request)!r} within "
                    f"{self.timeout:g} s, found nothing{rest if self._buffer.rest else ''}"
                )
            try:
                self._receive(left)
            except TransportClosed:
                raise self._ended() from None
        return self._lines.popleft()

    def _receive(self, timeout: float) -> None:
        for line in self._buffer.feed(self._transport.receive(timeout) or b""):
            self.said.append(f"< {_short(line)}")
            self._take(line)

    def _take(self, line: str) -> None:
        tidy = line.strip()
        if tidy != line or not tidy:
            self._notes.untidy.append(line)
        verb = tidy.split(" ", 1)[0]
        if verb in ANSWERS:
            self._lines.append(tidy)
            return
        if tidy:
            self._notes.strange.append(tidy)
        self._strange += 1
        if self._strange > _MOST_STRANGE:
            raise Failure(f"more than {_MOST_STRANGE} lines that are no answers")

    def _ended(self) -> Failure:
        status, errors = self._transport.kill()
        self._notes.stderr += errors
        self.said.extend(f"! {_short(line)}" for line in errors)
        how = "closed its output" if status is None else describe_status(status)
        return Failure(f"the engine {how} after {_short(self._request)!r}")


def _short(text: str) -> str:
    return printable(text, _WIDEST)
