"""`harmonies train`: learns the weights of the value function from self-play."""

import os
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from engine_cli.match.interrupt import Interrupt
from engine_cli.match.lock import FolderLock
from engine_cli.terminal import color_option, examples, make_console
from engine_cli.training.options import as_typed, by_option, read_seeds, takes_settings

__all__ = ["train"]

_GAMES: Final = 100_000
_LOOK_GAMES: Final = 16_000
_SPECIAL_GAMES: Final = 30_000


@click.command(
    epilog=examples(
        "harmonies train run1",
        "harmonies train run1 --games 500000     (goes on)",
        "harmonies train quick --side A --seeds 1 --minutes 10",
    ),
)
@click.argument("out", metavar="OUT", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--side",
    type=click.Choice(["A", "B", "both"]),
    default="both",
    show_default=True,
    help="Side of the boards; each has a network of its own.",
)
@click.option(
    "--seeds",
    type=read_seeds,
    default="1,2,3",
    show_default=True,
    metavar="N,N,…",
    help="One run for each seed and side; the best is chosen.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help=f"Games of each run.  [default: {_GAMES}, without --minutes]",
)
@click.option(
    "--look-games",
    type=click.IntRange(0, 10**9),
    metavar="N",
    help="Games by look-ahead with which the best run of each side goes on.  "
    f"[default: {_LOOK_GAMES}, with --minutes none]",
)
@click.option(
    "--special-games",
    type=click.IntRange(0, 10**9),
    metavar="N",
    help="Games with which each seed then goes on from there without spirits, and as many with "
    "them, both from the same beginning.  "
    f"[default: {_SPECIAL_GAMES}, with --minutes none]",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, 10**6, min_open=True),
    metavar="M",
    help="Train that long instead, or at most. The result then depends on the machine.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Threads for all runs together; no influence on the result.  [default: all cores]",
)
@click.option(
    "--final-deals",
    type=click.IntRange(2, 100_000),
    default=200,
    show_default=True,
    metavar="N",
    help="Deals of the matches that choose among the seeds; four times as many at the end.",
)
@click.option("--no-curve", is_flag=True, help="Draw no curve.png.")
@takes_settings
@color_option
@click.pass_context
def train(
    ctx: click.Context,
    out: Path,
    side: str,
    seeds: tuple[int, ...],
    games: int | None,
    look_games: int | None,
    special_games: int | None,
    minutes: float | None,
    jobs: int | None,
    final_deals: int,
    no_curve: bool,
    settings: dict[str, Any],
    no_color: bool,
) -> None:
    """Learn the weights of the value function from self-play, from nothing.

    OUT is a folder for the runs. The same command goes on where a run was stopped or killed,
    and trains longer where --games is more than before. Then the best networks of the seeds play
    each other, and the winner of each side goes on by look-ahead. From there every seed goes on
    with games without spirits only, and with spirits only. What these come to, and the mean of
    that, play each other as well. OUT/kingfisher.weights has what wins.
    """
    from engine_cli.training.curve import check_matplotlib
    from engine_cli.training.display import choice_table
    from engine_cli.training.folder import make_folder
    from engine_cli.training.program import Program
    from harmonies_core.learning.settings import Budget, Settings

    if games is None and minutes is None:
        games = _GAMES
    try:
        budget = Budget(games, minutes)
        wanted = [
            Settings(side=s, seed=seed, **settings)
            for s in (("A", "B") if side == "both" else (side,))
            for seed in seeds
        ]
    except ValueError as error:
        raise click.UsageError(by_option(error), ctx) from error
    if not no_curve:
        check_matplotlib()
    make_folder(out)
    try:
        lock = FolderLock(out)
    except BlockingIOError:
        raise click.ClickException(f"{out}: another training is running there") from None
    except OSError as error:
        raise click.ClickException(f"{out}: cannot be locked: {error.strerror}") from None
    try:
        with (
            Interrupt() as interrupt,
            ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool,
        ):
            program = Program(
                out,
                wanted,
                budget,
                _or_default(look_games, _LOOK_GAMES, minutes),
                _or_default(special_games, _SPECIAL_GAMES, minutes),
                _command_line(ctx),
                pool,
                lambda: interrupt.asked,
            )
            console = make_console(no_color, stderr=True)
            choices = program.run(console, final_deals, not no_curve)
    finally:
        lock.release()
    if choices is None:
        click.echo("stopped; the same command goes on from here", err=True)
        ctx.exit(130)
    console = make_console(no_color)
    console.print(choice_table(choices))
    console.print(f"wrote {out / 'kingfisher.weights'}", soft_wrap=True)


def _or_default(games: int | None, default: int, minutes: float | None) -> int:
    """What was asked for; else nothing that would take longer than was asked for."""
    if games is not None:
        return games
    return default if minutes is None else 0


def _command_line(ctx: click.Context) -> str:
    """The command as anybody can repeat it: what was given, but for what has no influence."""
    words = ["harmonies", "train", "OUT"]
    for param in ctx.command.params:
        name = param.name or ""
        if name in ("out", "jobs", "no_curve", "no_color"):
            continue
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            words += [param.opts[0], as_typed(name, ctx.params[name])]
    return shlex.join(words)
