"""`info` lines as values."""

from dataclasses import dataclass
from typing import Final

__all__ = ["Info", "parse_info"]


@dataclass(frozen=True, slots=True)
class Info:
    """What a search says about one of its turns. None where the engine did not say.

    Points are expected points at the end of the game.
    """

    multipv: int = 1
    """Rank of the turn, 1 is best."""
    depth: int | None = None
    seldepth: int | None = None
    score: float | None = None
    """Points of the seat to move."""
    seats: tuple[float, ...] = ()
    """Points of every seat."""
    sd: float | None = None
    """Standard deviation of `score`."""
    wdl: tuple[int, int, int] | None = None
    """Win, draw and loss of the seat to move, per mille."""
    nodes: int | None = None
    nps: int | None = None
    time: int | None = None
    """Milliseconds."""
    hashfull: int | None = None
    """Per mille."""
    pv: tuple[str, ...] = ()
    """Turns, the first is the one that is valued."""
    string: str | None = None
    """Free text; nothing else is set then."""


_NUMBERS: Final = frozenset(
    ["multipv", "depth", "seldepth", "sd", "nodes", "nps", "time", "hashfull"]
)


def parse_info(text: str) -> Info:
    """Read what follows the word ``info``. Raises ValueError; skips words it does not know."""
    if text.startswith("string"):
        return Info(string=text[7:])
    found: dict[str, object] = {}
    words = text.split()
    at, end = 0, len(words)
    try:
        while at < end:
            word = words[at]
            at += 1
            if word in _NUMBERS:
                number = int(words[at])
                found[word] = number / 100 if word == "sd" else number
                at += 1
            elif word == "pv":
                found["pv"] = tuple(words[at:])
                break
            elif word == "score":
                if words[at] != "cp":
                    raise ValueError("score without cp")
                found["score"] = int(words[at + 1]) / 100
                at += 2
            elif word == "seats":
                first = at
                while at < end and words[at].lstrip("-").isdecimal():
                    at += 1
                if at == first:
                    raise ValueError("seats without points")
                found["seats"] = tuple(int(points) / 100 for points in words[first:at])
            elif word == "wdl":
                win, draw, loss = words[at : at + 3]
                found["wdl"] = (int(win), int(draw), int(loss))
                at += 3
    except (IndexError, ValueError) as error:
        raise ValueError(f"not an info line: {error}") from None
    return Info(**found)  # type: ignore[arg-type]
