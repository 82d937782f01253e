"""How long an engine may think: read, checked, and as arguments of `go`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine_cli.protocol.go import DEPTH, MOVETIME

__all__ = ["DEFAULT_LIMITS", "Limits", "LimitsError"]

_MAX = 2**31 - 1
_NAMES = ("clock", "increment", "movetime", "nodes", "depth")


class LimitsError(ValueError):
    """Limits that are out of range or contradict each other."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one engine; None is no such limit. Times in milliseconds. Raises LimitsError."""

    clock: int | None = None
    """For the whole game."""
    increment: int = 0
    """Added to the clock after every turn."""
    movetime: int | None = None
    """For one turn."""
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        most = {"clock": _MAX, "movetime": MOVETIME[1], "nodes": _MAX, "depth": DEPTH[1]}
        for name, high in most.items():
            value = getattr(self, name)
            if value is not None and not 1 <= value <= high:
                raise LimitsError(f"{name}: {value}, expected a number from 1 to {high}")
        if not 0 <= self.increment <= _MAX:
            raise LimitsError(f"increment: {self.increment}, expected a number from 0 to {_MAX}")
        if self.clock is not None and self.movetime is not None:
            raise LimitsError("clock and movetime contradict each other: give one of them")
        if self.increment and self.clock is None:
            raise LimitsError("increment needs a clock to be added to")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Limits":
        """Limits from names and whole numbers; without any, `DEFAULT_LIMITS`."""
        for name, value in values.items():
            if name not in _NAMES:
                raise LimitsError(f"{name}: no such limit, expected one of {', '.join(_NAMES)}")
            if isinstance(value, bool) or not isinstance(value, int):
                raise LimitsError(f"{name}: {value!r}, expected a whole number")
        limits = cls(**values)
        return limits if limits.given else DEFAULT_LIMITS

    @property
    def given(self) -> bool:
        """Whether there is any limit."""
        return any(v is not None for v in (self.clock, self.movetime, self.nodes, self.depth))

    def as_dict(self) -> dict[str, int]:
        """The limits there are, by name."""
        values = {name: getattr(self, name) for name in _NAMES}
        return {name: value for name, value in values.items() if value}

    def __str__(self) -> str:
        return " ".join(f"{name} {value}" for name, value in self.as_dict().items())


DEFAULT_LIMITS = Limits(movetime=100)
"""Of an engine for which nothing else is said."""
