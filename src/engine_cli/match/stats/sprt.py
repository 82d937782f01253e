"""Sequential probability ratio test of two Elo differences, on pentanomial frequencies.

H0 says that the first player is `elo0` better, H1 that it is `elo1` better. The statistic is the
generalized log-likelihood ratio: the likelihood of the frequencies under the distribution that
fits them best among all with the score of H1, against the same for H0 (GSPRT). With `logistic`
bounds the score is the mean; with `normalized` ones it is the mean less one half, divided by the
standard deviation. This is the test of fishtest and fastchess; the mathematics is that of

- A. Wald, *Sequential tests of statistical hypotheses*, Ann. Math. Statist. 16 (1945): bounds;
- M. Van den Bergh, *A practical introduction to the GSPRT* and *Comments on normalized Elo*,
  https://www.cantate.be/Fishtest/ (support_MLE_multinomial.pdf, normalized_elo_practical.pdf):
  the two best-fitting distributions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine_cli.match.stats.elo import NORMALIZED, score_of_elo
from engine_cli.match.stats.outcomes import regularized

__all__ = ["MODELS", "Sprt"]

Model = Literal["normalized", "logistic"]
MODELS: tuple[Model, ...] = ("normalized", "logistic")

_ROUNDS = 50  # of the fixed point that finds a distribution with a given t-value
_WIDEST = 200.0  # normalized Elo; the fixed point needs a start, and gets none far beyond
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test. Raises ValueError for bounds or error rates that make none."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Chance to accept H1 where H0 is true."""
    beta: float = 0.05
    """Chance to accept H0 where H1 is true."""
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"SPRT: {self.elo0:g} is not less than {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"SPRT: {name} is {rate:g}, expected a rate between 0 and 0.5")
        if self.model == "normalized" and max(abs(self.elo0), abs(self.elo1)) > _WIDEST:
            raise ValueError(
                f"SPRT: normalized bounds go from -{_WIDEST:g} to {_WIDEST:g}; take logistic ones"
            )
        if self.model not in MODELS:
            raise ValueError(f"SPRT: {self.model!r} is not one of {', '.join(MODELS)}")

    @property
    def lower(self) -> float:
        """H0 is accepted at or below this ratio."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at or above this ratio."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """Log-likelihood ratio of pentanomial frequencies (of pairs with 0, ½, 1, 1½, 2 points)."""
        if not any(counts):
            return 0.0
        seen = regularized(counts)
        total = sum(seen)
        values = [place / (len(seen) - 1) for place in range(len(seen))]
        observed = [count / total for count in seen]
        bounds = (self.elo0, self.elo1)
        if self.model == "logistic":
            null, other = (_with_mean(values, observed, score_of_elo(elo)) for elo in bounds)
        else:
            # the deviation of a pair's mean is that of a game divided by the root of two
            t0, t1 = (elo / NORMALIZED * math.sqrt(2) for elo in bounds)
            null, other = _with_t(values, observed, t0), _with_t(values, observed, t1)
        return total * sum(
            share * math.log(p1 / p0) for share, p0, p1 in zip(observed, null, other, strict=True)
        )

    def decision(self, counts: Sequence[float]) -> Literal["H0", "H1"] | None:
        """The hypothesis that is accepted, None while it takes more games."""
        ratio = self.llr(counts)
        if ratio >= self.upper:
            return "H1"
        return "H0" if ratio <= self.lower else None


def _with_mean(values: Sequence[float], observed: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean under which the observed one is most likely."""
    return _tilted(observed, [value - mean for value in values])


def _with_t(values: Sequence[float], observed: Sequence[float], t: float) -> list[float]:
    """The same for a given (mean - 1/2) / deviation, by a fixed point from the uniform one."""
    found = [1 / len(values)] * len(values)
    for _ in range(_ROUNDS):
        mean, sigma = _mean_and_sigma(values, found)
        slopes = [v - 0.5 - t * sigma * (1 + ((mean - v) / sigma) ** 2) / 2 for v in values]
        before, found = found, _tilted(observed, slopes)
        if max(abs(a - b) for a, b in zip(before, found, strict=True)) < _CLOSE:
            break
    return found


def _mean_and_sigma(values: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    mean = sum(p * v for p, v in zip(shares, values, strict=True))
    return mean, math.sqrt(sum(p * (v - mean) ** 2 for p, v in zip(shares, values, strict=True)))


def _tilted(observed: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The p / (1 + x a) with the x that makes the mean of the slopes a zero."""
    terms = list(zip(observed, slopes, strict=True))
    low, high = -1 / max(slopes), -1 / min(slopes)
    # Falls from +inf to -inf between its poles. Newton's steps, halving where they lead outside.
    x = 0.0
    for _ in range(200):
        value = slope = 0.0
        for p, a in terms:
            part = a / (1 + x * a)
            value += p * part
            slope -= p * part * part
        if value > 0:
            low = x
        else:
            high = x
        step = x - value / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) <= 1e-15 * (1 + abs(x)):
            x = step
            break
        x = step
    return [p / (1 + x * a) for p, a in terms]
