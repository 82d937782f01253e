"""Who wins, and the suns of a solo game (rules: End of the game, Solo)."""

from collections.abc import Mapping, Sequence

from .scoring import SPIRIT_KINDS

SUN_STEPS = (40, 70, 90, 110, 130, 140, 150, 160)


def ranks(scores: Sequence[Mapping[str, int]]) -> list[int]:
    """Rank of every seat: most points, then most cubes; equal seats share a rank (1, 1, 3)."""
    keys = [(score["total"], score["cubes"]) for score in scores]
    return [1 + sum(other > key for other in keys) for key in keys]


def suns(points: int, side: str, spirits: bool, spirit: int | None) -> int:
    """Suns for points, plus those for the side and for the spirit chosen, placed or not."""
    count = sum(points >= step for step in SUN_STEPS)
    if side == "A":
        count += 1
    if not spirits:
        count += 2
    elif spirit is not None and SPIRIT_KINDS[spirit] == "groups":
        count += 1
    return count
