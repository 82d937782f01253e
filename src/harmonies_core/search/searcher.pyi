"""The one door to the search: algorithms by name, limits, results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harmonies_core.game import Position, Turn

ALGORITHMS: tuple[str, ...]
"""Names that `search` takes: "greedy", "random"."""

class StopFlag:
    """Set from another thread to end a search; read without the GIL."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

@dataclass(frozen=True)
class Limit:
    """When to stop; None means no such limit. Times in milliseconds."""

    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None

@dataclass(frozen=True)
class Line:
    """One candidate turn with its value."""

    turn: Turn
    seats: tuple[int, ...]
    """Expected final points of every seat, in hundredths."""
    depth: int
    nodes: int
    """Positions evaluated in the whole search so far."""
    time: int
    """Milliseconds since the search began."""

def search(
    position: Position,
    limit: Limit = ...,
    *,
    algorithm: str = "greedy",
    multipv: int = 1,
    searchmoves: Sequence[Turn] | None = None,
    seed: int = 0,
    stop: StopFlag | None = None,
    on_info: Callable[[Sequence[Line]], None] | None = None,
) -> list[Line]:
    """The best turns, best first, at least one. Raises PositionError if it is no player's move.
    Always returns a legal turn, even when stopped at once. From mid-turn, the rest of the turn.
    `searchmoves` restricts the choice to turns that lead to the same positions as these.
    `on_info` gets the lines found so far whenever a better one is known (and at the end)."""

def evaluate(position: Position) -> tuple[int, ...]:
    """Expected final points of every seat, in hundredths, without search."""
