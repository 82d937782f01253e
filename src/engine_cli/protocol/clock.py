"""From a clock to the time for one turn."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harmonies_core import Position

__all__ = ["Delays", "time_for_turn", "turns_to_come"]

_MOST_DELAY: Final = 1000  # ms; what is more was no delay, but another game or a clock set anew


class Delays:
    """How much more than the time it was thought about a turn usually costs on the clock.

    Whoever holds the clock shows it one turn later, by what is left. Seats are kept apart.
    """

    def __init__(self) -> None:
        self._usual = 0.0
        self._expected: dict[int, int] = {}

    @property
    def usual(self) -> int:
        """Milliseconds; goes up at once and down slowly."""
        return round(self._usual)

    def asked(self, seat: int, left: int) -> None:
        """A seat has so many milliseconds left before it thinks."""
        if seat not in self._expected:
            return
        late = self._expected.pop(seat) - left
        if 0 <= late <= _MOST_DELAY:
            self._usual = max(late, self._usual + (late - self._usual) / 5)

    def answered(self, seat: int, left: int) -> None:
        """It has answered, and will have so many left next time if nothing is delayed."""
        self._expected[seat] = left

    def forget(self) -> None:
        """A new game begins; what is usual is likely to stay so."""
        self._expected.clear()


def turns_to_come(position: "Position") -> int:
    """A guess at how many turns the seat to move has left, this one included.

    A turn fills two cells on average (the rest is stacked), and the landscape that is fullest
    ends the game, at two empty cells.
    """
    empties = min(position.empties(seat) for seat in range(1, position.rules.players + 1))
    return max(1, (empties - 1) // 2)


def time_for_turn(left: int, increment: int, turns: int, overhead: int, delay: int = 0) -> int:
    """Milliseconds to think, with `left` on the clock for `turns` turns and what they add.

    Between the two ends of the line a turn takes longer than it was thought about, by up to
    `overhead`: so much is kept back now, and for each turn after this one a seventh of it, or the
    usual `delay` if that is more.
    """
    usable = left - overhead
    later = turns - 1
    share = (usable + later * (increment - max(overhead // 7, delay))) // turns
    return max(1, min(share, usable))
