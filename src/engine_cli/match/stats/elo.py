"""Elo difference of two players, with its error, from groups of games on one deal.

The error comes from the variance over groups, not over games: the games of a group share their
deal and are not independent. Logistic Elo is that of Elo (1978). Normalized Elo divides the mean
by the standard deviation of one game, so that it tells how many games it takes to see the
difference: M. Van den Bergh, *Normalized Elo* (2020),
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf. The likelihood of superiority is
the probability that the true score is above one half, with a normal distribution for the mean.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from engine_cli.match.stats.outcomes import Moments, moments

__all__ = ["NORMALIZED", "Elo", "elo_of_score", "estimate", "score_of_elo"]

NORMALIZED = 800 / math.log(10)
"""Normalized Elo for one standard deviation of a game."""

_Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Elo:
    """Difference of two players. Infinite where every game went one way."""

    diff: float
    low: float
    """Lower end of the 95 % interval."""
    high: float
    los: float
    """Likelihood of superiority, 0 to 1."""
    normalized: float
    normalized_error: float
    """Half of the 95 % interval of the normalized difference."""

    @property
    def error(self) -> float:
        """Half of the 95 % interval."""
        return (self.high - self.low) / 2


def score_of_elo(elo: float) -> float:
    """Expected score of the player who is `elo` better."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Logistic Elo difference at which this score (0 to 1) is expected."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def estimate(counts: Sequence[float], games: int = 2) -> Elo:
    """The difference seen in groups of `games` games, counted as in `outcomes.moments`."""
    return from_moments(moments(counts), games)


def from_moments(seen: Moments, games: int) -> Elo:
    """The same from mean and variance of the score of a group."""
    if seen.groups == 0:
        return Elo(0.0, -math.inf, math.inf, 0.5, 0.0, math.inf)
    edge = seen.mean - 0.5
    if seen.variance == 0:  # every group ended alike: the data tell no spread
        sure = seen.groups > 1 and edge != 0
        los = (1.0 if edge > 0 else 0.0) if sure else 0.5
        diff = elo_of_score(seen.mean)
        low, high = _alike(seen) if seen.mean in (0.0, 1.0) else (-math.inf, math.inf)
        normalized = math.copysign(math.inf, edge) if edge else 0.0
        return Elo(diff, low, high, los, normalized, math.inf)
    reach = _Z95 * seen.error if seen.groups > 1 else math.inf
    game_sigma = math.sqrt(games * seen.variance)
    return Elo(
        elo_of_score(seen.mean),
        elo_of_score(seen.mean - reach),
        elo_of_score(seen.mean + reach),
        NormalDist().cdf(edge / seen.error) if seen.groups > 1 else 0.5,
        edge / game_sigma * NORMALIZED,
        reach / game_sigma * NORMALIZED,
    )


def _alike(seen: Moments) -> tuple[float, float]:
    """The 95 % interval where every group was won, or every one lost.

    That of a binomial proportion, by C. Clopper and E. Pearson, Biometrika 26 (1934).
    """
    edge = 0.025 ** (1 / seen.groups)
    if seen.mean == 1:
        return elo_of_score(edge), math.inf
    return -math.inf, elo_of_score(1 - edge)
