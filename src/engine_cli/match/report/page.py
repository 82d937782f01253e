"""Puts a report together."""

import math
from collections.abc import Iterator
from importlib import resources
from typing import Any

import jinja2
from rich.table import Table

from engine_cli.match.archive import Entry, entries
from engine_cli.match.display import fault_lines, main_table, pair_lines
from engine_cli.match.report import charts
from engine_cli.match.report.series import collect
from engine_cli.match.schedule import Schedule
from engine_cli.match.standings import Standings
from engine_cli.match.stored import StoredTournament

__all__ = ["report_page"]


def report_page(stored: StoredTournament, most_games: int) -> str:
    """The page, with the records of at most so many games. Raises JournalError, ArchiveError."""
    standings = Standings(stored.tournament, Schedule(stored.tournament), stored.sprt)
    series = collect(standings, stored.outcomes())
    pictures = [
        ("Ratings", charts.ratings(standings)),
        ("Points by category", charts.categories(standings)),
        ("Distribution of points", charts.distributions(standings, series)),
        ("Use of time", charts.times(standings, series)),
    ]
    if standings.sprt is not None:
        pictures.append(("Course of the SPRT", charts.llr(standings, series)))
    games = list(_games(stored, most_games))
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = resources.files("engine_cli.match.report").joinpath("page.html")
    return environment.from_string(template.read_text(encoding="utf-8")).render(
        title=" - ".join(standings.names),
        rules=_rules(stored),
        played=f"{standings.finished} of {standings.total} games played",
        standings=_table(main_table(standings)),
        lines=list(pair_lines(standings)),
        cross=_cross(standings, games) if standings.players > 1 else None,
        charts=[{"title": title, "svg": svg} for title, svg in pictures if svg],
        engines=list(_engines(stored, standings)),
        faults=list(fault_lines(standings)),
        games=[_game(entry) for entry in games],
        games_note=_note(standings, games, stored),
    )


def _rules(stored: StoredTournament) -> str:
    rules, tournament = stored.tournament.rules, stored.tournament
    seats = "Solo" if rules.players == 1 else f"{rules.players} seats"
    words = [seats, f"side {rules.side}"]
    if rules.spirits:
        words.append("Nature's Spirits")
    return ", ".join([*words, tournament.format, f"seed {tournament.seed}"])


def _table(table: Table) -> dict[str, Any]:
    """The cells of a table made for the terminal."""
    columns = [list(column.cells) for column in table.columns]
    return {
        "headings": [column.header for column in table.columns],
        "rows": list(zip(*columns, strict=True)),
    }


def _cross(standings: Standings, games: list[Entry]) -> dict[str, Any]:
    names = standings.names
    first: dict[frozenset[str], str] = {}
    for entry in games:
        for one in set(entry.players):
            for other in set(entry.players) - {one}:
                first.setdefault(frozenset((one, other)), entry.name)
    rows = []
    for a, name in enumerate(names):
        cells = []
        for b, other in enumerate(names):
            text = ""
            if a != b:
                pair = standings.pairs[min(a, b), max(a, b)]
                sign = 1 if a < b else -1
                if pair.score.count:
                    score = pair.score.mean if a < b else 1 - pair.score.mean
                    text = f"{100 * score:.1f}"
                if pair.margin.count:
                    text += f" ({sign * pair.margin.mean:+.1f}"
                    text += "" if math.isinf(pair.margin.error) else f" ± {pair.margin.error:.1f}"
                    text += ")"
            cells.append({"text": text, "game": first.get(frozenset((name, other)))})
        rows.append({"name": name, "cells": cells})
    return {"names": names, "rows": rows}


def _engines(stored: StoredTournament, standings: Standings) -> Iterator[list[str]]:
    for engine, tally in zip(stored.tournament.engines, standings.engines, strict=True):
        turns = max(1, tally.turns)
        yield [
            engine.name,
            " ".join(engine.command) or "comes with this program",
            ", ".join(f"{name}={value}" for name, value in engine.options.items()),
            str(engine.limits),
            str(tally.turns),
            f"{tally.time / turns:.1f}",
            str(tally.slowest),
            f"{tally.nodes / turns:.0f}",
        ]


def _games(stored: StoredTournament, most: int) -> Iterator[Entry]:
    """The first games, and as many more in which something went wrong."""
    faulty = 0
    for number, entry in enumerate(entries(stored.games)):
        if number < most:
            yield entry
        elif entry.end != "normal" and faulty < most:
            faulty += 1
            yield entry


def _game(entry: Entry) -> dict[str, Any]:
    seats = [
        f"{name} {points}" for name, (points, _) in zip(entry.players, entry.points, strict=False)
    ]
    told = "" if entry.end == "normal" else f" - {entry.tags.get('Termination', entry.end)}"
    return {
        "name": entry.name,
        "title": f"{entry.name}: {', '.join(seats)}{told}",
        "fault": entry.end != "normal",
        "text": entry.text,
    }


def _note(standings: Standings, games: list[Entry], stored: StoredTournament) -> str:
    if len(games) == standings.finished:
        return "All games."
    return (
        f"{len(games)} of {standings.finished} games; the others: "
        f"harmonies games {stored.folder} --game ID"
    )
