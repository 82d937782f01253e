"""Play below full strength: how much worse each level judges and looks ahead."""

from dataclasses import dataclass
from typing import Final

__all__ = ["HANDICAPS", "MAX_STRENGTH", "Handicap"]

MAX_STRENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class Handicap:
    """A weaker player: its algorithm, the points by which it misjudges, its nodes a turn."""

    algorithm: str
    noise: float
    nodes: int | None = None


# Mistakes are misjudged landscapes, which the player then builds on: no turn is senseless.
HANDICAPS: Final = {
    1: Handicap("greedy", 500.0),
    2: Handicap("greedy", 141.0),
    3: Handicap("greedy", 81.0),
    4: Handicap("greedy", 45.5),
    5: Handicap("greedy", 26.0),
    6: Handicap("greedy", 16.3),
    7: Handicap("greedy", 8.4),
    8: Handicap("greedy", 3.0),
    9: Handicap("expectimax", 0.0, 18_000),
}
