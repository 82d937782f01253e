"""Texts of positions and turns, both ways (docs/notation.md)."""

from collections.abc import Sequence

from harmonies_core.cards import Pack
from harmonies_core.rules import Rules

LETTERS: str

def shown(text: object, most: int = 40) -> str:
    """A piece of someone's text, quoted, cut to a length fit for one line of a message."""

def card_number(digits: str, text: object) -> int:
    """A card number from 1 to 127; NotationError names the text it stands in."""

def parse_turn(text: str) -> tuple[tuple[int, ...], str | None, bool]:
    """(action codes, chance part or None, kept open) of a word; NotationError."""

def parse_chance(
    text: str,
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, int] | None]:
    """(groups of three colours ascending, cards, pair or None) of a chance part."""

def rules_text(rules: Rules) -> str:
    """The first field of an HFEN."""

def parse_rules(text: str, packs: Sequence[Pack] = ()) -> Rules:
    """Rules of the first field; `packs` are Pack objects the text may name."""

def seed_of(text: str) -> int | None:
    """The number of an HFEN's `seed:` field, None without one; PositionError if malformed."""
