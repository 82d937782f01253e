"""The state of a tournament: takes games in any order, counts them in that of the schedule.

So the figures do not depend on which game ended first, on interrupts, or on the number of games
played at a time. What is ahead of a game that is still to come waits for it; `close_gaps` counts
it all the same, at the end of a run.
"""

from collections import Counter
from dataclasses import dataclass, field

from engine_cli.match.config import Tournament
from engine_cli.match.outcome import CATEGORIES, Outcome
from engine_cli.match.schedule import Schedule
from engine_cli.match.stats.points import Mean
from engine_cli.match.stats.ratings import Ratings
from engine_cli.match.stats.sprt import Sprt

__all__ = ["EngineTally", "PairTally", "Standings"]


@dataclass(slots=True)
class EngineTally:
    """What one engine did. Means are over groups, their errors too; rates are over games."""

    games: int = 0
    """Seats played, broken-off games included."""
    wins: int = 0
    """Games in which it was alone in the first place."""
    draws: int = 0
    """Games in which it shared the first place."""
    losses: int = 0
    score: Mean = field(default_factory=Mean)
    """Of a game, 0 to 1."""
    rank: Mean = field(default_factory=Mean)
    points: Mean = field(default_factory=Mean)
    """Of games that were played to their end, as all that follows."""
    categories: dict[str, Mean] = field(default_factory=lambda: {n: Mean() for n in CATEGORIES})
    suns: Mean = field(default_factory=Mean)
    finished: int = 0
    turns: int = 0
    nodes: int = 0
    time: int = 0
    """Milliseconds, in all games."""
    slowest: int = 0
    """Milliseconds of the slowest turn."""
    faults: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class PairTally:
    """What happened between two engines, seen from the first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: Mean = field(default_factory=Mean)
    """Of a game, 0 to 1; over groups."""
    margin: Mean = field(default_factory=Mean)
    """Points of the first less those of the second; over groups."""
    groups: list[int] = field(default_factory=lambda: [0] * 5)
    """With two seats: pairs of games in which the first scored 0, ½, 1, 1½, 2."""


class Standings:
    """All tallies of a tournament."""

    def __init__(
        self, tournament: Tournament, schedule: Schedule, sprt: Sprt | None = None
    ) -> None:
        count = len(tournament.engines)
        self.names = tournament.names
        self.players = schedule.players
        self.total = len(schedule)
        self.sprt = sprt
        self.llr = 0.0
        self.decision: str | None = None
        """The hypothesis that the test accepted. What comes after it is not counted."""
        self.finished = 0
        """Games on the disk, counted or not."""
        self.counted = 0
        self.engines = [EngineTally() for _ in range(count)]
        self.pairs = {(a, b): PairTally() for a in range(count) for b in range(a + 1, count)}
        self.ratings = Ratings(count) if self.players > 2 else None
        self._has = bytearray(self.total)
        self._next = 0
        self._waiting: dict[int, Outcome] = {}
        self._group: list[Outcome] = []
        self._round: dict[int, float] = {}

    @property
    def decided(self) -> bool:
        """Whether the test is over."""
        return self.decision is not None

    @property
    def beyond(self) -> int:
        """Games on the disk that are of rounds after the last one asked for."""
        return sum(self._has[self.total :])

    def has(self, index: int) -> bool:
        """Whether this game was played."""
        return index < len(self._has) and bool(self._has[index])

    def add(self, outcome: Outcome) -> None:
        """Take a finished game. Raises ValueError for one that is there already."""
        if outcome.index >= len(self._has):
            self._has.extend(bytes(outcome.index + 1 - len(self._has)))
        if self._has[outcome.index]:
            raise ValueError(f"game {outcome.index} was played twice")
        self._has[outcome.index] = 1
        self.finished += 1
        self._waiting[outcome.index] = outcome
        while (found := self._waiting.pop(self._next, None)) is not None:
            self._next += 1
            self._count(found)

    def close_gaps(self) -> None:
        """Count what waits for games that will not be played in this run; nothing can follow."""
        for index in sorted(self._waiting):
            self._count(self._waiting[index])
        self._waiting.clear()

    def _count(self, outcome: Outcome) -> None:
        if self.decided:
            return
        self.counted += 1
        self._count_game(outcome)
        if self._group and outcome.index // self.players != self._group[0].index // self.players:
            self._group.clear()  # a group that stayed incomplete
        self._group.append(outcome)
        if len(self._group) == self.players:
            self._count_group(self._group)
            self._group.clear()

    def _count_game(self, outcome: Outcome) -> None:
        first = sum(seat.rank == 1 for seat in outcome.seats)
        for seat in outcome.seats:
            tally = self.engines[seat.engine]
            tally.games += 1
            if self.players > 1:
                tally.wins += seat.rank == 1 and first == 1
                tally.draws += seat.rank == 1 and first > 1
                tally.losses += seat.rank != 1
            tally.finished += outcome.normal
            tally.turns += seat.turns
            tally.nodes += seat.nodes
            tally.time += seat.time
            tally.slowest = max(tally.slowest, seat.slowest)
            if seat.fault:
                tally.faults[seat.fault] += 1
        if self.players == 2:
            one, other = outcome.seats
            if one.engine > other.engine:
                one, other = other, one
            if one.engine != other.engine:
                pair = self.pairs[one.engine, other.engine]
                pair.wins += one.rank < other.rank
                pair.draws += one.rank == other.rank
                pair.losses += one.rank > other.rank
        if self.ratings is not None:
            self.ratings.add(
                [seat.engine for seat in outcome.seats], [seat.rank for seat in outcome.seats]
            )

    def _count_group(self, games: list[Outcome]) -> None:
        engines = sorted({seat.engine for seat in games[0].seats})
        seats = {
            engine: [
                (game, place)
                for game in games
                for place, seat in enumerate(game.seats)
                if seat.engine == engine
            ]
            for engine in engines
        }
        points: dict[int, float] = {}
        for engine in engines:
            tally, played = self.engines[engine], seats[engine]
            tally.score.add(_mean([game.scores[place] for game, place in played]))
            tally.rank.add(_mean([game.seats[place].rank for game, place in played]))
            whole = [game.seats[place] for game, place in played if game.normal]
            if not whole:
                continue
            points[engine] = _mean([seat.points for seat in whole])
            tally.points.add(points[engine])
            for number, name in enumerate(CATEGORIES):
                tally.categories[name].add(_mean([seat.categories[number] for seat in whole]))
            suns = [game.suns for game in games if game.normal and game.suns is not None]
            if suns:
                tally.suns.add(_mean(suns))
        if self.players == 1:
            points = self._same_deal(games[0].index, points)
        for (a, b), pair in self.pairs.items():
            if self.players == 1:
                if a in points and b in points:
                    pair.margin.add(points[a] - points[b])
                continue
            if a in seats and b in seats:
                self._count_pair(pair, games, a, b)
                if a in points and b in points:
                    pair.margin.add(points[a] - points[b])

    def _same_deal(self, index: int, points: dict[int, float]) -> dict[int, float]:
        """Points of all engines on the deal of a solo round, once the round is complete."""
        if index % len(self.engines) == 0:
            self._round.clear()
        self._round.update(points)
        return dict(self._round) if index % len(self.engines) == len(self.engines) - 1 else {}

    def _count_pair(self, pair: PairTally, games: list[Outcome], a: int, b: int) -> None:
        """Score of one engine against another, every seat against every seat."""
        scores = [
            (one.rank < other.rank) + 0.5 * (one.rank == other.rank)
            for game in games
            for one in game.seats
            for other in game.seats
            if one.engine == a and other.engine == b
        ]
        pair.score.add(_mean(scores))
        if self.players == 2:
            pair.groups[round(2 * sum(scores))] += 1
            if self.sprt is not None and (a, b) == (0, 1):
                self.llr = self.sprt.llr(pair.groups)
                self.decision = self.sprt.decision(pair.groups)


def _mean(values: list[int] | list[float]) -> float:
    return sum(values) / len(values)
