"""The exceptions that the package raises on purpose.

All but `StoppedError` derive from `HarmoniesError`, which is a `ValueError`: whatever text or
value a caller hands in, catching that one class is enough. Messages are one line, say what was
found and what was expected, and are meant to be shown to people as they are.
"""

__all__ = [
    "HarmoniesError",
    "IllegalActionError",
    "NotationError",
    "PackError",
    "PositionError",
    "RulesError",
    "StoppedError",
    "WeightsError",
]


class HarmoniesError(ValueError):
    """Base class of every error that this package reports about its input."""


class PackError(HarmoniesError):
    """A card pack cannot be read, is not valid, or does not go together with another one."""


class NotationError(HarmoniesError):
    """A text is not well-formed: a cell, card, turn or position cannot be read from it."""


class PositionError(HarmoniesError):
    """A position is well-formed but cannot occur: its tokens, cards or turns do not add up."""


class IllegalActionError(HarmoniesError):
    """An action or a turn is well-formed but not allowed in the position it was played in."""


class RulesError(HarmoniesError):
    """A combination of players, side, spirits, packs and options that no game can have."""


class WeightsError(HarmoniesError):
    """A weights file cannot be read, is damaged, or was made for another network."""


class StoppedError(Exception):
    """What was asked for was stopped by its caller before there was an answer."""
