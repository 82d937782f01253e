"""Scores of groups of games as a distribution: mean, variance, and the standard error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Moments", "moments", "regularized"]

_EMPTY = 1e-3  # games that a value nobody saw counts for in a likelihood, as in fishtest


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean score of a game (0 to 1), and the variance of the mean score of a group."""

    groups: int
    mean: float
    variance: float

    @property
    def error(self) -> float:
        """Standard error of the mean; infinite for fewer than two groups."""
        return math.sqrt(self.variance / self.groups) if self.groups > 1 else math.inf


def moments(counts: Sequence[float]) -> Moments:
    """Moments of groups counted by score: `counts[i]` groups scored i / (len(counts) - 1).

    Five counts are the pentanomial frequencies of pairs: 0, ½, 1, 1½ and 2 points of two games.
    The variance is that of the distribution itself, divided by N and not by N - 1.
    """
    groups = sum(counts)
    if not groups:
        return Moments(0, 0.5, 0.0)
    top = len(counts) - 1
    mean = sum(count * place / top for place, count in enumerate(counts)) / groups
    spread = sum(count * (place / top - mean) ** 2 for place, count in enumerate(counts)) / groups
    return Moments(round(groups), mean, spread)


def regularized(counts: Sequence[float]) -> list[float]:
    """The counts with a trace where there is none, so that no probability is zero."""
    return [count or _EMPTY for count in counts]
