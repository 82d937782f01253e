"""Standings as tables and lines for people."""

import math
from collections.abc import Iterator

from rich.table import Table

from engine_cli.match.faults import FAULTS, Kind
from engine_cli.match.outcome import CATEGORIES
from engine_cli.match.standings import EngineTally, PairTally, Standings
from engine_cli.match.stats.elo import Elo, estimate, from_moments
from engine_cli.match.stats.outcomes import Moments
from engine_cli.match.stats.points import Mean

__all__ = ["category_table", "engine_elo", "fault_lines", "main_table", "pair_lines", "with_error"]


_WIDE = 4  # columns of engines that fit beside each other


def with_error(mean: Mean, digits: int = 1) -> str:
    """A mean and its standard error, e.g. ``97.4 ± 0.8``."""
    if not mean.count:
        return "-"
    text = f"{mean.mean:.{digits}f}"
    return text if math.isinf(mean.error) else f"{text} ± {mean.error:.{digits}f}"


def engine_elo(tally: EngineTally, games: int) -> Elo:
    """Elo of an engine against all that it met; `games` of a group."""
    score = tally.score
    spread = score.variance * (score.count - 1) / score.count if score.count else 0.0
    return from_moments(Moments(score.count, score.mean if score.count else 0.5, spread), games)


def elo_text(elo: Elo) -> str:
    """The difference and half of its 95 % interval."""
    if math.isinf(elo.diff):
        return "+∞" if elo.diff > 0 else "-∞"
    return f"{elo.diff:+.1f}" + ("" if math.isinf(elo.error) else f" ± {elo.error:.1f}")


def main_table(standings: Standings) -> Table:
    """One line for each engine, best first; se is the standard error of a mean over groups."""
    table = Table()
    table.add_column("engine", overflow="fold", min_width=6)
    headings = {
        1: ("games", "points ± se", "suns ± se", "faults"),
        2: ("games", "+ = -", "score", "Elo ± 95%", "points ± se", "faults"),
    }.get(
        standings.players,
        ("games", "wins", "rank ± se", "rating ±95%", "points ± se", "faults"),
    )
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for place in ranking(standings):
        tally = standings.engines[place]
        table.add_row(standings.names[place], *_cells(standings, place, tally))
    return table


def ranking(standings: Standings) -> list[int]:
    """Engines, best first: by points in solo games, by score else."""
    engines = standings.engines

    def value(place: int) -> float:
        mean = engines[place].points if standings.players == 1 else engines[place].score
        return mean.mean if mean.count else -math.inf

    return sorted(range(len(engines)), key=lambda place: (-value(place), place))


def _cells(standings: Standings, place: int, tally: EngineTally) -> Iterator[str]:
    yield str(tally.games)
    if standings.players == 2:
        yield f"{tally.wins} {tally.draws} {tally.losses}"
        yield f"{100 * tally.score.mean:.1f} %" if tally.score.count else "-"
        yield elo_text(engine_elo(tally, 2)) if tally.score.count else "-"
    elif standings.players > 2 and standings.ratings is not None:
        yield str(tally.wins)
        yield with_error(tally.rank, 2)
        rating = standings.ratings[place]
        yield f"{rating.mean:.1f} ± {rating.reach:.1f}" if tally.games else "-"
    yield with_error(tally.points)
    if standings.players == 1:
        yield with_error(tally.suns, 2)
    yield str(sum(tally.faults.values()))


def category_table(standings: Standings) -> Table:
    """Mean points of every engine by category, with standard errors."""
    table = Table()
    shown = [n for n in CATEGORIES if any(t.categories[n].mean for t in standings.engines)]
    order = ranking(standings)
    cells = [
        ["", *(standings.names[place] for place in order)],
        *(
            [name, *(with_error(standings.engines[place].categories[name]) for place in order)]
            for name in shown
        ),
    ]
    if len(order) > _WIDE:  # engines as lines, not as columns
        cells = [list(line) for line in zip(*cells, strict=True)]
    for number, heading in enumerate(cells[0]):
        table.add_column(heading, justify="right" if number else "left", overflow="fold")
    for line in cells[1:]:
        table.add_row(*line)
    return table


def pair_lines(standings: Standings) -> Iterator[str]:
    """What happened between two engines, for every pair that met."""
    for (a, b), pair in standings.pairs.items():
        names = f"{standings.names[a]} - {standings.names[b]}"
        if standings.players == 1:
            if pair.margin.count:
                yield f"{names}: {with_error(pair.margin)} points on the same deals"
        elif pair.score.count:
            yield from _pair(standings.players, names, pair)
    yield from sprt_lines(standings)


def _pair(players: int, names: str, pair: PairTally) -> Iterator[str]:
    margin = f"margin {with_error(pair.margin)} points" if pair.margin.count else "no margin"
    if players != 2:
        yield f"{names}: ahead in {100 * pair.score.mean:.1f} %, {margin}"
        return
    elo = estimate(pair.groups)
    yield f"{names}: +{pair.wins} ={pair.draws} -{pair.losses}, {margin}"
    low, high = (_number(value) for value in (elo.low, elo.high))
    yield (
        f"  Elo {elo_text(elo)}, 95 % from {low} to {high}; "
        f"likelihood of superiority {100 * elo.los:.1f} %"
    )
    yield (
        f"  normalized Elo {_number(elo.normalized)} ± {_number(elo.normalized_error)}; pairs of "
        f"games with 0, ½, 1, 1½, 2 points: {', '.join(map(str, pair.groups))}"
    )


def _number(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else ("∞" if value > 0 else "-∞")


def sprt_lines(standings: Standings) -> Iterator[str]:
    """The state of the test, if there is one."""
    test = standings.sprt
    if test is None:
        return
    yield (
        f"SPRT {test.elo0:g}, {test.elo1:g} ({test.model} Elo): LLR {standings.llr:.2f} "
        f"({test.lower:.2f}, {test.upper:.2f}), "
        + (f"{standings.decision} accepted" if standings.decided else "not decided")
    )


def fault_lines(standings: Standings) -> Iterator[str]:
    """Every kind of fault of every engine, with its number."""
    for name, tally in zip(standings.names, standings.engines, strict=True):
        for kind, number in sorted(tally.faults.items()):
            meaning = FAULTS[Kind(kind)] if kind in set(Kind) else "not known"
            yield f"{name}: {kind} {number} x ({meaning})"
