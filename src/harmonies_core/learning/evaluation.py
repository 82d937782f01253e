"""Matches that say how good a network is, with errors over deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from harmonies_core.learning.match import play_match
from harmonies_core.learning.settings import Width
from harmonies_core.learning.workers import Workers
from harmonies_core.rules import Rules

__all__ = ["Player", "Score", "Standing", "mirrored", "play", "rank", "self_play"]

# Deals of matches; runs with other seeds play the same ones.
_SEED: Final = 2**63 + 1
_SLICE: Final = 4  # deals that one call plays
# So many deals of the list are for matches that decide who is promoted. Who was lucky in those
# must not be so again where the networks promoted are compared.
_PROMOTIONS: Final = 1 << 30

Player = tuple[str, bytes | None, Width]
Groups = Sequence[Sequence[tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Score:
    """Result of one player against another, each with its standard error over deals.

    win: share of games won, a tie in points counting half. points: mean final points of the
    first, margin: how many more than the second.
    """

    win: float
    win_error: float
    points: float
    margin: float
    margin_error: float
    deals: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A network among others: its number in the list, and its results against all of them."""

    number: int
    win: float
    win_error: float
    points: float


def mirrored(
    side: str,
    first: Player,
    second: Player,
    deals: int,
    workers: Workers,
    skip: int = 0,
    kinds: Sequence[bool] = (False, True),
) -> Groups:
    """Games of two players on so many deals, each played with both seatings.

    kinds: without spirits, with them, or half of the deals of each kind. `skip` deals of the list
    are left out.
    """
    parts = [(deals + i) // len(kinds) for i in reversed(range(len(kinds)))]
    calls = [
        partial(
            play_match,
            Rules(2, side, spirits=spirits),
            [first, second],
            _SEED + spirits,
            skip + at,
            min(_SLICE, number - at),
        )
        for spirits, number in zip(kinds, parts, strict=True)
        for at in range(0, number, _SLICE)
    ]
    return [group for groups in workers.map(calls) for group in groups]


def play(
    side: str,
    first: Player,
    second: Player,
    deals: int,
    workers: Workers,
    skip: int = 0,
    kinds: Sequence[bool] = (False, True),
) -> Score:
    """The first player's result against the second; see `mirrored`."""
    return score(mirrored(side, first, second, deals, workers, skip, kinds))


def score(groups: Groups) -> Score:
    """The result of the first of two players from games grouped by deal."""
    wins = _wins(groups)
    margins = [fmean(a - b for a, b in group) for group in groups]
    return Score(
        fmean(wins),
        _error(wins),
        fmean(fmean(a for a, _ in group) for group in groups),
        fmean(margins),
        _error(margins),
        len(groups),
    )


def self_play(
    side: str, player: Player, deals: int, workers: Workers, spirits: bool = False
) -> tuple[float, float]:
    """Mean points of two seats that play alike, and the standard error."""
    calls = [
        partial(
            play_match,
            Rules(2, side, spirits=spirits),
            [player, player],
            _SEED + 2,
            at,
            min(_SLICE, deals - at),
            rotate=False,
        )
        for at in range(0, deals, _SLICE)
    ]
    means = [fmean(group[0]) for groups in workers.map(calls) for group in groups]
    return fmean(means), _error(means)


def rank(
    side: str,
    nets: Sequence[bytes],
    width: Width,
    deals: int,
    workers: Workers,
    kinds: Sequence[bool] = (False, True),
) -> list[Standing]:
    """Every network plays every other one; the best first, of equal ones the earlier.

    No deal is among those of `mirrored` without or with little to skip.
    """
    players: list[Player] = [("net", net, width) for net in nets]
    wins: list[list[list[float]]] = [[] for _ in nets]
    points: list[list[float]] = [[] for _ in nets]
    for i in range(len(nets)):
        for j in range(i):
            groups = mirrored(side, players[i], players[j], deals, workers, _PROMOTIONS, kinds)
            won = _wins(groups)
            wins[i].append(won)
            wins[j].append([1 - x for x in won])
            for number, place in ((i, 0), (j, 1)):
                points[number] += [fmean(game[place] for game in group) for group in groups]
    standings = []
    for number in range(len(nets)):
        # The same deals for every pair, so what counts is the mean over opponents by deal.
        means = [fmean(deal) for deal in zip(*wins[number], strict=True)] or [0.5]
        mean = fmean(points[number]) if points[number] else 0.0
        standings.append(Standing(number, fmean(means), _error(means), mean))
    return sorted(standings, key=lambda standing: -standing.win)


def _wins(groups: Groups) -> list[float]:
    """Share of games that the first of two players won, by deal."""
    return [fmean((a > b) + (a == b) / 2 for a, b in group) for group in groups]


def _error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
