"""A transport without a process, for tests: what is expected, and what is answered."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from engine_cli.client.transport import End, TransportClosed

__all__ = ["GREETING", "AsyncScriptedTransport", "ScriptedTransport"]

#: What an engine without options says until a client is content with it.
GREETING: Final = (
    ("uhi", "id name Test\nid author Nobody\nprotocol 1\nuhiok\n"),
    ("isready", "readyok\n"),
)


class ScriptedTransport:
    r"""Plays a script of pairs: a request, and the output that follows it.

    The output is given as it is, line ends included, to have parts of lines and bad bytes too.
    None as output is the end of the process, with `status`. A request that is not the one
    expected raises AssertionError. No time passes: where nothing is left to read, waiting ends
    at once as if all of the time had passed.

        with Engine(ScriptedTransport([*GREETING, ("query turn", "response turn 1 1\n")])) as e:
            assert e.query("turn") == "1 1"
    """

    def __init__(
        self,
        script: Iterable[tuple[str, str | bytes | None]],
        *,
        status: int | None = 0,
        stderr: Iterable[str] = (),
    ) -> None:
        self._script = deque(script)
        self._output: deque[bytes] = deque()
        self._errors = list(stderr)
        self._status = status
        self._ended = False
        self.killed = False
        """Whether `kill` was called."""

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Take requests; see `Transport`."""
        if self._ended:
            raise TransportClosed
        for request in data.decode().splitlines():
            self._take(request)
        return True

    def _take(self, request: str) -> None:
        if request == "quit" and not (self._script and self._script[0][0] == "quit"):
            self._ended = True
            return
        assert self._script, f"{request!r} was sent after the end of the script"
        expected, output = self._script.popleft()
        assert request == expected, f"expected {expected!r}, sent was {request!r}"
        if output is None:
            self._ended = True
        elif output:
            self._output.append(output.encode() if isinstance(output, str) else output)

    def receive(self, timeout: float | None) -> bytes | None:
        """Give output; see `Transport`."""
        if self._output:
            return self._output.popleft()
        if self._ended:
            raise TransportClosed
        assert timeout is not None, "nothing would ever come"
        return None

    def wait(self, timeout: float | None) -> bool:
        """Whether it has ended; see `Transport`."""
        return self._ended

    def kill(self) -> End:
        """End; see `Transport`."""
        self.killed = True
        lines, self._errors = self._errors, []
        return (self._status if self._ended else None), lines

    def finish(self) -> None:
        """Assert that all of the script was played."""
        assert not self._script, f"{self._script[0][0]!r} was never sent"


class AsyncScriptedTransport:
    """The same for the asyncio client."""

    def __init__(self, script: ScriptedTransport) -> None:
        self._script = script

    async def send(self, data: bytes, timeout: float | None) -> bool:
        """Take requests."""
        return self._script.send(data, timeout)

    async def receive(self, timeout: float | None) -> bytes | None:
        """Give output."""
        return self._script.receive(timeout)

    async def wait(self, timeout: float | None) -> bool:
        """Whether it has ended."""
        return self._script.wait(timeout)

    async def kill(self) -> End:
        """End."""
        return self._script.kill()

    def abort(self) -> None:
        """End."""
        self._script.kill()
