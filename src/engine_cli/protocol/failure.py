"""The one way in which a request fails."""

from typing import Final

__all__ = ["CODES", "RequestError", "one_line"]

#: Every code that can follow the word ``error``; docs/protocol.md says what they mean.
CODES: Final = frozenset(
    {
        "unknown",
        "syntax",
        "value",
        "option",
        "position",
        "illegal",
        "nodealer",
        "nochance",
        "nomove",
        "busy",
        "idle",
        "stopped",
        "encoding",
        "long",
        "internal",
    }
)

_MAX_TEXT = 300
_NOTHING = "no reason given"


class RequestError(Exception):
    """A request that cannot be met; becomes the line ``error <code> <text>``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    def line(self) -> str:
        """The answer to the request."""
        return f"error {self.code} {one_line(self.text)}"


def one_line(text: str) -> str:
    """Any text as a short run of printable ASCII with single spaces; never empty."""
    if text.isascii() and text.isprintable() and len(text) <= _MAX_TEXT:
        clean = text.strip()
        return (" ".join(clean.split()) if "  " in clean else clean) or _NOTHING
    words = text[: 4 * _MAX_TEXT].encode("ascii", "backslashreplace").decode("ascii").split()
    clean = "".join(c if c.isprintable() else "?" for c in " ".join(words))
    if len(clean) > _MAX_TEXT:
        clean = clean[: _MAX_TEXT - 3].rstrip() + "..."
    return clean or _NOTHING
