"""How long: limits of a search, of waits, and of what an engine may print."""

from dataclasses import dataclass

__all__ = ["Bounds", "Limit", "Timeouts"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a search: the first that is reached. Without any it goes on until `stop`."""

    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None
    """Milliseconds for this turn."""
    clock: int | None = None
    """Milliseconds left on the clock of the seat to move."""
    increment: int = 0
    """Milliseconds added to the clock for every turn."""
    togo: int | None = None
    """For how many turns the clock is meant."""

    def __post_init__(self) -> None:
        for name, least in (("nodes", 1), ("depth", 1), ("movetime", 0), ("clock", 0), ("togo", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name} must be at least {least}, not {value}")
        if self.increment < 0:
            raise ValueError(f"increment must be at least 0, not {self.increment}")
        if self.clock is None and (self.togo is not None or self.increment):
            raise ValueError("increment and togo need a clock")

    @property
    def infinite(self) -> bool:
        """Whether nothing but `stop` ends the search."""
        return (
            self.nodes is None
            and self.depth is None
            and self.movetime is None
            and self.clock is None
        )

    @property
    def seconds(self) -> float | None:
        """The longest time the search may take; None if no time is set."""
        times = [time for time in (self.movetime, self.clock) if time is not None]
        return min(times) / 1000 if times else None

    def words(self) -> str:
        """The arguments of `go`."""
        if self.infinite:
            return "infinite"
        words = []
        for name in ("nodes", "depth", "movetime"):
            value = getattr(self, name)
            if value is not None:
                words.append(f"{name} {value}")
        if self.clock is not None:
            words.append(f"clock {self.clock} {self.increment}")
            if self.togo is not None:
                words.append(f"togo {self.togo}")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to wait before an engine is given up. None waits for ever."""

    start: float | None = 30.0
    """From the start of the process to its first line."""
    handshake: float | None = 10.0
    """From the first line to ``uhiok``."""
    ready: float | None = 30.0
    """For ``readyok``."""
    answer: float | None = 10.0
    """For an answer other than that of a search, and for ``bestmove`` after ``stop`` or
    beyond the time that the limit allows."""
    search: float | None = 600.0
    """For ``bestmove`` under a limit that sets no time, such as nodes."""
    quit: float | None = 5.0
    """For the end of the process after ``quit``."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one request may bring before the engine is given up for a flood of output."""

    line: int = 16 * 2**20
    """Bytes of a line. A longer one counts as unexpected and is cut."""
    lines: int = 1_000_000
    """Lines; not counted in a search without limits."""
    unexpected: int = 10_000
    """Lines that are not protocol, 4 KiB of such a line counting as one."""
