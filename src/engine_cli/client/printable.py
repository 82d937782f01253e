"""Lines of an engine in messages for people."""

__all__ = ["printable"]


def printable(text: str, longest: int) -> str:
    """The text, cut to so many characters, with nothing in it that a terminal would obey."""
    cut = text if len(text) <= longest else f"{text[: longest - 3]}..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)
