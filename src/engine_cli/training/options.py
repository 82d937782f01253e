"""Options of `harmonies train` that say what a run is."""

import functools
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, Final

import click

from harmonies_core.learning.settings import Configuration, Settings, Width

__all__ = ["as_typed", "by_option", "read_seeds", "takes_settings"]

_DEFAULTS: Final = {
    field.name: field.default for field in fields(Settings) if field.default is not MISSING
}

# Field of the settings, name of the option, type, help.
_NUMBERS: Final = (
    ("evaluate_every", "--evaluate-every", int, "Games between two rounds of matches."),
    ("deals", "--deals", int, "Deals of a match; against the styles half as many."),
    ("warmup", "--warm-up", int, "Games of the hand-made player to begin with."),
    ("look_after", "--look-after", int, "Games until a look-ahead begins; lambda falls as long."),
    ("look_ratio", "--look-ratio", float, "The same as --ratio, with look-ahead."),
    ("chunk", "--chunk", int, "Games between two rounds of learning."),
    ("decay", "--lambda", float, "Share of what came in a target; the rest is what was expected."),
    ("last_decay", "--last-lambda", float, "The same after --look-after games."),
    ("ratio", "--ratio", float, "How often a sample is learned from, on average."),
    ("batch", "--batch", int, "Samples in a step."),
    ("first_rate", "--first-rate", float, "Size of the first steps."),
    ("look_rate", "--look-rate", float, "Size of the steps when a look-ahead begins."),
    ("last_rate", "--last-rate", float, "Size of the last steps."),
    ("shrink", "--weight-decay", float, "Weight decay, apart from the gradient (AdamW)."),
    ("averaging", "--averaging", float, "Share that the mean which plays keeps in a step."),
    ("memory", "--memory", int, "Samples in the replay memory, 0.6 kB each."),
    ("whim", "--whim", float, "Probability of a turn that is not the best one."),
    ("others", "--others", float, "Probability that other styles sit on all seats but one."),
)


def takes_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets them as ``settings``, all but side and seed."""

    @functools.wraps(command)
    def wrapper(*args: Any, **options: Any) -> Any:
        found = {name: options.pop(name) for name in _DEFAULTS}
        given = {name: value for name, value in found.items() if value is not None}
        return command(*args, settings=given, **options)

    for name, option, kind, text in reversed(_NUMBERS):
        wrapper = _option(name, option, text, type=kind, metavar="N" if kind is int else "X")(
            wrapper
        )
    for name, option, read, shown, text in (
        ("styles", "--styles", _read_styles, "STYLE:N,…",
         "Shares of the styles in games with others."),
        ("mixture", "--mixture", _read_mixture, "KIND:N,…",
         "Shares of the kinds of games: players, and s for spirits."),
        ("look", "--look", _read_look, "N,N",
         "Look-ahead in self-play, learned from too: candidates and samples, 0,0 for none."),
        ("match_width", "--match-width", _read_width, "N,N,N,N", "The same in matches."),
        ("width", "--width", _read_width, "N,N,N,N",
         "Beam in self-play: cards, and nodes after tokens one, two, three."),
    ):  # fmt: skip
        wrapper = _option(name, option, text, type=_typed(read), metavar=shown)(wrapper)
    return wrapper


def _option(name: str, option: str, text: str, **rest: Any) -> Callable[..., Any]:
    default = _DEFAULTS[name]
    return click.option(option, name, help=f"{text}  [default: {as_typed(name, default)}]", **rest)


def as_typed(name: str, value: Any) -> str:
    """A value of an option as it would be typed."""
    if name == "styles":
        return ",".join(f"{style}:{share}" for style, share in value)
    if name == "mixture":
        return ",".join(f"{players}{'s' * spirits}:{share}" for players, spirits, share in value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def by_option(error: ValueError) -> str:
    """A message about settings with the name of the option instead of the field."""
    name, colon, rest = str(error).partition(":")
    names = {field: option for field, option, *_ in _NUMBERS}
    return f"{names.get(name, name)}{colon}{rest}"


def _typed(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A type for click from a function that raises ValueError."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return convert


def _read_seeds(text: str) -> tuple[int, ...]:
    """Different numbers, separated by commas; raises ValueError."""
    seeds = tuple(_number(word) for word in text.split(","))
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"{text!r} names a seed twice")
    if len(seeds) > 32:
        raise ValueError(f"{len(seeds)} seeds are too many, at most 32")
    return seeds


def _read_width(text: str) -> Width:
    numbers = tuple(_number(word) for word in text.split(","))
    if len(numbers) != 4:
        raise ValueError(f"{text!r} are not four numbers, such as 1,4,4,3")
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _read_look(text: str) -> tuple[int, int]:
    numbers = tuple(_number(word) for word in text.split(","))
    if len(numbers) != 2:
        raise ValueError(f"{text!r} are not two numbers, such as 12,4")
    return numbers[0], numbers[1]


def _read_mixture(text: str) -> tuple[Configuration, ...]:
    found = []
    for word in text.split(","):
        kind, share = _pair(word, "2s:15")
        players = kind.removesuffix("s")
        if players not in ("1", "2", "3", "4"):
            raise ValueError(f"{kind!r} is not 1 to 4 players, with s for spirits, as in 2s:15")
        found.append(Configuration(int(players), kind.endswith("s"), share))
    return tuple(found)


def _read_styles(text: str) -> tuple[tuple[str, int], ...]:
    return tuple(_pair(word, "hand:1") for word in text.split(","))


def _pair(word: str, example: str) -> tuple[str, int]:
    name, colon, share = word.strip().partition(":")
    if not colon:
        raise ValueError(f"{word!r} has no share, as in {example}")
    return name, _number(share)


def _number(word: str) -> int:
    if not (word.strip().isascii() and word.strip().isdigit() and len(word) < 20):
        raise ValueError(f"{word!r} is not a whole number")
    return int(word)


read_seeds = _typed(_read_seeds)
