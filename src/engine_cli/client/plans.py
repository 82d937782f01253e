"""What the calls of a client mean as exchanges."""

from collections.abc import Iterable, Mapping

from engine_cli.client.exchange import Confirmation, Question
from engine_cli.client.limits import Limit
from engine_cli.client.option import Option
from engine_cli.client.requests import (
    PositionLike,
    newgame_request,
    one_line,
    position_request,
    setoption_request,
)
from engine_cli.client.search import Search

__all__ = ["configuration", "new_game", "question", "search", "set_position"]


def configuration(known: Mapping[str, Option], values: Mapping[str, object]) -> Confirmation:
    """Set options. Raises ValueError for one that was not announced or cannot take the value."""
    requests = []
    for name, value in values.items():
        option = known.get(name.lower())
        if option is None:
            names = ", ".join(o.name for o in known.values())
            raise ValueError(f"the engine has no option {name}; it has {names or 'none'}")
        requests.append(setoption_request(option.name, option.text(value)))
    return Confirmation(requests)


def new_game(
    players: int | None,
    side: str | None,
    spirits: bool | None,
    packs: str | Iterable[str] | None,
    seed: int | None,
) -> Confirmation:
    """Begin a game."""
    joined = packs if packs is None or isinstance(packs, str) else "+".join(packs)
    return Confirmation([newgame_request(players, side, spirits, joined, seed)])


def set_position(position: PositionLike, moves: Iterable[object]) -> Confirmation:
    """Set a position without a search."""
    return Confirmation([position_request(position, moves)])


def question(request: str) -> Question:
    """Ask for one ``response``."""
    return Question(one_line(request))


def search(
    position: PositionLike | None,
    limit: Limit,
    *,
    moves: Iterable[object] = (),
    multipv: int | None = None,
    searchmoves: Iterable[object] = (),
    ponder: bool = False,
    stream: bool = False,
) -> Search:
    """Search a position, or the one that was set last.

    Raises ValueError for a search that would never end, since only a stream can be stopped.
    """
    if limit.infinite and not stream:
        raise ValueError("a search that is waited for needs a limit")
    words = ["go"]
    if ponder:
        words.append("ponder")
    if not ponder or not limit.infinite:
        words.append(limit.words())
    if multipv is not None:
        words.append(f"multipv {multipv}")
    only = " ".join(map(str, searchmoves))
    if only:
        words.append(f"searchmoves {only}")
    requests = () if position is None else (position_request(position, moves),)
    go = one_line(" ".join(words))
    return Search(requests, go, limit=limit, ponder=ponder, stream=stream)
