"""Standard error of an engine: the last of it in memory, all of it in a file if wanted."""

import os
from collections import deque
from contextlib import suppress
from typing import BinaryIO, Final

from engine_cli.client.framing import decode

__all__ = ["StderrLog"]

_LINES: Final = 200
_LINE_BYTES: Final = 2000


class StderrLog:
    """Keeps the last 200 lines, each cut after 2000 bytes."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        """Append to this file too. Raises OSError."""
        self._file: BinaryIO | None = None
        if path is not None:
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115 - closed by `close`
        self._kept: deque[str] = deque(maxlen=_LINES)
        self._news: deque[str] = deque(maxlen=_LINES)
        self._rest = b""

    @property
    def text(self) -> str:
        """What is kept."""
        return "\n".join([*self._kept, *([decode(self._rest)] if self._rest else [])])

    def feed(self, data: bytes) -> None:
        """Take what was printed."""
        if self._file is not None:
            with suppress(OSError):  # a full disk is no reason to end a game
                self._file.write(data)
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._keep(line)
        self._rest = rest[:_LINE_BYTES]

    def news(self) -> list[str]:
        """The lines that were not handed out yet."""
        lines = list(self._news)
        self._news.clear()
        return lines

    def close(self) -> None:
        """Take note of the end."""
        if self._rest:
            self._keep(self._rest)
            self._rest = b""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _keep(self, line: bytes) -> None:
        text = decode(line[:_LINE_BYTES])
        self._kept.append(text)
        self._news.append(text)
