"""What is agreed before a game."""

from collections.abc import Sequence

from harmonies_core.cards import Catalogue, Pack

RIVERS: tuple[str, ...]
SCORE_BY: dict[str, int]
SCORE_OF: dict[str, int]

class Rules:
    """What is agreed before a game. Immutable, hashable.

    players 1 to 4 (1 is solo), side "A" or "B", spirits on or off, packs by name (built-in, or
    given as Pack objects), river "diameter" or "loop". Raises RulesError.
    """

    def __init__(
        self,
        players: int = 2,
        side: str = "A",
        *,
        spirits: bool = False,
        packs: str | Pack | Sequence[str | Pack] = ("base",),
        river: str = "diameter",
    ) -> None: ...
    @property
    def players(self) -> int: ...
    @property
    def side(self) -> str: ...
    @property
    def spirits(self) -> bool: ...
    @property
    def river(self) -> str: ...
    @property
    def packs(self) -> tuple[str, ...]: ...
    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def solo(self) -> bool: ...
    @property
    def spaces(self) -> int:
        """Number of central spaces, which is also the length of the row: 5, solo 3."""
    @property
    def cells(self) -> tuple[str, ...]:
        """Names of all cells, column by column from the left, top to bottom."""
    @property
    def columns(self) -> tuple[int, ...]:
        """Number of cells in each column, from the left."""
    def neighbours(self, cell: str) -> tuple[str, ...]:
        """Names of the cells next to one; ValueError if it is not on this side."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
