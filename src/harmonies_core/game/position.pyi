"""Positions: what is seen in them, what may be played, what they score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from harmonies_core.cards import Pack
from harmonies_core.game.actions import Action, Turn
from harmonies_core.outcome import HeldCard, Pending, Result, Score
from harmonies_core.rules import Rules

class Turns(Sequence[Turn]):
    """All distinct turns of a position; each Turn is built when it is looked at."""

    def __init__(self, position: Position) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Turn: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Turn]: ...
    def __iter__(self) -> Iterator[Turn]: ...

class Position:
    """The whole public state of a game."""

    @classmethod
    def start(
        cls,
        players: int = 2,
        side: str = "A",
        *,
        spirits: bool = False,
        packs: Sequence[str | Pack] = ("base",),
        river: str = "diameter",
        seed: int = 0,
    ) -> Position:
        """The start position dealt by Dealer(seed)."""
    @classmethod
    def from_hfen(cls, text: str, packs: Sequence[Pack] = ()) -> Position:
        """Read docs/notation.md; `packs` are user packs the text may name. A seed field is read
        over. Raises PositionError naming the field."""
    def hfen(self) -> str: ...
    def copy(self) -> Position: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: object) -> Position: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def seat(self) -> int:
        """Seat to move, from 1."""
    @property
    def turn(self) -> int:
        """Turn number of that seat, from 1."""
    @property
    def phase(self) -> str:
        """ "spirit" (a pair is to be chosen from), "turn", "chance" (a deal is due), "over"."""
    @property
    def between_turns(self) -> bool:
        """True if no space and no card has been taken yet in this turn."""
    @property
    def centre(self) -> tuple[str, ...]:
        """Three tokens each in the order WMTLFR, "" for an empty space."""
    @property
    def row(self) -> tuple[int | None, ...]: ...
    @property
    def bag(self) -> Mapping[str, int]: ...
    @property
    def unseen(self) -> frozenset[int]:
        """Animal cards not seen yet."""
    @property
    def pair(self) -> tuple[int, int] | None:
        """Spirits offered to the seat to move."""
    @property
    def space(self) -> int | None:
        """Central space taken in this turn, from 1."""
    @property
    def in_hand(self) -> str:
        """Tokens still to be placed, in the order WMTLFR."""
    @property
    def card_taken(self) -> bool: ...
    def stacks(self, seat: int) -> dict[str, str]:
        """Cell -> stack bottom to top, occupied cells only."""
    def cubes(self, seat: int) -> dict[str, str]:
        """Cell -> "animal" or "spirit"."""
    def hand(self, seat: int) -> tuple[HeldCard, ...]:
        """All cards, completed ones and the chosen spirit included, ascending by number."""
    def empties(self, seat: int) -> int: ...
    def cube_cells(self, card: int, seat: int | None = None) -> tuple[str, ...]:
        """Cells where a cube of this card could go on that board now, held or not."""
    def actions(self) -> list[Action]:
        """Legal next actions, "end" included where the turn may end; empty in other phases."""
    def turns(self) -> Turns:
        """All distinct turns (from mid-turn: all distinct rests of it), one for each resulting
        position, in canonical order of actions. Empty if it is not a player's move."""
    def push(self, turn: Turn | str) -> None:
        """Play a turn, with its chance part if it has one; else the position is left in phase
        "chance" (or "over"). An unfinished turn leaves it in mid-turn. Raises IllegalActionError
        or NotationError and changes nothing."""
    def push_action(self, action: Action | str) -> None: ...
    def pending(self) -> Pending: ...
    def push_chance(self, text: str) -> None:
        """Play what the dealer reveals, e.g. "WMT+21". Raises IllegalActionError."""
    def canonical(self, turn: Turn | str) -> Turn:
        """The same actions in canonical order, legal here. Raises as push does."""
    def score(self, seat: int) -> Score:
        """Points as if the game ended now."""
    def scores(self) -> tuple[Score, ...]: ...
    def is_over(self) -> bool: ...
    def result(self) -> Result: ...
    def key(self) -> int:
        """64-bit hash of the position, the same in every run and on every machine."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
