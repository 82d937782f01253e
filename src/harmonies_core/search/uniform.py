"""Turns drawn at random."""

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from harmonies_core.game import Position, Turn
from harmonies_core.search.base import Found, Searcher, outlook_after
from harmonies_core.search.limits import StopFlag

if TYPE_CHECKING:
    from harmonies_core.search.searcher import Limit

__all__ = ["Uniform"]


class Uniform(Searcher):
    """Random legal actions until the turn may end and "end" is drawn."""

    def think(
        self,
        position: Position,
        limit: "Limit",
        multipv: int,
        stop: StopFlag | None,
        on_info: Callable[[Sequence[Found], int, int], None] | None,
        only: Sequence[Turn] | None,
    ) -> tuple[list[Found], int, int]:
        """See Searcher. The draw depends on the seed and the position alone."""
        rng = random.Random(self.seed * 2**64 + position.key())
        if only is not None:
            turns = list(only)
            rng.shuffle(turns)
            turns = turns[:multipv]
        else:
            turns = self._draw(position, multipv, rng, stop)
        return [outlook_after(position, turn, self.weights) for turn in turns], 1, len(turns)

    @staticmethod
    def _draw(
        position: Position, multipv: int, rng: random.Random, stop: StopFlag | None
    ) -> list[Turn]:
        found: dict[str, Turn] = {}
        for _ in range(4 * multipv):
            after, words = position.copy(), []
            while True:
                action = rng.choice(after.actions())
                if action.kind == "end":
                    break
                words.append(str(action))
                after.push_action(action)
            turn = position.canonical(",".join(words) or "end")
            after.push_action("end")
            found.setdefault(after.hfen(), turn)
            if len(found) == multipv or (stop is not None and stop.is_set()):
                break
        return list(found.values())
