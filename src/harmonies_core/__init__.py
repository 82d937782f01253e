"""The game of Harmonies and the search for its best turns."""

from harmonies_core.cards import Card, Catalogue, Pack, builtin_pack, load_pack
from harmonies_core.errors import (
    HarmoniesError,
    IllegalActionError,
    NotationError,
    PackError,
    PositionError,
    RulesError,
    StoppedError,
)
from harmonies_core.game import (
    Action,
    Dealer,
    HeldCard,
    Pending,
    Position,
    Result,
    Score,
    Turn,
    Turns,
    count_placements,
    perft,
)
from harmonies_core.rules import Rules

__all__ = [
    "Action",
    "Card",
    "Catalogue",
    "Dealer",
    "HarmoniesError",
    "HeldCard",
    "IllegalActionError",
    "NotationError",
    "Pack",
    "PackError",
    "Pending",
    "Position",
    "PositionError",
    "Result",
    "Rules",
    "RulesError",
    "Score",
    "StoppedError",
    "Turn",
    "Turns",
    "builtin_pack",
    "count_placements",
    "load_pack",
    "perft",
]
