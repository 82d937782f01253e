"""The program `harmonies`: commands for people."""

import click

import engine_cli
from engine_cli.commands.analyse import analyse
from engine_cli.commands.cards import cards
from engine_cli.commands.compliance import compliance
from engine_cli.commands.games import games
from engine_cli.commands.new import new
from engine_cli.commands.report import report
from engine_cli.commands.score import score
from engine_cli.commands.show import show
from engine_cli.commands.tournament import tournament
from engine_cli.commands.train import train
from engine_cli.failures import OneLineGroup
from engine_cli.terminal import examples, prepare_streams

__all__ = ["main"]


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Answer ``--version``; looked up only when asked for, since it takes a while."""
    if value and not ctx.resilient_parsing:
        click.echo(f"harmonies {engine_cli.__version__}")
        ctx.exit()


@click.group(
    name="harmonies",
    cls=OneLineGroup,
    invoke_without_command=True,
    epilog=examples(
        "harmonies new --seed 7 > game.hfen",
        "harmonies show game.hfen",
        "harmonies analyse game.hfen --movetime 5000",
        "harmonies cards boar",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Look at positions of the board game Harmonies, score them and find good turns.

    A POSITION is a line of HFEN text, the name of a file that holds one, or - for standard
    input.
    """
    prepare_streams()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (analyse, cards, compliance, games, new, report, score, show, tournament, train):
    main.add_command(_command)

if __name__ == "__main__":
    main()
