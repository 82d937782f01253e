"""`harmonies cards`: the table of cards."""

import click
from rich.table import Table
from rich.text import Text

from engine_cli.inputs import join_packs, read_packs
from engine_cli.render.hexes import habitat
from engine_cli.render.labels import describe_score
from engine_cli.summary import card_data
from engine_cli.terminal import color_option, examples, json_option, make_console, print_json
from harmonies_core.cards import BUILTIN_PACKS, Card, Catalogue, Pack, builtin_pack

__all__ = ["cards"]


@click.command(
    epilog=examples(
        "harmonies cards",
        'harmonies cards 17 "arctic fox"',
        "harmonies cards --pack pulse",
        "harmonies cards --pack my-cards.toml --json",
    ),
)
@click.argument("names", nargs=-1, metavar="[CARD]...")
@click.option(
    "--pack",
    "--packs",
    "packs",
    type=read_packs,
    multiple=True,
    metavar="NAMES|FILE",
    help=f"Only these packs: {', '.join(BUILTIN_PACKS)}, or a file of your own. Can be repeated.",
)
@json_option
@color_option
def cards(
    names: tuple[str, ...], packs: tuple[tuple[Pack, ...], ...], as_json: bool, no_color: bool
) -> None:
    """Show cards and their habitats.

    All of them are shown, or those with the numbers or English names given.

    A habitat is drawn in one of its six directions; * is where the cube goes (^ for a spirit),
    BLD any building. Animals score the value of the cubes on the board: the first value with
    one cube, the last with all.
    """
    chosen = join_packs(packs) or tuple(map(builtin_pack, BUILTIN_PACKS))
    catalogue = Catalogue(chosen)
    found = [catalogue.find(name) for name in names] or list(catalogue.cards.values())
    if as_json:
        print_json([card_data(card) for card in found])
        return
    console = make_console(no_color)
    console.print(_table(found))
    unverified = {pack.name for pack in chosen if not pack.verified} & {c.pack for c in found}
    for name in sorted(unverified):
        console.print(f"The values of pack {name} were not compared with printed cards.")


def _table(found: list[Card]) -> Table:
    several = len({card.pack for card in found}) > 1
    table = Table(show_lines=True)
    table.add_column("no.", justify="right")
    table.add_column("name")
    if several:
        table.add_column("pack")
    table.add_column("points")
    table.add_column("habitat", no_wrap=True)
    for card in found:
        if card.score is not None:
            points = describe_score(card.score)
        else:
            points = " ".join(map(str, card.points))
        row: list[str | Text] = [str(card.id), card.name]
        if several:
            row.append(card.pack)
        table.add_row(*row, points, Text("\n").join(habitat(card)))
    return table
