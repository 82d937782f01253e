"""`harmonies show`: a position as a picture."""

from typing import TYPE_CHECKING

import click

from engine_cli.atomic import write_text
from engine_cli.inputs import takes_position
from engine_cli.summary import position_data
from engine_cli.terminal import color_option, examples, json_option, make_console, print_json

if TYPE_CHECKING:
    from harmonies_core.game import Position

__all__ = ["show"]


@click.command(
    epilog=examples(
        "harmonies show examples/midgame.hfen",
        "harmonies show positions.hfen --line 3 --svg board.svg",
        "harmonies new | harmonies show",
    ),
)
@takes_position
@click.option("--svg", metavar="FILE", help="Write a picture to FILE instead (- for stdout).")
@json_option
@color_option
def show(position: "Position", svg: str | None, as_json: bool, no_color: bool) -> None:
    """Show a position.

    Stacks are written bottom to top: W water, M mountain, T trunk, L leaves, F field, R roof;
    * is an animal cube, ^ that of a spirit. Points are those of a game that ended now.
    """
    if svg is not None and as_json:
        raise click.UsageError("choose one of --svg and --json", click.get_current_context())
    if as_json:
        print_json(position_data(position))
    elif svg is not None:
        _write_svg(position, svg)
    else:
        from engine_cli.render.text import position_text

        console = make_console(no_color)
        console.print(position_text(position, console.width), soft_wrap=True)


def _write_svg(position: "Position", path: str) -> None:
    from engine_cli.render.svg import render_svg

    picture = render_svg(position)
    if path == "-":
        click.echo(picture.encode(), nl=False)
        return
    try:
        write_text(path, picture)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.ClickException(f"{path}: cannot be written: {reason}") from error
    click.echo(f"wrote {path}")
