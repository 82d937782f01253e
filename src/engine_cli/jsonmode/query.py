"""A query: positions to analyse, and how."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_cli.jsonmode.fields import Fields
from engine_cli.jsonmode.game import read_line
from engine_cli.jsonmode.settings import read_settings
from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.go import DEPTH, MAX_MULTIPV, MOVETIME, NODES
from engine_cli.protocol.line import Step, deal
from engine_cli.protocol.options import Options
from engine_cli.protocol.whole import whole_turn

if TYPE_CHECKING:
    from harmonies_core import Position, Turn
    from harmonies_core.cards import Pack

__all__ = ["DEFAULT_MOVETIME", "Limits", "Query", "Task", "read_tasks"]

#: Milliseconds for a position whose query has no limits.
DEFAULT_MOVETIME: Final = 1000

_MAX_PRIORITY: Final = 2**31 - 1
_MAX_PAUSE: Final = 86_400.0


@dataclass(frozen=True)
class Limits:
    """When a search ends: the first that is reached. Times in milliseconds."""

    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None


@dataclass(frozen=True)
class Query:
    """What all positions of a query have in common."""

    id: str
    limits: Limits
    options: Options
    multipv: int
    pause: float | None
    """Seconds between two partial answers, None for none."""
    include_position: bool
    include_breakdown: bool


@dataclass(frozen=True)
class Task:
    """One position to analyse."""

    query: Query
    turn_number: int
    priority: int
    position: "Position"
    only: "tuple[Turn, ...] | None"


def read_tasks(name: str, fields: Fields, packs: "dict[str, Pack]") -> list[Task]:
    """Read a query with this id whole, so that nothing can be wrong with it later."""
    options = read_settings(fields.group("options"), packs)
    line = read_line(fields, options)
    last = len(line.steps) - 1
    numbers = fields.integers("analyzeTurns", 0, last)
    priority = fields.integer("priority", -_MAX_PRIORITY, _MAX_PRIORITY)
    priorities = fields.integers("priorities", -_MAX_PRIORITY, _MAX_PRIORITY)
    if numbers is None:
        numbers = [last]
    if len(set(numbers)) < len(numbers):
        fields.fail("analyzeTurns", "must not name a turn twice")
    if priorities is None:
        priorities = [priority or 0] * len(numbers)
    elif priority is not None:
        fields.fail("priorities", "must not be given together with priority")
    elif len(priorities) != len(numbers):
        fields.fail("priorities", f"must be as many as there are turns, {len(numbers)}")
    query = Query(
        id=name,
        limits=_limits(fields.group("limits")),
        options=options,
        multipv=fields.integer("multipv", 1, MAX_MULTIPV) or 1,
        pause=fields.number("reportDuringSearchEvery", 0.001, _MAX_PAUSE),
        include_position=fields.flag("includePosition"),
        include_breakdown=fields.flag("includeBreakdown"),
    )
    texts = fields.texts("searchmoves")
    tasks = []
    for number, its_priority in zip(numbers, priorities, strict=True):
        position = _dealt(line.steps[number])
        only = None if texts is None else _whole_turns(fields, texts, position, number)
        tasks.append(Task(query, number, its_priority, position, only))
    return tasks


def _limits(fields: Fields | None) -> Limits:
    if fields is None:
        return Limits(movetime=DEFAULT_MOVETIME)
    depth = fields.integer("depth", *DEPTH)
    limits = Limits(
        nodes=fields.integer("nodes", *NODES),
        depth=None if depth is None else max(1, depth),
        movetime=fields.integer("movetime", *MOVETIME),
    )
    fields.none_left()
    return Limits(movetime=DEFAULT_MOVETIME) if limits == Limits() else limits


def _dealt(step: Step) -> "Position":
    """The position of a step, after its deal if one is due and known."""
    if step.position.phase == "chance" and step.dealer is not None:
        step, _ = deal(step)
    return step.position


def _whole_turns(
    fields: Fields, texts: list[str], position: "Position", turn_number: int
) -> "tuple[Turn, ...]":
    if not texts:
        fields.fail("searchmoves", "must name at least one turn")
    turns = []
    for number, text in enumerate(texts):
        try:
            turns.append(whole_turn(position, text))
        except RequestError as problem:
            fields.fail(f"searchmoves[{number}]", f"after {turn_number} turns: {problem.text}")
    return tuple(turns)
