"""Reading a turn that has to be legal and complete."""

from typing import TYPE_CHECKING

from engine_cli.protocol.failure import RequestError

if TYPE_CHECKING:
    from harmonies_core import Position, Turn

__all__ = ["whole_turn"]


def whole_turn(position: "Position", text: str) -> "Turn":
    """The turn without its chance part; anything but a whole legal turn is an error."""
    from harmonies_core import Turn
    from harmonies_core.errors import HarmoniesError

    try:
        turn = Turn(text).without_chance()
        after = position.copy()
        after.push(turn)
    except HarmoniesError as problem:
        raise RequestError("illegal", str(problem)) from None
    if (after.seat, after.turn) == (position.seat, position.turn):
        raise RequestError("illegal", "the turn is not complete")
    return turn
