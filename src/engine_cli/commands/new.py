"""`harmonies new`: the first position of a game."""

import secrets
from typing import Any

import click

from engine_cli.inputs import join_packs, read_packs, takes_rules
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
@takes_rules(read_packs)
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
    packs: tuple[tuple[Pack, ...], ...],
    seed: int | None,
    count: int | None,
    as_json: bool,
    **rules: Any,
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
    given = {name: value for name, value in rules.items() if value is not None}
    all_data = []
    for number in range(seed, seed + size):
        position = Position.start(packs=chosen, seed=number, **given)
        hfen = f"{position.hfen()} seed:{number}"
        if as_json:
            all_data.append({**position_data(position), "hfen": hfen, "seed": number})
        else:
            click.echo(hfen)
    if as_json:
        print_json(all_data[0] if count is None else all_data)
