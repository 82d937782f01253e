"""What a training run is: everything that decides which weights come out of it."""

import math
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Final, NamedTuple

from harmonies_core.learning.selfplay import Plan
from harmonies_core.rules import Rules

__all__ = ["Budget", "Configuration", "Settings", "Width"]

Width = tuple[int, int, int, int]  # of a beam: cards, then tokens one, two and three


class Configuration(NamedTuple):
    """A kind of game, and its share among all games (a whole number)."""

    players: int
    spirits: bool
    share: int


_MIXTURE: Final = (
    Configuration(2, False, 50),
    Configuration(2, True, 15),
    Configuration(3, False, 8),
    Configuration(3, True, 4),
    Configuration(4, False, 8),
    Configuration(4, True, 4),
    Configuration(1, False, 8),
    Configuration(1, True, 3),
)

# What a run can go on with.
_PARTS: Final = ("look", "plain", "spirits")

_LOOK: Final = (12, 4)

# Least and most of every number.
_RANGES: Final[dict[str, tuple[float, float]]] = {
    "seed": (0, 2**63 - 1),
    "others": (0, 1),
    "whim": (0, 1),
    "decay": (0, 1),
    "last_decay": (0, 1),
    "ratio": (0.01, 1000),
    "batch": (1, 65536),
    "first_rate": (1e-8, 1),
    "look_rate": (1e-8, 1),
    "last_rate": (1e-8, 1),
    "averaging": (0, 1),
    "shrink": (0, 100),
    "memory": (100, 20_000_000),
    "warmup": (1, 1_000_000),
    "chunk": (1, 100_000),
    "evaluate_every": (1, 1_000_000_000),
    "deals": (2, 100_000),
    "look_after": (0, 1_000_000_000),
    "look_ratio": (0.01, 1000),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One run. Raises ValueError where a number makes no sense.

    side, seed: what is trained; everything left to chance follows from the seed.
    mixture: the kinds of games. others: probability that a game has other styles on all seats
    but one, drawn by the shares `styles`. whim: probability of a turn that is not the best one.
    width, match_width: of the beam in self-play, and in the matches. look: candidates and
    samples of a look-ahead in self-play, whose findings are learned from too; (0, 0) for none.
    look_after: games that are played without it first; lambda falls as long.
    look_ratio: `ratio` from then on: what was searched is less noisy.
    decay, last_decay: lambda of the targets, for one round, at first and after `look_after`
    games; in between along a straight line. ratio: how often a sample is learned from, on
    average. batch: samples in a step. first_rate, look_rate, last_rate: size of the steps at
    the beginning, where a look-ahead begins and at the end, from one to the next along half a
    cosine. averaging: share that the running mean keeps in a step.
    memory: samples that are kept, 588 bytes each. warmup: games of the hand-made player to begin
    with. chunk: games between two rounds of steps. evaluate_every: games between two rounds of
    matches. deals: of a match.
    """

    side: str
    seed: int
    mixture: tuple[Configuration, ...] = _MIXTURE
    others: float = 0.333
    styles: tuple[tuple[str, int], ...] = (("net", 1), ("hand", 1), ("now", 1), ("rush", 1))
    whim: float = 0.02
    width: Width = (1, 4, 4, 3)
    look: tuple[int, int] = (0, 0)
    look_after: int = 100_000
    look_ratio: float = 4.0
    match_width: Width = (2, 6, 6, 4)
    decay: float = 0.7
    last_decay: float = 0.3
    ratio: float = 3.0
    batch: int = 512
    first_rate: float = 1e-3
    look_rate: float = 2e-4
    last_rate: float = 2e-4
    shrink: float = 0.3
    averaging: float = 0.999
    memory: int = 600_000
    warmup: int = 3000
    chunk: int = 200
    evaluate_every: int = 8000
    deals: int = 100

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name in _RANGES:
                check_range(field.name, getattr(self, field.name), *_RANGES[field.name])
        rates = ["first_rate", "last_rate"]
        if self.look != (0, 0):
            rates.insert(1, "look_rate")
        for before, after in pairwise(rates):
            if getattr(self, after) > getattr(self, before):
                raise ValueError(
                    f"{after}: {getattr(self, after):g} is larger than {before}, "
                    f"{getattr(self, before):g}"
                )
        if len({name for name, _ in self.styles}) < len(self.styles):
            raise ValueError("styles: a style is named twice")
        for name, width in (("width", self.width), ("match_width", self.match_width)):
            try:
                Plan([(Rules(side=self.side), 1)], {"net": 1}, width, 0, 0, 0)
            except ValueError as error:
                raise ValueError(str(error).replace("width", name, 1)) from None
        self.plan(self.look_after)

    @property
    def kinds(self) -> tuple[bool, ...]:
        """Whether there are games without and with spirits: False, True or both."""
        return tuple(sorted({kind.spirits for kind in self.mixture if kind.share > 0}))

    def part(self, name: str) -> "Settings":
        """Those of a run that goes on with part of the games.

        name: "look" for all kinds of games, by look-ahead; "plain" or "spirits" for one kind,
        without. The step goes on where it ended and falls to a tenth; matches have four times as
        many deals, since what comes is not much better than what was.
        """
        if name not in _PARTS:
            raise ValueError(f"part: {name!r} is not one of {', '.join(_PARTS)}")
        mixture = self.mixture
        if name != "look":
            spirits = name == "spirits"
            mixture = tuple(kind for kind in mixture if kind.spirits == spirits)
        look = (0, 0) if name != "look" else _LOOK if self.look == (0, 0) else self.look
        return replace(
            self,
            mixture=mixture,
            look=look,
            decay=self.last_decay,
            deals=min(4 * self.deals, int(_RANGES["deals"][1])),
            look_after=0,
            first_rate=self.last_rate,
            look_rate=self.last_rate,
            last_rate=max(self.last_rate / 10, _RANGES["last_rate"][0]),
        )

    def plan(self, games: int = 0) -> Plan:
        """The games of self-play after so many of them, as the core wants them."""
        mixture = [
            (Rules(players, self.side, spirits=spirits), share)
            for players, spirits, share in self.mixture
        ]
        look = self.look if self.looks(games) else (0, 0)
        past = min(1.0, games / self.look_after) if self.look_after else 1.0
        decay = self.decay + (self.last_decay - self.decay) * past
        return Plan(mixture, dict(self.styles), self.width, decay, self.whim, self.others, look)

    def looks(self, games: int) -> bool:
        """Whether games are played by look-ahead after so many of them."""
        return self.look != (0, 0) and games >= self.look_after

    def rate(self, done: float, begun: float = math.inf) -> float:
        """Size of the steps when the share `done`, 0 to 1, of the training is behind.

        begun: the share at which the look-ahead begins, more than 1 if it does not.
        """
        if begun > 1:
            return _between(self.first_rate, self.last_rate, done)
        if done < begun or begun == 1:
            return _between(self.first_rate, self.look_rate, done / begun)
        return _between(self.look_rate, self.last_rate, (done - begun) / (1 - begun))

    def begun(self, games: int | None) -> float:
        """The share of so many games, or of a time, at which the look-ahead begins; see `rate`."""
        return self.look_after / games if games and self.look != (0, 0) else math.inf


def _between(first: float, last: float, done: float) -> float:
    """Along half a cosine."""
    return last + (first - last) * (1 + math.cos(math.pi * min(1.0, done))) / 2


@dataclass(frozen=True, slots=True)
class Budget:
    """How far a run goes: games without the warm-up, minutes of training, or what ends first.

    begin: the games that it has from the run before. Raises ValueError if neither games nor
    minutes are given or a number makes no sense.
    """

    games: int | None = None
    minutes: float | None = None
    begin: int = 0

    def __post_init__(self) -> None:
        if self.games is None and self.minutes is None:
            raise ValueError("games or minutes: how long shall the training be?")
        if self.games is not None:
            check_range("games", self.games, self.begin + 1, 2 * 10**9)
        if self.minutes is not None:
            check_range("minutes", self.minutes, 1e-6, 10**6)

    def done(self, games: int, seconds: float) -> float:
        """The share that is behind after so many games and seconds; 1 or more at the end."""
        by_games = 0.0
        if self.games is not None:
            by_games = (games - self.begin) / (self.games - self.begin)
        by_time = seconds / (60 * self.minutes) if self.minutes is not None else 0.0
        return max(by_games, by_time)

    def left(self, games: int) -> int:
        """Games that are left; many without a number of games."""
        return self.games - games if self.games is not None else 10**9


def check_range(name: str, value: float, least: float, most: float) -> None:
    """Raise ValueError unless a number, which may be no number at all, is in a range."""
    if not least <= value <= most:
        raise ValueError(f"{name}: {value} is not a number from {least:g} to {most:g}")
