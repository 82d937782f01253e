"""`harmonies new`: the first position of a game."""

import secrets

import click

from engine_cli.inputs import join_packs, read_packs
from engine_cli.summary import position_data
from engine_cli.terminal import examples, json_option, print_json
from harmonies_core.cards import BUILTIN_PACKS, Pack
from harmonies_core.game import Position

__all__ = ["new"]

_MAX_SEED = 2**60 - 1
_MAX_COUNT = 1_000_000


@click.command(
    epilog=examples(
        "harmonies new",
        "harmonies new --players 3 --side B --spirits --seed 7",
        "harmonies new --players 1 --packs base+pulse",
        "harmonies new --seed 1 --count 100",
        "harmonies new --packs base --packs my-cards.toml",
    ),
)
@click.option(
    "--players", type=click.IntRange(1, 4), default=2, show_default=True, help="1 plays solo."
)
@click.option(
    "--side",
    type=click.Choice(["A", "B"]),
    default="A",
    show_default=True,
    help="Side of the boards: rivers (A) or islands (B).",
)
@click.option("--spirits/--no-spirits", help="Play with Nature's Spirits.")
@click.option(
    "--packs",
    "--pack",
    type=read_packs,
    multiple=True,
    metavar="NAMES|FILE",
    help=f"Card packs: {', '.join(BUILTIN_PACKS)}, joined by +, or a file of your own. "
    "Can be repeated.  [default: base]",
)
@click.option(
    "--river",
    type=click.Choice(["diameter", "loop"]),
    default="diameter",
    show_default=True,
    help="How rivers are measured.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, _MAX_SEED),
    metavar="N",
    help="The same seed deals the same game.  [default: by chance]",
)
@click.option(
    "--count",
    type=click.IntRange(1, _MAX_COUNT),
    metavar="N",
    help="Deal this many positions, the seeds counting up from --seed.  [default: 1]",
)
@json_option
def new(
    players: int,
    side: str,
    spirits: bool,
    packs: tuple[tuple[Pack, ...], ...],
    river: str,
    seed: int | None,
    count: int | None,
    as_json: bool,
) -> None:
    """Deal a start position.

    It is printed as HFEN, with the seed that dealt it.
    """
    size = 1 if count is None else count
    if seed is None:
        seed = secrets.randbelow(_MAX_SEED + 2 - size)
    if seed + size - 1 > _MAX_SEED:
        raise click.UsageError(
            f"--count {size} from --seed {seed} goes beyond the last seed, {_MAX_SEED}",
            click.get_current_context(),
        )
    chosen = [pack.name if pack.name in BUILTIN_PACKS else pack for pack in join_packs(packs)] or [
        "base"
    ]
    all_data = []
    for number in range(seed, seed + size):
        position = Position.start(
            players, side, spirits=spirits, packs=chosen, river=river, seed=number
        )
        hfen = f"{position.hfen()} seed:{number}"
        if as_json:
            all_data.append({**position_data(position), "hfen": hfen, "seed": number})
        else:
            click.echo(hfen)
    if as_json:
        print_json(all_data[0] if count is None else all_data)
