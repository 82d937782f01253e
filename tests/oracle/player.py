"""What lies in front of one player: the board, the cubes and the cards."""

from dataclasses import dataclass, field

from .cards import CARDS
from .geometry import all_cells


@dataclass
class Player:
    """One seat's board, cubes and cards."""

    cells: dict[str, str] = field(default_factory=dict)  # cells that are not empty
    animal_cubes: set[str] = field(default_factory=set)
    spirit_cubes: set[str] = field(default_factory=set)
    hand: dict[int, int] = field(default_factory=dict)  # every card, to its cubes placed
    spirit: int | None = None  # the chosen one; it is in the hand as well

    def copy(self) -> "Player":
        """A player that shares nothing with this one."""
        return Player(
            dict(self.cells),
            set(self.animal_cubes),
            set(self.spirit_cubes),
            dict(self.hand),
            self.spirit,
        )

    @property
    def cubes(self) -> set[str]:
        """All cells with a cube of either sort."""
        return self.animal_cubes | self.spirit_cubes

    def empty_cells(self, side: str) -> int:
        """How many cells of the board are empty."""
        return len(all_cells(side)) - len(self.cells)

    def uncompleted(self) -> list[int]:
        """The cards with cubes left, the spirit counting as one until its cube is placed."""
        return [card_id for card_id, placed in self.hand.items() if placed < CARDS[card_id].cubes]
