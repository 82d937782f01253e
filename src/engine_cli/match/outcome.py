"""What came of one game: for every seat, and the record of the whole."""

from dataclasses import dataclass

__all__ = ["CATEGORIES", "Outcome", "SeatOutcome"]

CATEGORIES = ("trees", "mountains", "fields", "buildings", "water", "animals", "spirit")
"""Categories of points, in the order of columns and tables."""


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """One seat of a game. Points are those on the board when the game ended or was broken off."""

    engine: int
    """Place in the list of engines."""
    points: int
    cubes: int
    rank: int
    """1 is best, equal ranks share; a seat that forfeits is last."""
    categories: tuple[int, ...]
    turns: int
    nodes: int
    depth: float
    """Mean over the turns for which the engine told it; 0 without any."""
    time: int
    """Milliseconds for all turns."""
    slowest: int
    """Milliseconds for the slowest turn."""
    fault: str = ""
    """Name of the fault that cost the game, or was forgiven."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game. Plain data: it travels between machines."""

    index: int
    seats: tuple[SeatOutcome, ...]
    record: str
    """The game as HGN, with a line end."""
    end: str
    """``normal``, or the name of the fault that ended the game."""
    suns: int | None
    """Of a solo game."""
    started: str
    """Date and time, UTC."""
    duration: int
    """Milliseconds."""

    @property
    def normal(self) -> bool:
        """Whether the game was played to its end."""
        return self.end == "normal"

    @property
    def scores(self) -> tuple[float, ...]:
        """What each seat scores against the others: 1 for each beaten, ½ for each equal one,
        divided by their number. With two seats 1, ½ or 0. A solo game scores 0.
        """
        ranks = [seat.rank for seat in self.seats]
        others = len(ranks) - 1
        if not others:
            return (0.0,)
        return tuple(
            sum((rank < r) + 0.5 * (rank == r) for r in ranks[:i] + ranks[i + 1 :]) / others
            for i, rank in enumerate(ranks)
        )
