from collections.abc import Callable, Sequence
from typing import NamedTuple

from harmonies_core.game import Position, Turn
from harmonies_core.search.limits import StopFlag
from harmonies_core.search.searcher import Limit
from harmonies_core.values.network import Weights

class Found(NamedTuple):
    turn: Turn
    points: tuple[float, ...]
    sd: tuple[float, ...]
    chances: tuple[float, float, float]

MAX_THREADS: int
OBJECTIVES: tuple[str, ...]

class Searcher:
    weights: Weights
    threads: int
    objective: int
    seed: int
    noise: float
    hash_size: int
    seldepth: int
    most_nodes: int | None
    def __init__(
        self,
        weights: Weights | None = None,
        threads: int = 1,
        objective: str = "win",
        seed: int = 0,
    ) -> None: ...
    def think(
        self,
        position: Position,
        limit: Limit,
        multipv: int,
        stop: StopFlag | None,
        on_info: Callable[[Sequence[Found], int, int], None] | None,
        only: Sequence[Turn] | None,
    ) -> tuple[list[Found], int, int]: ...
    def forget(self) -> None: ...

def expected_points(position: Position, weights: Weights | None = None) -> list[float]: ...
def outlook_after(position: Position, turn: Turn, weights: Weights) -> Found: ...
