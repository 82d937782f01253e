"""`harmonies games`: lists, replays, verifies and exports recorded games."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine_cli.inputs import join_packs, read_packs
from engine_cli.terminal import color_option, examples, json_option, make_console
from harmonies_core.cards import BUILTIN_PACKS, Pack

if TYPE_CHECKING:
    from rich.console import Console

    from engine_cli.match.archive import Entry
    from engine_cli.match.outcome import Outcome

__all__ = ["games"]


@click.command(
    epilog=examples(
        "harmonies games tournaments/kingfisher-greedy-1a2b3c",
        "harmonies games games.hgn --engine greedy --end illegal-turn",
        "harmonies games games.hgn --game 12-1-2 --replay",
        "harmonies games tournaments/kingfisher-greedy-1a2b3c --verify",
        "harmonies games games.hgn --winner greedy --export greedy.hgn",
    ),
)
@click.argument("path", metavar="FILE")
@click.option("--game", "names", multiple=True, metavar="ID", help="This game. Can be repeated.")
@click.option("--engine", metavar="NAME", help="Games in which this engine played.")
@click.option("--winner", metavar="NAME", help="Games that this engine won or shared.")
@click.option("--seed", metavar="N", help="Games of this deal.")
@click.option(
    "--end",
    metavar="NAME",
    help="Games that ended like this: normal, forfeit, or the name of a fault.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The first N of these games.")
@click.option(
    "--pack",
    "packs",
    type=read_packs,
    multiple=True,
    metavar="FILE",
    help="A card pack of your own that the games name. Can be repeated.",
)
@click.option("--replay", is_flag=True, help="Show the boards after every turn.")
@click.option("--turn", metavar="N.SEAT", help="With --replay: only after this turn, e.g. 5.2.")
@click.option(
    "--verify",
    is_flag=True,
    help="Replay through the rules: turns, results, deals, and the results file of a tournament.",
)
@click.option(
    "--export",
    metavar="FILE",
    help="Write these games to a file: .hgn as they are, .json or .csv as a table.",
)
@json_option
@color_option
def games(
    path: str,
    packs: tuple[tuple[Pack, ...], ...],
    replay: bool,
    turn: str | None,
    verify: bool,
    export: str | None,
    as_json: bool,
    no_color: bool,
    **filters: Any,
) -> None:
    """List recorded games, or do something with them.

    FILE is a file of records (HGN) or the folder of a tournament. Without --replay, --verify or
    --export the games are listed.
    """
    from engine_cli.match.archive import ArchiveError
    from engine_cli.match.journal import JournalError

    if sum((replay, verify, export is not None)) > 1:
        raise click.UsageError(
            "--replay, --verify and --export: give one of them", click.get_current_context()
        )
    if turn is not None and not replay:
        raise click.UsageError("--turn goes with --replay", click.get_current_context())
    own = tuple(pack for pack in join_packs(packs) if pack.name not in BUILTIN_PACKS)
    console = make_console(no_color)
    try:
        chosen = _chosen(Path(path), **filters)
        if verify:
            _verify(Path(path), chosen, own)
        elif replay:
            _replay(console, chosen, own, turn)
        elif export is not None:
            _export(export, chosen)
        elif as_json:
            for entry in _watched(Path(path), chosen):
                click.echo(json.dumps(_data(entry)))
        else:
            _list(console, _watched(Path(path), chosen))
    except (ArchiveError, JournalError) as error:
        raise click.ClickException(str(error)) from None


def _chosen(
    path: Path,
    names: tuple[str, ...],
    engine: str | None,
    winner: str | None,
    seed: str | None,
    end: str | None,
    limit: int | None,
) -> "Iterator[Entry]":
    """The games that pass all filters."""
    from engine_cli.match.archive import entries

    tests: list[Callable[[Entry], bool]] = []
    if names:
        tests.append(lambda entry: entry.name in names)
    if engine is not None:
        tests.append(lambda entry: engine in entry.players)
    if winner is not None:
        tests.append(lambda entry: winner in [entry.players[n - 1] for n in entry.winners])
    if seed is not None:
        tests.append(lambda entry: entry.tags.get("Seed") == seed)
    if end == "forfeit":
        tests.append(lambda entry: "Forfeit" in entry.tags)
    elif end is not None:
        tests.append(lambda entry: entry.end == end)
    found = (entry for entry in entries(_file(path)) if all(test(entry) for test in tests))
    return islice(found, limit)


def _file(path: Path) -> Path:
    """The file with the records."""
    from engine_cli.match.journal import GAMES

    return path / GAMES if path.is_dir() else path


def _watched(path: Path, chosen: "Iterator[Entry]") -> "Iterator[Entry]":
    """The same games; at their end one line on stderr if records are cut off."""
    from engine_cli.match.archive import where_cut

    warning, more = "", 0
    for entry in chosen:
        why = where_cut(entry)
        if why is not None and warning:
            more += 1
        elif why is not None:
            place = f"{_file(path)}, line {entry.line}"
            warning = f"warning: {place}: the record of game {entry.name} is cut off: {why}"
        yield entry
    if warning:
        click.echo(f"{warning}; {more} more like it" if more else warning, err=True)


def _data(entry: "Entry") -> dict[str, Any]:
    """A game as plain data."""
    return {
        "game": entry.name,
        "line": entry.line,
        "players": entry.players,
        "points": [points for points, _ in entry.points],
        "cubes": [cubes for _, cubes in entry.points],
        "winners": entry.winners,
        "turns": entry.plies,
        "end": entry.end,
        "seed": entry.tags.get("Seed"),
        "date": entry.tags.get("Date"),
        "termination": entry.tags.get("Termination"),
    }


def _list(console: "Console", chosen: "Iterator[Entry]") -> None:
    """One line a game; long files are listed as they are read."""
    count = 0
    for entry in chosen:
        count += 1
        seats = []
        for seat, name in enumerate(entry.players, 1):
            points = str(entry.points[seat - 1][0]) if len(entry.points) >= seat else "?"
            seats.append(f"{name} {points}{'*' if seat in entry.winners else ''}")
        told = "" if entry.end == "normal" else f"  {entry.tags.get('Termination', entry.end)}"
        console.print(
            f"{entry.name:>10}  {'  '.join(seats)}  {entry.plies} turns{told}", soft_wrap=True
        )
    console.print(f"{count} games (* first place)" if count else "no such games")


def _verify(path: Path, chosen: "Iterator[Entry]", packs: tuple[Pack, ...]) -> None:
    from engine_cli.match.archive import ArchiveError, check
    from engine_cli.match.stored import StoredTournament

    outcomes: dict[str, Outcome] = {}
    if path.is_dir():
        from engine_cli.match.schedule import Schedule

        stored = StoredTournament.open(path)
        schedule = Schedule(stored.tournament)
        outcomes = {schedule.id_of(outcome.index): outcome for outcome in stored.outcomes()}
    count = bad = 0
    for entry in chosen:
        count += 1
        outcome = outcomes.get(entry.name)
        try:
            if path.is_dir() and outcome is None:
                raise ArchiveError("is not in the results")
            check(entry, packs, outcome)
        except ArchiveError as error:
            bad += 1
            click.echo(f"game {entry.name}, line {entry.line}: {error}", err=True)
    if bad:
        raise click.ClickException(f"{bad} of {count} games are not as they must be")
    click.echo(f"{count} games verified")


def _replay(
    console: "Console", chosen: "Iterator[Entry]", packs: tuple[Pack, ...], turn: str | None
) -> None:
    from engine_cli.match.archive import ArchiveError, load
    from engine_cli.render.text import position_text

    for entry in chosen:
        try:
            game = load(entry, packs)
        except ArchiveError as error:
            raise ArchiveError(f"game {entry.name}, line {entry.line}: {error}") from None
        start, *reached = game.positions()
        places = [f"{before.turn}.{before.seat}" for before in (start, *reached)][: len(reached)]
        if turn is not None and turn not in places:
            raise ArchiveError(f"game {entry.name}: there is no turn {turn}")
        console.rule(f"game {entry.name}: {' - '.join(entry.players)}")
        if turn is None:
            console.print(position_text(start, console.width), soft_wrap=True)
        for place, ply, position in zip(places, game.plies, reached, strict=True):
            if turn in (None, place):
                console.print(f"\n{place} {ply.turn}  {ply.comment}\n", soft_wrap=True)
                console.print(position_text(position, console.width), soft_wrap=True)
        console.print(entry.tags.get("Termination", ""), soft_wrap=True)


def _export(target: str, chosen: "Iterator[Entry]") -> None:
    """Write the games in the form that the end of the name asks for."""
    import csv
    import io

    from engine_cli.atomic import write_text

    kind = Path(target).suffix.lower()
    found = list(chosen)
    if kind == ".hgn":
        text = "\n".join(entry.text.strip("\n") + "\n" for entry in found)
    elif kind == ".json":
        text = json.dumps([_data(entry) for entry in found], indent=2) + "\n"
    elif kind == ".csv":
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["game", "seat", "engine", "points", "cubes", "won", "turns", "end"])
        for entry in found:
            for seat, (name, (points, cubes)) in enumerate(
                zip(entry.players, entry.points, strict=False), 1
            ):
                won = int(seat in entry.winners)
                writer.writerow(
                    [entry.name, seat, name, points, cubes, won, entry.plies, entry.end]
                )
        text = lines.getvalue()
    else:
        raise click.UsageError(
            f"--export: {target!r} ends in none of .hgn, .json, .csv", click.get_current_context()
        )
    try:
        write_text(target, text)
    except OSError as error:
        raise click.ClickException(f"{target}: cannot be written: {error.strerror}") from None
    click.echo(f"{len(found)} games written to {target}")
