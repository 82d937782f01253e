"""Means with standard errors, kept up one value at a time."""

import math
from dataclasses import dataclass

__all__ = ["Mean"]


@dataclass(slots=True)
class Mean:
    """Mean and standard error of values that come one by one (Welford 1962)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more value in."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def variance(self) -> float:
        """Sample variance; 0 for fewer than two values."""
        return self._squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean; infinite for fewer than two values."""
        return math.sqrt(self.variance / self.count) if self.count > 1 else math.inf
