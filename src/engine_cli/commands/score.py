"""`harmonies score`: where the points come from."""

from typing import TYPE_CHECKING

import click
from rich.table import Table

from engine_cli.inputs import takes_position
from engine_cli.render.labels import categories, describe_state, held_text, values_text
from engine_cli.summary import score_data
from engine_cli.terminal import color_option, examples, json_option, make_console, print_json

if TYPE_CHECKING:
    from harmonies_core.game import Position

__all__ = ["score"]


@click.command(
    epilog=examples(
        "harmonies score examples/midgame.hfen",
        "harmonies score examples/midgame.hfen --json",
    ),
)
@takes_position
@json_option
@color_option
def score(position: "Position", as_json: bool, no_color: bool) -> None:
    """Score a position.

    The points are those of a game that ended now, by category and card.
    """
    if as_json:
        print_json(score_data(position))
        return
    console = make_console(no_color)
    console.print(describe_state(position), style="bold", soft_wrap=True)
    console.print(_categories(position))
    if any(position.hand(seat) for seat in range(1, position.rules.players + 1)):
        console.print(_cards(position))
    suns = position.result().suns
    if suns is not None:
        console.print(f"{suns} {'sun' if suns == 1 else 'suns'}")


def _categories(position: "Position") -> Table:
    """One column for each seat."""
    scores, result = position.scores(), position.result()
    table = Table()
    table.add_column("points")
    for seat in range(1, position.rules.players + 1):
        table.add_column(f"seat {seat}", justify="right")
    for category, label in categories(position).items():
        table.add_row(label, *(str(getattr(each, category)) for each in scores))
    table.add_section()
    table.add_row("total", *(str(each.total) for each in scores), style="bold")
    table.add_row("cubes", *(str(each.cubes) for each in scores))
    if not position.rules.solo:
        table.add_row("rank", *(str(rank) for rank in result.ranks))
    return table


def _cards(position: "Position") -> Table:
    """One row for each card of each seat."""
    table = Table("seat", "card", "cubes", "points", "values")
    table.columns[3].justify = "right"
    for seat, score in enumerate(position.scores(), start=1):
        table.add_section()
        for held in position.hand(seat):
            table.add_row(
                str(seat),
                f"{held.card.id:2} {held.card.name}",
                held_text(held),
                str(score.cards.get(held.card.id, 0)),
                values_text(held.card),
            )
    return table
