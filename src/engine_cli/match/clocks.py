"""The clock of one seat: what is left, and whether a turn came in time."""

from dataclasses import dataclass, field

from engine_cli.match.limits import Limits

__all__ = ["Clock"]


@dataclass(slots=True)
class Clock:
    """Counts milliseconds; `margin` is forgiven for every turn and never charged."""

    limits: Limits
    margin: int
    left: float = field(init=False)
    """What the clock shows. Meaningless without a clock."""

    def __post_init__(self) -> None:
        self.left = float(self.limits.clock or 0)

    @property
    def shown(self) -> int:
        """Whole milliseconds left, as the engine is told."""
        return max(0, int(self.left))

    @property
    def allowed(self) -> float | None:
        """Milliseconds after which a turn is late, None where time does not matter."""
        if self.limits.clock is not None:
            return self.left + self.margin
        if self.limits.movetime is not None:
            return float(self.limits.movetime + self.margin)
        return None

    def charge(self, used: float) -> bool:
        """Take the time of a turn off; False if it came too late."""
        allowed = self.allowed
        in_time = allowed is None or used <= allowed
        if self.limits.clock is not None:
            self.left = max(0.0, self.left - used) + self.limits.increment
        return in_time

    def spend(self, used: float) -> None:
        """Take time off that brought no turn, as before a restart."""
        if self.limits.clock is not None:
            self.left = max(0.0, self.left - used)
