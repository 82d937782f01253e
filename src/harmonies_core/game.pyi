"""The public Python objects: positions, turns, scores, the dealer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from harmonies_core.cards import Pack
from harmonies_core.outcome import HeldCard as HeldCard
from harmonies_core.outcome import Pending as Pending
from harmonies_core.outcome import Result as Result
from harmonies_core.outcome import Score as Score
from harmonies_core.rules import Rules

class Action:
    """One step of a turn; immutable, hashable.

    `str()` gives its text, e.g. "g2", "Wc3", "+17", "17@c3", "end".
    """

    def __init__(self, text: str | Action | Turn) -> None: ...
    @property
    def code(self) -> int:
        """The action as a number, for other modules of the engine."""
    @property
    def kind(self) -> str:
        """One of "spirit", "space", "place", "take", "cube", "discard", "end"."""
    @property
    def space(self) -> int | None: ...
    @property
    def token(self) -> str | None: ...
    @property
    def cell(self) -> str | None: ...
    @property
    def card(self) -> int | None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Turn:
    """A whole turn, or the beginning of one; immutable, hashable. `str()` gives its text.

    Turn(text) reads any word of docs/notation.md (syntax only; raises NotationError).
    """

    def __init__(self, text: str | Action | Turn) -> None: ...
    @property
    def codes(self) -> tuple[int, ...]:
        """The actions as numbers, for other modules of the engine."""
    @property
    def actions(self) -> tuple[Action, ...]: ...
    @property
    def chance(self) -> str | None:
        """The chance part after "/", or None."""
    @property
    def open(self) -> bool:
        """True if the text ends with a comma: the turn is kept open."""
    def without_chance(self) -> Turn:
        """The same turn as an engine would answer it."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

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

def perft(position: Position, depth: int = 1, seed: int = 0) -> int:
    """Number of distinct turn sequences of `depth` turns, refills dealt with `seed`."""

def count_placements(position: Position) -> int:
    """Number of distinct (space, landscape) pairs after placing three tokens, no cubes or cards."""
