"""Which games are played: an ordered list that follows from engines, format and seed alone.

A *lineup* is the set of engines that meet. In every round each lineup plays one *group*: one deal
in all cyclic rotations of the seats, so that every engine has every seat once. A solo lineup is
one engine, and all engines play the same deal in the same round.
"""

import hashlib
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from engine_cli.match.config import Tournament

__all__ = ["Game", "Schedule", "ScheduleError"]


class ScheduleError(ValueError):
    """Engines, seats and format that do not go together."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the schedule."""

    index: int
    """Place in the schedule, from 0."""
    round: int
    lineup: int
    rotation: int
    """Round, lineup and rotation from 1."""
    seats: tuple[int, ...]
    """The engine of every seat, as its place in the list of engines."""
    seed: int
    """Of the deal."""

    @property
    def id(self) -> str:
        """The name of the game, e.g. 12-1-2."""
        return f"{self.round}-{self.lineup}-{self.rotation}"


class Schedule:
    """The games of a tournament by their place. Raises ScheduleError."""

    def __init__(self, tournament: Tournament) -> None:
        self._seed = tournament.seed
        self._rounds = tournament.rounds
        self.players = tournament.rules.players
        self.lineups = _lineups(len(tournament.engines), self.players, tournament.format)

    def __len__(self) -> int:
        return self._rounds * self.per_round

    @property
    def per_round(self) -> int:
        """Games of a round."""
        return len(self.lineups) * self.players

    def __getitem__(self, index: int) -> Game:
        if not 0 <= index < len(self):
            raise IndexError(index)
        group, rotation = divmod(index, self.players)
        round_, place = divmod(group, len(self.lineups))
        order = self._order(round_ + 1, place + 1, self.lineups[place])
        seats = order[rotation:] + order[:rotation]
        deal = self._deal(round_ + 1, place + 1)
        return Game(index, round_ + 1, place + 1, rotation + 1, seats, deal)

    def id_of(self, index: int) -> str:
        """The name of a game, also of rounds that were not asked for."""
        group, rotation = divmod(index, self.players)
        round_, place = divmod(group, len(self.lineups))
        return f"{round_ + 1}-{place + 1}-{rotation + 1}"

    def __iter__(self) -> Iterator[Game]:
        return (self[index] for index in range(len(self)))

    def _order(self, round_: int, lineup: int, engines: tuple[int, ...]) -> tuple[int, ...]:
        """The order round the table; with three or four, who follows whom changes by round."""
        if self.players < 3:
            return engines
        order = list(engines)
        random.Random(f"{self._seed}/{round_}/{lineup}/order").shuffle(order)
        return tuple(order)

    def _deal(self, round_: int, lineup: int) -> int:
        """The seed of a deal, below 2^60."""
        name = f"{self._seed}/{round_}" if self.players == 1 else f"{self._seed}/{round_}/{lineup}"
        digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 4


def _lineups(engines: int, players: int, format: str) -> tuple[tuple[int, ...], ...]:
    if players == 1:
        if engines < 1:
            raise ScheduleError("a solo tournament needs an engine")
        return tuple((engine,) for engine in range(engines))
    if engines < 2:
        raise ScheduleError(f"{players} seats need at least two engines")
    if format == "match" and engines != 2:
        raise ScheduleError(f"a match is between two engines, not {engines}")
    if engines <= players:
        # all meet; in each lineup other engines have one of the seats that are left over
        seats, over = divmod(players, engines)
        return tuple(
            tuple(sorted([*range(engines)] * seats + list(more)))
            for more in itertools.combinations(range(engines), over)
        )
    if format == "gauntlet":
        others = itertools.combinations(range(1, engines), players - 1)
        return tuple((0, *rest) for rest in others)
    return tuple(itertools.combinations(range(engines), players))
