"""The pipes of a child process on systems that cannot wait for several pipes at once."""

import queue
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final

from engine_cli.client.transport import TransportClosed

__all__ = ["ThreadedPipes"]

_CHUNK: Final = 65536
_WAITING: Final = 64  # chunks; more of them wait in the process


class ThreadedPipes:
    """A thread for each of the three pipes."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Callable[[bytes], None]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._files = (process.stdin, process.stdout, process.stderr)
        self._requests: queue.Queue[bytes] = queue.Queue(1)
        self._output: queue.Queue[bytes] = queue.Queue(_WAITING)
        self._errors = errors
        self._error_chunks: queue.Queue[bytes] = queue.Queue()
        self._ended = False
        self._refused = False
        self._over = False
        for work in (self._write, self._read, self._read_errors):
            threading.Thread(target=work, daemon=True).start()

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Write; see `Pipes`. One request more than was read is taken on credit."""
        if self._refused:
            raise TransportClosed
        try:
            self._requests.put(data, timeout=timeout)
        except queue.Full:
            return False
        return True

    def receive(self, timeout: float | None) -> bytes | None:
        """Read; see `Pipes`."""
        self.drain()
        if self._ended:
            return b""
        try:
            data = self._output.get(timeout != 0, timeout or None)
        except queue.Empty:
            return None
        self._ended = not data
        return data

    def close_input(self) -> None:
        """Close standard input when all was written."""
        with suppress(queue.Full):
            self._requests.put_nowait(b"")

    def drain(self) -> None:
        """Hand over what standard error said."""
        with suppress(queue.Empty):
            while True:
                self._errors(self._error_chunks.get_nowait())

    def close(self) -> None:
        """Close all; the threads end with the process."""
        self._over = True
        with suppress(queue.Empty):
            while True:
                self._output.get_nowait()
        self.close_input()

    def _write(self) -> None:
        file = self._files[0]
        with suppress(OSError, ValueError):
            while data := self._requests.get():
                _write_all(file, data)
        self._refused = True
        with suppress(OSError):
            file.close()

    def _read(self) -> None:
        file = self._files[1]
        with suppress(OSError, ValueError):
            while (data := file.read(_CHUNK)) and not self._over:
                self._output.put(data)
        if not self._over:
            self._output.put(b"")
        file.close()

    def _read_errors(self) -> None:
        file = self._files[2]
        with suppress(OSError, ValueError):
            while data := file.read(_CHUNK):
                self._error_chunks.put(data)
        file.close()


def _write_all(file: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
