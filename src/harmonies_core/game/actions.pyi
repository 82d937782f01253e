"""Actions and turns, as texts and as numbers."""

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
