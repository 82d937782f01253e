"""From a clock to the time for one turn."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harmonies_core import Position

__all__ = ["time_for_turn", "turns_to_come"]


def turns_to_come(position: "Position") -> int:
    """A guess at how many turns the seat to move has left, this one included.

    A turn fills two cells on average (the rest is stacked), and the landscape that is fullest
    ends the game, at two empty cells.
    """
    empties = min(position.empties(seat) for seat in range(1, position.rules.players + 1))
    return max(1, (empties - 1) // 2)


def time_for_turn(left: int, increment: int, turns: int, overhead: int) -> int:
    """Milliseconds to think, with `left` on the clock for `turns` turns and what they add.

    Between the two ends of the line a turn takes longer than it was thought about, by up to
    `overhead`: so much is kept back now, and a fifth of it for each turn after this one.
    """
    usable = left - overhead
    later = turns - 1
    share = (usable + later * (increment - overhead // 5)) // turns
    return max(1, min(share, usable))
