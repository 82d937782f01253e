"""`harmonies tournament`: engines play against each other."""

from typing import Any

import click

from engine_cli.inputs import takes_rules
from engine_cli.protocol.go import DEPTH, MOVETIME
from engine_cli.terminal import color_option, examples, make_console

__all__ = ["tournament"]

_MAX = 2**31 - 1


@click.command(
    epilog=examples(
        "harmonies tournament kingfisher greedy --rounds 50",
        "harmonies tournament kingfisher greedy --sprt 0 10 --rounds 5000 --concurrency 4",
        "harmonies tournament kingfisher --engine 'cmd=./mine option.Threads=1' --movetime 50",
        "harmonies tournament kingfisher greedy random --players 3 --side B --spirits",
        "harmonies tournament kingfisher --players 1 --rounds 100",
        "harmonies tournament --config league.toml",
    ),
)
@click.argument("names", metavar="[ENGINE]...", nargs=-1)
@click.option(
    "--engine",
    "texts",
    multiple=True,
    metavar="TEXT",
    help="An engine as key=value words: cmd or builtin, name, dir, option.NAME, env.NAME, and "
    "limits of its own. Can be repeated.",
)
@click.option("--config", metavar="FILE", help="A TOML file with settings and engines.")
@click.option(
    "--format",
    type=click.Choice(["round-robin", "gauntlet", "match"]),
    help="Who meets whom; in a gauntlet the first engine meets all others.  [default: round-robin]",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 10_000_000),
    metavar="N",
    help="Deals for each set of engines that meet; every deal is played once in each "
    "rotation of the seats.  [default: 10]",
)
@takes_rules()
@click.option("--clock", type=click.IntRange(1, _MAX), metavar="MS", help="Time for a game.")
@click.option(
    "--increment",
    type=click.IntRange(0, _MAX),
    metavar="MS",
    help="Added to the clock after every turn.",
)
@click.option(
    "--movetime",
    type=click.IntRange(1, MOVETIME[1]),
    metavar="MS",
    help="Time for a turn.  [default: 100, if no other limit is given]",
)
@click.option("--nodes", type=click.IntRange(1, _MAX), metavar="N", help="Nodes for a turn.")
@click.option("--depth", type=click.IntRange(1, DEPTH[1]), metavar="N", help="Depth of a turn.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**60 - 1),
    metavar="N",
    help="Decides all deals.  [default: 0]",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Games at the same time.  [default: one core less than there are]",
)
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Stop when one of the two Elo differences of the first two engines is accepted.",
)
@click.option("--alpha", type=float, help="Chance of accepting a wrong ELO1.  [default: 0.05]")
@click.option("--beta", type=float, help="Chance of accepting a wrong ELO0.  [default: 0.05]")
@click.option(
    "--sprt-model",
    type=click.Choice(["normalized", "logistic"]),
    help="Kind of Elo of the two differences.  [default: normalized]",
)
@click.option(
    "--on-crash",
    type=click.Choice(["forfeit", "restart"]),
    help="What follows a crash: the game is lost, or goes on once with the engine "
    "started again.  [default: forfeit]",
)
@click.option(
    "--margin",
    type=click.IntRange(0, _MAX),
    metavar="MS",
    help="Forgiven for every turn before it is late.  [default: 100]",
)
@click.option(
    "--startup",
    type=click.IntRange(1, _MAX),
    metavar="MS",
    help="Time to start and to become ready.  [default: 30000]",
)
@click.option(
    "--patience",
    type=click.IntRange(1, _MAX),
    metavar="MS",
    help="Time for a turn that no limit gives.  [default: 60000]",
)
@click.option(
    "--grace",
    type=click.IntRange(1, _MAX),
    metavar="MS",
    help="How much later than too late a turn is still waited for.  [default: 2000]",
)
@click.option(
    "--memory",
    type=click.IntRange(1, _MAX),
    metavar="MB",
    help="Memory of an engine; needs psutil.",
)
@click.option(
    "--out",
    metavar="FOLDER",
    help="Where results and records go; a run goes on with what is there.  "
    "[default: a folder in tournaments/ named after engines and settings]",
)
@click.option(
    "--logs/--no-logs",
    default=None,
    help="Keep all that engines say, standard error too, in FOLDER/logs.",
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on the Dask cluster whose scheduler is there."
)
@click.option(
    "--check/--no-check",
    default=True,
    help="Start every engine once before the first game.  [default: check]",
)
@color_option
def tournament(
    names: tuple[str, ...],
    texts: tuple[str, ...],
    config: str | None,
    check: bool,
    no_color: bool,
    **options: Any,
) -> None:
    """Play games between engines and say which is better, and how surely.

    ENGINE is random, greedy, kingfisher, or kingfisher-1 to kingfisher-10. Every deal is played
    once in each rotation of the seats. The same command goes on where it was interrupted.
    Ctrl-C finishes the games that go on; a second one stops at once.
    """
    from engine_cli.match.plan import PlanError, make_plan
    from engine_cli.match.session import play

    given = {name: value for name, value in options.items() if value not in (None, ())}
    try:
        plan = make_plan(names, texts, config, given)
    except PlanError as error:
        raise click.UsageError(str(error), click.get_current_context()) from None
    console = make_console(no_color)
    if not console.is_terminal:
        console.width = 120  # nothing has to fit anywhere
    try:
        finished = play(plan, console, check=check)
    except KeyboardInterrupt:
        raise click.Abort from None
    if not finished:
        click.echo("interrupted; the same command goes on", err=True)
        click.get_current_context().exit(130)
