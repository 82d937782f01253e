"""What is answered: JSON objects, one for each line."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from engine_cli.jsonmode.query import Task
from engine_cli.protocol.failure import one_line

if TYPE_CHECKING:
    from harmonies_core import Position
    from harmonies_core.search.searcher import Line

__all__ = ["as_line", "error", "failure", "no_results", "report", "warning"]

_MAX_FIELD: Final = 100


def as_line(answer: dict[str, Any]) -> str:
    """An answer as one line of ASCII."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)


def error(text: str, *, name: str | None = None, field: str | None = None) -> dict[str, Any]:
    """A line that cannot be met, with the id and the field if there are any."""
    return _about("error", text, name, field)


def warning(text: str, *, name: str, field: str) -> dict[str, Any]:
    """Something odd about a query that is met all the same."""
    return _about("warning", text, name, field)


def _about(word: str, text: str, name: str | None, field: str | None) -> dict[str, Any]:
    answer = {word: one_line(text)}
    if field is not None:
        answer["field"] = field if len(field) <= _MAX_FIELD else f"{field[:_MAX_FIELD]}..."
    if name is not None:
        answer["id"] = name
    return answer


def _head(task: Task, during: bool) -> dict[str, Any]:
    return {"id": task.query.id, "isDuringSearch": during, "turnNumber": task.turn_number}


def no_results(task: Task) -> dict[str, Any]:
    """The final answer about a position that was given up before its search began."""
    return {**_head(task, False), "noResults": True}


def failure(task: Task, problem: Exception) -> dict[str, Any]:
    """The final answer where the engine is at fault."""
    return {**_head(task, False), "noResults": True, "error": one_line(repr(problem))}


def report(task: Task, lines: "Sequence[Line]", *, during: bool) -> dict[str, Any]:
    """The best turns so far, and the position they were found in."""
    root = _root(task)
    if lines:
        best = lines[0]
        root.update(depth=best.depth, seldepth=best.seldepth, nodes=best.nodes, time=best.time)
    seat = task.position.seat
    infos = [_move(line, order, seat) for order, line in enumerate(lines)]
    return {**_head(task, during), "rootInfo": root, "moveInfos": infos}


def _root(task: Task) -> dict[str, Any]:
    position = task.position
    root: dict[str, Any] = {
        "key": f"{position.key() & (2**64 - 1):016x}",
        "phase": position.phase,
        "scores": [score.total for score in position.scores()],
        "seat": position.seat,
        "turn": position.turn,
    }
    if position.is_over():
        root["ranks"] = list(position.result().ranks)
    if task.query.include_position:
        root["position"] = position.hfen()
    if task.query.include_breakdown:
        root["breakdown"] = _breakdown(position)
    return root


def _breakdown(position: "Position") -> list[dict[str, int]]:
    return [score.as_dict() for score in position.scores()]


def _move(line: "Line", order: int, seat: int) -> dict[str, Any]:
    """One candidate turn; points are expected at the end of the game."""
    seats = [value / 100 for value in line.seats]
    return {
        "move": str(line.turn),
        "order": order,
        "points": seats[seat - 1],
        "seats": seats,
        "sd": line.sd / 100,
        "wdl": list(line.wdl),
        "pv": [str(turn) for turn in line.pv],
    }
