"""The pipes of a child process, read without a thread where the system can wait for several."""

import os
import select
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from engine_cli.client.transport import TransportClosed

__all__ = ["Pipes", "PolledPipes", "open_pipes"]

_CHUNK: Final = 65536
_MOST_EARLY: Final = 4 * 2**20


class Pipes(Protocol):
    """Standard input, output and error of a process."""

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Write all; False if that was not possible in time. Raises TransportClosed."""
        ...

    def receive(self, timeout: float | None) -> bytes | None:
        """Read some output; None after the timeout, b"" at the end."""
        ...

    def close_input(self) -> None:
        """Let the process see the end of its input."""
        ...

    def drain(self) -> None:
        """Read what is left of standard error, without waiting."""
        ...

    def close(self) -> None:
        """Close all of them."""
        ...


def open_pipes(process: subprocess.Popen[bytes], errors: Callable[[bytes], None]) -> Pipes:
    """The pipes of a process. Its standard error is given to `errors` while others are used."""
    if hasattr(select, "poll"):
        return PolledPipes(process, errors)
    from engine_cli.client.threaded import ThreadedPipes

    return ThreadedPipes(process, errors)


class PolledPipes:
    """For systems whose `poll` knows pipes. An exchange costs three system calls."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Callable[[bytes], None]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._files = (process.stdin, process.stdout, process.stderr)
        self._in, self._out, self._err = (file.fileno() for file in self._files)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._errors = errors
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._ended = False
        # What arrived while something was written.
        self._early: list[bytes] = []

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Write; see `Pipes`. Output is read meanwhile, so that neither waits for the other."""
        rest = memoryview(data)
        deadline = None
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
                continue
            except BlockingIOError:
                pass
            except (OSError, ValueError):
                raise TransportClosed from None
            if deadline is None and timeout is not None:
                deadline = time.monotonic() + timeout
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            self._wait_to_write(left)
        return True

    def _wait_to_write(self, timeout: float | None) -> None:
        reading = not self._ended and sum(map(len, self._early)) < _MOST_EARLY
        poll = select.poll()
        poll.register(self._in, select.POLLOUT)
        if reading:
            poll.register(self._out, select.POLLIN)
        if self._err >= 0:
            poll.register(self._err, select.POLLIN)
        poll.poll(None if timeout is None else timeout * 1000)
        self._read_errors()
        data = self._read() if reading else None
        if data:
            self._early.append(data)

    def receive(self, timeout: float | None) -> bytes | None:
        """Read; see `Pipes`."""
        if self._early:
            return self._early.pop(0)
        data = self._read()
        if data is not None or timeout == 0:
            return data
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            events = self._poll.poll(None if left is None else left * 1000)
            if not events:
                return None
            for number, _ in events:
                if number == self._err:
                    self._read_errors()
            data = self._read()
            if data is not None:
                return data

    def close_input(self) -> None:
        """Close standard input."""
        with suppress(OSError):
            self._files[0].close()
        self._in = -1

    def drain(self) -> None:
        """Read what is left of standard error."""
        for _ in range(64):
            if not self._read_errors():
                break

    def close(self) -> None:
        """Close all."""
        for file in self._files:
            with suppress(OSError):
                file.close()

    def _read(self) -> bytes | None:
        if self._ended:
            return b""
        try:
            data = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._ended = True
            with suppress(KeyError, ValueError):
                self._poll.unregister(self._out)
        return data

    def _read_errors(self) -> bool:
        if self._err < 0:
            return False
        try:
            data = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if data:
            self._errors(data)
            return True
        self._poll.unregister(self._err)
        self._err = -1
        return False
