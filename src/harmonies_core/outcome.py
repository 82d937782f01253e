"""What positions answer: scores, results, cards held, deals due."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from harmonies_core.cards import Card


@dataclass(frozen=True, slots=True)
class Score:
    """Points of one player by category; `cubes` counts all cubes on the board.

    `cards` gives the points of every card held, the spirit included.
    """

    trees: int
    mountains: int
    fields: int
    buildings: int
    water: int
    animals: int
    spirit: int
    cubes: int
    cards: Mapping[int, int] = field(hash=False)

    @property
    def landscape(self) -> int:
        """The five landscape categories together."""
        return self.trees + self.mountains + self.fields + self.buildings + self.water

    @property
    def total(self) -> int:
        """All points."""
        return self.landscape + self.animals + self.spirit

    def as_dict(self) -> dict[str, int]:
        """Trees mountains fields buildings water animals spirit total cubes"""
        return {
            "trees": self.trees,
            "mountains": self.mountains,
            "fields": self.fields,
            "buildings": self.buildings,
            "water": self.water,
            "animals": self.animals,
            "spirit": self.spirit,
            "total": self.total,
            "cubes": self.cubes,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of a game, or of a position were it over now.

    Rank 1 is best, equal points and cubes share a rank; winners are seats from 1; suns are None
    outside solo mode.
    """

    totals: tuple[int, ...]
    cubes: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    suns: int | None


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a player with the number of its cubes on the board."""

    card: Card
    placed: int
    points: int

    @property
    def complete(self) -> bool:
        """True if all its cubes are on the board."""
        return self.placed == self.card.cubes


@dataclass(frozen=True, slots=True)
class Pending:
    """What the dealer owes a position: groups of three tokens, cards, a pair of spirits."""

    spaces: int
    cards: int
    pair: bool
