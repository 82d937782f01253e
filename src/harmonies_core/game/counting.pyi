"""How many turns and placements there are."""

from collections.abc import Callable

from harmonies_core.game.position import Position

def perft(
    position: Position,
    depth: int = 1,
    seed: int = 0,
    *,
    stop: Callable[[], bool] | None = None,
) -> int:
    """Number of distinct turn sequences of `depth` turns, refills dealt with `seed`.

    `stop` is called before every turn that is played; when it says True, StoppedError is raised.
    """

def count_placements(position: Position) -> int:
    """Number of distinct (space, landscape) pairs after placing three tokens, no cubes or cards."""
