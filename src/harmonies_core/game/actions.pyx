"""Actions and turns, as texts and as numbers."""

from harmonies_core.notation cimport action_text, parse_action
from harmonies_core.state cimport (
    A_CUBE, A_DISCARD, A_END, A_PLACE, A_SPACE, A_SPIRIT, A_TAKE, action_cell, action_code,
    action_first, action_kind,
)

from harmonies_core.errors import NotationError
from harmonies_core.grid import cell_name
from harmonies_core.notation import LETTERS, parse_turn

_KINDS = ("spirit", "space", "place", "take", "cube", "discard", "end")


class Action:
    """One step of a turn; immutable, hashable. `str()` gives its text."""

    __slots__ = ("code",)

    def __init__(self, text):
        object.__setattr__(self, "code", parse_action(_text_of(text)))

    def __setattr__(self, name, value):
        raise AttributeError("an Action does not change")

    @property
    def kind(self):
        """One of spirit, space, place, take, cube, discard, end."""
        return _KINDS[action_kind(self.code)]

    @property
    def space(self):
        """Central space from 1, or None."""
        return action_first(self.code) if action_kind(self.code) == A_SPACE else None

    @property
    def token(self):
        """Letter of the token placed, or None."""
        return LETTERS[action_first(self.code)] if action_kind(self.code) == A_PLACE else None

    @property
    def cell(self):
        """Name of the cell, or None."""
        if action_kind(self.code) in (A_PLACE, A_CUBE):
            return cell_name(action_cell(self.code))
        return None

    @property
    def card(self):
        """Card number, or None."""
        if action_kind(self.code) in (A_SPIRIT, A_TAKE, A_CUBE, A_DISCARD):
            return action_first(self.code)
        return None

    def __str__(self):
        return action_text(self.code)

    def __repr__(self):
        return f"Action({str(self)!r})"

    def __eq__(self, other):
        return self.code == other.code if isinstance(other, Action) else NotImplemented

    def __hash__(self):
        return hash(self.code)

    def __reduce__(self):
        return Action, (str(self),)


def _text_of(value):
    if isinstance(value, (str, Action, Turn)):
        return str(value)
    raise NotationError(f"text expected, not {type(value).__name__}")


cdef class Turn:
    """A whole turn, or the beginning of one; immutable, hashable. `str()` gives its text."""

    def __init__(self, text):
        self.codes, self.chance, self.open = parse_turn(_text_of(text))

    @property
    def actions(self):
        """The actions in order, "end" included if it was written."""
        return tuple(Action(action_text(code)) for code in self.codes)

    def without_chance(self):
        """The same turn as an engine would answer it."""
        return self if self.chance is None else make_turn(self.codes)

    def __str__(self):
        text = ",".join([action_text(code) for code in self.codes])
        if self.open:
            text += ","
        return text if self.chance is None else f"{text}/{self.chance}"

    def __repr__(self):
        return f"Turn({str(self)!r})"

    def __eq__(self, other):
        return str(self) == str(other) if isinstance(other, Turn) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __reduce__(self):
        return Turn, (str(self),)


cdef Turn make_turn(tuple codes):
    cdef Turn turn = Turn.__new__(Turn)
    turn.codes = codes if codes else (action_code(A_END, 0, 0),)
    turn.chance = None
    turn.open = False
    return turn
