"""The public Python objects: actions, turns, positions, the dealer, counts of turns."""

from harmonies_core.game.actions import Action, Turn
from harmonies_core.game.counting import count_placements, perft
from harmonies_core.game.dealing import Dealer
from harmonies_core.game.position import Position, Turns
from harmonies_core.outcome import HeldCard, Pending, Result, Score

__all__ = [
    "Action",
    "Dealer",
    "HeldCard",
    "Pending",
    "Position",
    "Result",
    "Score",
    "Turn",
    "Turns",
    "count_placements",
    "perft",
]
