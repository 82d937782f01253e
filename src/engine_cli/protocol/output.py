"""The way out: whole lines, flushed, from any thread, to a peer that may go away."""

import os
import stat
import sys
import threading
import time
from contextlib import suppress
from typing import Protocol, TextIO

__all__ = ["Output", "Sink"]


class Sink(Protocol):
    """What lines are written to: a binary file is one."""

    def write(self, data: bytes, /) -> object:
        """Take all of the data."""
        ...

    def flush(self) -> object:
        """Hand over what was written."""
        ...


class Output:
    """Writes protocol lines. Hold `lock` to let lines and a change of state be one event."""

    def __init__(self, sink: Sink) -> None:
        self.lock = threading.RLock()
        self.closed = False
        """Whether the peer is gone. Lines are dropped from then on."""
        self._sink = sink
        self._log: TextIO | None = None
        self._start = time.monotonic()

    def line(self, text: str) -> None:
        """Write one line."""
        self.lines((text,))

    def lines(self, texts: tuple[str, ...] | list[str]) -> None:
        """Write some lines with nothing between them."""
        if not texts:
            return
        data = ("\n".join(texts) + "\n").encode("utf-8", "backslashreplace")
        with self.lock:
            if self.logging:
                for text in texts:
                    self.note("<", text)
            if self.closed:
                return
            try:
                self._sink.write(data)
                self._sink.flush()
            except (OSError, ValueError):
                self.closed = True

    @property
    def logging(self) -> bool:
        """Whether there is a log file."""
        return self._log is not None

    def open_log(self, path: str) -> None:
        """Append all lines, in and out, to this file from now on; "" ends it. Raises OSError."""
        new = _open_log(path) if path else None
        with self.lock:
            old, self._log = self._log, new
            if old is not None:
                old.close()

    def note(self, mark: str, text: str) -> None:
        """Write a line to the log file, if there is one."""
        with self.lock:
            if self._log is None:
                return
            try:
                self._log.write(f"{time.monotonic() - self._start:.3f} {mark} {text}\n")
                self._log.flush()
            except (OSError, ValueError) as problem:
                self._log = None
                sys.stderr.write(f"log file given up: {problem}\n")


def _open_log(path: str) -> TextIO:
    """Open a file to append to; what would make the session wait, such as a pipe, is refused."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(f"{path}: no regular file")
    return open(path, "a", encoding="utf-8", errors="backslashreplace")


def discard_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush cannot fail."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
