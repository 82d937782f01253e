"""`harmonies analyse`: the best turns of a position."""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from engine_cli.inputs import takes_position
from engine_cli.protocol.go import DEPTH, MAX_MULTIPV, MOVETIME, NODES
from engine_cli.render.labels import (
    categories,
    describe_state,
    points_text,
    turn_with_names,
)
from engine_cli.summary import score_data
from engine_cli.terminal import color_option, examples, json_option, make_console, print_json
from harmonies_core.search.searcher import (
    ALGORITHMS,
    DEFAULT_ALGORITHM,
    MAX_THREADS,
    OBJECTIVES,
    Limit,
    Line,
    Searcher,
    StopFlag,
    make_searcher,
    search,
)

if TYPE_CHECKING:
    from harmonies_core.game import Position, Score

__all__ = ["analyse"]

_DEFAULT_TIME = 3000  # milliseconds, when no limit is given
_MAX_SEED = 2**31 - 1


@click.command(
    epilog=examples(
        "harmonies analyse examples/midgame.hfen",
        "harmonies analyse examples/midgame.hfen --lines 3 --nodes 100000",
        "harmonies analyse game.hfen --movetime 10000 --json",
    ),
)
@takes_position
@click.option(
    "--lines",
    type=click.IntRange(1, MAX_MULTIPV),
    default=5,
    show_default=True,
    metavar="N",
    help="How many turns to list.",
)
@click.option(
    "--movetime",
    type=click.IntRange(*MOVETIME),
    metavar="MS",
    help="Search this many milliseconds.",
)
@click.option("--nodes", type=click.IntRange(*NODES), metavar="N", help="Value N positions.")
@click.option(
    "--depth",
    type=click.IntRange(*DEPTH),
    metavar="N",
    help="Levels of deepening; 0 and 1: one turn.",
)
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default=DEFAULT_ALGORITHM,
    show_default=True,
    help="How to search.",
)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="win",
    show_default=True,
    help="Look for the best chance to win, or for points.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    default=1,
    show_default=True,
    metavar="N",
    help="Cores to use.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, _MAX_SEED),
    default=0,
    show_default=True,
    metavar="N",
    help="For what a search leaves to chance.",
)
@json_option
@color_option
def analyse(
    position: "Position",
    lines: int,
    movetime: int | None,
    nodes: int | None,
    depth: int | None,
    algorithm: str,
    objective: str,
    threads: int,
    seed: int,
    as_json: bool,
    no_color: bool,
) -> None:
    """Find the best turns of a position.

    Every turn is listed with the points that each seat can expect at the end of the game.
    Without a limit the search ends after three seconds. With --nodes or --depth alone the
    answer is the same each time.
    """
    if position.phase not in ("spirit", "turn"):
        raise click.ClickException(f"nothing to analyse: {describe_state(position)}")
    if movetime is None and nodes is None and depth is None:
        movetime = _DEFAULT_TIME
    limit = Limit(nodes=nodes, depth=None if depth is None else max(1, depth), movetime=movetime)
    console = make_console(no_color, stderr=True)
    with console.status("searching", spinner="line"):
        searcher = make_searcher(algorithm, objective=objective, threads=threads, seed=seed)
        found = _search(position, limit, searcher, lines)
    if as_json:
        print_json(_data(position, found, algorithm))
    else:
        _report(position, found, algorithm, no_color)


def _search(position: "Position", limit: Limit, searcher: Searcher, lines: int) -> list[Line]:
    """Search in a thread of its own, so that Ctrl-C is heard at once."""
    stop = StopFlag()
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(
                search, position, limit, searcher=searcher, multipv=lines, stop=stop
            ).result()
        finally:
            stop.set()


def _report(position: "Position", found: list[Line], algorithm: str, no_color: bool) -> None:
    from engine_cli.render.text import position_text

    console = make_console(no_color)
    console.print(position_text(position, console.width), soft_wrap=True)
    console.print()
    console.print(_turns(position, found))
    best = found[0]
    console.print(f"best: {best.turn}", style="bold", soft_wrap=True)
    if len(best.pv) > 1:
        line = " ".join(map(str, best.pv[1:]))
        console.print(f"then, if {best.pv[0].chance} comes up: {line}", soft_wrap=True)
    console.print(
        f"{algorithm}, depth {best.depth}, {best.nodes} positions valued in {best.time} ms",
        style="dim",
    )
    console.print()
    console.print(_change(position, best))


def _turns(position: "Position", found: list[Line]) -> Table:
    """The turns with the expected points of every seat, the mover's first."""
    seats = _mover_first(position)
    table = Table(title="Expected points at the end of the game", title_justify="left")
    table.add_column("", justify="right")
    table.add_column("turn", overflow="fold")
    for seat in seats:
        table.add_column(f"seat {seat}", justify="right", no_wrap=True)
    if len(seats) > 1:
        table.add_column("win %", justify="right", no_wrap=True)
    catalogue = position.rules.catalogue
    for number, line in enumerate(found, start=1):
        points = [points_text(line.seats[seat - 1]) for seat in seats]
        if len(seats) > 1:
            points.append(f"{(line.wdl[0] + line.wdl[1] / 2) / 10:.1f}")
        table.add_row(str(number), turn_with_names(line.turn, catalogue), *points)
    return table


def _mover_first(position: "Position") -> list[int]:
    """All seats in the order of play, from the one to move."""
    players = position.rules.players
    return [(position.seat - 1 + step) % players + 1 for step in range(players)]


def _change(position: "Position", best: Line) -> Table:
    """What the best turn does to the score of the seat that plays it."""
    before, after = _before_and_after(position, best)
    table = Table(title=f"Points of seat {position.seat} so far", title_justify="left")
    for heading in ("", "now", "after the best turn", "change"):
        table.add_column(heading, justify="right" if heading else "left")
    for category, label in categories(position).items():
        table.add_row(label, *_difference(getattr(before, category), getattr(after, category)))
        if category == "animals":
            for card in position.rules.catalogue.animals:
                points = before.cards.get(card.id, 0), after.cards.get(card.id, 0)
                if points[0] != points[1]:
                    table.add_row(f"  {card.name}", *_difference(*points), style="dim")
    table.add_section()
    table.add_row("total", *_difference(before.total, after.total), style="bold")
    return table


def _before_and_after(position: "Position", best: Line) -> "tuple[Score, Score]":
    later = position.copy()
    later.push(best.turn)
    return position.score(position.seat), later.score(position.seat)


def _difference(before: int, after: int) -> tuple[str, str, str]:
    return str(before), str(after), f"{after - before:+d}" if after != before else ""


def _data(position: "Position", found: list[Line], algorithm: str) -> dict[str, Any]:
    before, after = _before_and_after(position, found[0])
    return {
        "hfen": position.hfen(),
        "seat": position.seat,
        "turn": position.turn,
        "algorithm": algorithm,
        "lines": [
            {
                "turn": str(line.turn),
                "text": turn_with_names(line.turn, position.rules.catalogue),
                "expected": [points / 100 for points in line.seats],
                "sd": line.sd / 100,
                "wdl": list(line.wdl),
                "pv": [str(turn) for turn in line.pv],
                "depth": line.depth,
            }
            for line in found
        ],
        "nodes": found[0].nodes,
        "time_ms": found[0].time,
        "score": score_data(position)["seats"],
        "score_before": before.as_dict(),
        "score_after": after.as_dict(),
    }
