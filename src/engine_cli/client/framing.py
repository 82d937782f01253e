"""Bytes to lines, whatever an engine prints."""

from typing import Final

__all__ = ["Cut", "LineBuffer"]

_PIECE: Final = 4096


class Cut(str):
    """The beginning of a line that was too long; `pieces` tells how much of it came."""

    pieces: int = 1


class LineBuffer:
    """Collects what arrives and hands out whole lines as text without their ends."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rest = bytearray()
        self._skipping = False

    @property
    def rest(self) -> str:
        """A line that has begun and not ended."""
        return decode(bytes(self._rest[:_PIECE]))

    def feed(self, data: bytes) -> list[str]:
        """The lines that these bytes complete. What is too long is handed out in `Cut` pieces."""
        lines: list[str] = []
        *whole, rest = data.split(b"\n")
        for part in whole:
            if self._rest or self._skipping:
                part = bytes(self._rest) + part
                self._rest.clear()
            if self._skipping:
                self._skipping = False
                continue
            lines.append(decode(part) if len(part) <= self._longest else _cut(part))
        if self._skipping:
            if rest:
                lines.append(_cut(rest))
        else:
            self._rest += rest
            if len(self._rest) > self._longest:
                lines.append(_cut(self._rest))
                self._rest.clear()
                self._skipping = True
        return lines


def decode(data: bytes) -> str:
    """Text of a line; bytes that are not UTF-8 are shown as backslash escapes."""
    return data.decode("utf-8", "backslashreplace").removesuffix("\r")


def _cut(data: bytes | bytearray) -> Cut:
    text = Cut(decode(bytes(data[:_PIECE])))
    text.pieces = 1 + len(data) // _PIECE
    return text
