"""What the pictures of a report show, collected game by game."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine_cli.match.outcome import Outcome
from engine_cli.match.standings import Standings

__all__ = ["Series", "collect"]


@dataclass(slots=True)
class Series:
    """Values by engine, and the course of the test."""

    points: list[list[int]]
    """Of games that were played to their end."""
    turn_times: list[list[float]]
    """Mean milliseconds a turn, one value for each game."""
    llr: list[float] = field(default_factory=list)
    """After every pair of games that counted."""


def collect(standings: Standings, outcomes: Iterable[Outcome]) -> Series:
    """Count all outcomes in, and keep what the pictures need."""
    count = len(standings.names)
    series = Series([[] for _ in range(count)], [[] for _ in range(count)])
    pairs = 0
    for outcome in sorted(outcomes, key=lambda outcome: outcome.index):
        standings.add(outcome)
        for seat in outcome.seats:
            if outcome.normal:
                series.points[seat.engine].append(seat.points)
            if seat.turns:
                series.turn_times[seat.engine].append(seat.time / seat.turns)
        if standings.sprt is not None:
            counted = sum(standings.pairs[0, 1].groups)
            if counted > pairs:
                pairs = counted
                series.llr.append(standings.llr)
    standings.close_gaps()
    return series
