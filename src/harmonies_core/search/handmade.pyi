"""One turn deep: every placement of the three tokens, valued by the hand-made estimate."""

from collections.abc import Mapping

from harmonies_core.game import Position, Turn
from harmonies_core.rules import Rules

class StopFlag:
    """Set from another thread to end a search; read without the GIL."""

    def set(self) -> None:
        """Ask the search to end."""
    def clear(self) -> None:
        """Make the flag ready for the next search."""
    def is_set(self) -> bool:
        """True once it has been set."""

def greedy_lines(
    position: Position,
    multipv: int = 1,
    max_nodes: int | None = None,
    stop: StopFlag | None = None,
    late: StopFlag | None = None,
) -> tuple[list[tuple[Turn, float]], int]:
    """[(Turn, value in points)], best first, and the nodes spent.

    A node is one evaluation. Either flag ends the search. At least one turn comes back, however
    small the limit.
    """

def player_estimates(position: Position) -> list[float]:
    """Expected final points of every seat by the hand-made evaluation."""

def evaluate_often(position: Position, times: int) -> float:
    """Value the boards of a position `times` times in turn; for benchmarks."""

def self_play(
    rules: Rules, games: int, seed: int = 0, changes: Mapping[int, float] | None = None
) -> list[tuple[int, ...]]:
    """Points of every seat of `games` greedy games.

    `changes` maps the index of a weight to another value for all seats.
    """
