"""`query`: everything a client can ask about the position, one line each."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.words import quote

if TYPE_CHECKING:
    from harmonies_core import Position

__all__ = ["QUERIES", "answer"]


def _yes(value: bool) -> str:
    return "true" if value else "false"


def _gameover(position: "Position") -> str:
    return _yes(position.is_over())


def _p1turn(position: "Position") -> str:
    return _yes(position.seat == 1)


def _result(position: "Position") -> str:
    if not position.is_over():
        return "none"
    winners = position.result().winners
    return f"p{winners[0]}win" if len(winners) == 1 else "draw"


def _players(position: "Position") -> str:
    return str(position.rules.players)


def _turn(position: "Position") -> str:
    return f"{position.seat} {position.turn}"


def _phase(position: "Position") -> str:
    return position.phase


def _scores(position: "Position") -> str:
    return " ".join(str(score.total) for score in position.scores())


def _breakdown(position: "Position") -> str:
    words: list[str] = []
    for seat, score in enumerate(position.scores(), 1):
        words += ["seat", str(seat)]
        for name, points in score.as_dict().items():
            words += [name, str(points)]
    suns = position.result().suns
    return " ".join(words if suns is None else [*words, "suns", str(suns)])


def _ranks(position: "Position") -> str:
    return " ".join(map(str, position.result().ranks))


def _actions(position: "Position") -> str:
    return " ".join(map(str, position.actions()))


def _moves(position: "Position") -> str:
    return " ".join(map(str, position.turns()))


def _chance(position: "Position") -> str:
    if position.phase != "chance":
        return "none"
    pending = position.pending()
    return f"spaces {pending.spaces} cards {pending.cards} pair {int(pending.pair)}"


def _hfen(position: "Position") -> str:
    return position.hfen()


def _key(position: "Position") -> str:
    return f"{position.key() & (2**64 - 1):016x}"


QUERIES: Final[dict[str, "Callable[[Position], str]"]] = {
    "gameover": _gameover,
    "p1turn": _p1turn,
    "result": _result,
    "players": _players,
    "turn": _turn,
    "phase": _phase,
    "scores": _scores,
    "breakdown": _breakdown,
    "ranks": _ranks,
    "actions": _actions,
    "moves": _moves,
    "chance": _chance,
    "hfen": _hfen,
    "key": _key,
}

#: Only these are answered with the value alone, as managers of other games expect.
_BARE: Final = frozenset({"gameover", "p1turn", "result"})


def answer(what: str, position: "Position") -> str:
    """The answer line."""
    query = QUERIES.get(what)
    if query is None:
        raise RequestError("syntax", f"no query {quote(what)}; there are {' '.join(QUERIES)}")
    value = query(position)
    return f"response {value}" if what in _BARE else f"response {what} {value}".rstrip()
