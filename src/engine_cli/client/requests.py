"""The texts of requests."""

from collections.abc import Iterable
from typing import Protocol

__all__ = ["PositionLike", "newgame_request", "position_request", "setoption_request"]


class _HasHfen(Protocol):
    def hfen(self) -> str:
        """The position as text."""
        ...


#: ``startpos``, the text of a position, or an object with a method `hfen`.
PositionLike = str | _HasHfen


def position_request(position: PositionLike, moves: Iterable[object] = ()) -> str:
    """`position` with the turns played from there."""
    text = position if isinstance(position, str) else position.hfen()
    request = "position startpos" if text == "startpos" else f"position hfen {text}"
    played = " ".join(map(str, moves))
    return one_line(f"{request} moves {played}" if played else request)


def setoption_request(name: str, value: str) -> str:
    """`setoption`."""
    return one_line(f"setoption name {name} value {value}")


def newgame_request(
    players: int | None, side: str | None, spirits: bool | None, packs: str | None, seed: int | None
) -> str:
    """`newgame`; what is None is left to the engine."""
    words = ["newgame"]
    if players is not None:
        words.append("solo" if players == 1 else f"players {players}")
    if side is not None:
        words.append(f"side {side}")
    if spirits is not None:
        words.append(f"spirits {'on' if spirits else 'off'}")
    if packs is not None:
        words.append(f"packs {packs}")
    if seed is not None:
        words.append(f"seed {seed}")
    return one_line(" ".join(words))


def one_line(request: str) -> str:
    """The request, checked. Raises ValueError if it would be more than one line, or none."""
    if "\n" in request or "\r" in request:
        raise ValueError(f"a request is one line, not {request!r}")
    if not request.strip():
        raise ValueError("a request needs a word")
    return request
