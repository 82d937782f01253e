"""The way in: lines of bytes, whatever they hold and however long they are."""

from collections.abc import Iterator
from typing import Final, Protocol

__all__ = ["MAX_LINE", "LineSource", "TooLong", "read_lines"]

#: Longest request in bytes. All turns of a first move as ``searchmoves`` are about 3 MB.
MAX_LINE: Final = 16 * 2**20


class LineSource(Protocol):
    """What requests are read from: a binary file is one."""

    def readline(self, limit: int, /) -> bytes:
        """The next line, or its next `limit` bytes; empty at the end."""
        ...


class TooLong:
    """Stands for a line that was longer than `MAX_LINE` and was skipped."""


def read_lines(source: LineSource) -> Iterator[bytes | TooLong]:
    """Yield the lines without their line ends, until the input ends or breaks."""
    while True:
        try:
            line = source.readline(MAX_LINE + 1)
            too_long = len(line) > MAX_LINE
            while len(line) > MAX_LINE and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE + 1)
        except (OSError, ValueError):
            return
        if too_long:
            yield TooLong()
        elif line:
            yield line.rstrip(b"\r\n")
        else:
            return
