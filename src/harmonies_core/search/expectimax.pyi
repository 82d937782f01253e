from collections.abc import Callable, Sequence

from harmonies_core.game import Position, Turn
from harmonies_core.search.base import Found, Searcher
from harmonies_core.search.limits import StopFlag
from harmonies_core.search.searcher import Limit

_Width = tuple[int, int, int, int]
_Level = tuple[_Width | None, _Width, int, int, int, int]

class Expectimax(Searcher):
    blind: bool
    levels: tuple[_Level, ...] | None
    def think(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        stop: StopFlag | None = None,
        on_info: Callable[[Sequence[Found], int, int], None] | None = None,
        only: Sequence[Turn] | None = None,
    ) -> tuple[list[Found], int, int]: ...
