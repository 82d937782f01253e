"""The dealer, who knows the hidden part of a game and deals from it."""

from harmonies_core.game.position import Position
from harmonies_core.rules import Rules

class Dealer:
    """The hidden part: the order of bag, deck and spirits, from a seed (docs/notation.md)."""

    def __init__(self, rules: Rules, seed: int = 0) -> None: ...
    @classmethod
    def for_position(cls, position: Position, seed: int = 0) -> Dealer:
        """Deals on from a position: shuffles what is unseen."""
    def start(self) -> Position:
        """The first position of the deal."""
    def deal(self, position: Position) -> str:
        """What comes next for a position in phase "chance", as text; nothing is changed but the
        dealer's own place in its order. Raises PositionError if nothing is pending."""
    def copy(self) -> Dealer: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def seed(self) -> int: ...
