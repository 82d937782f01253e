"""The game of a query: where it begins and the turns that follow."""

from typing import Final

from engine_cli.jsonmode.fields import Fields
from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.line import BadMove, Line
from engine_cli.protocol.options import Options
from engine_cli.protocol.setup import Setup, hfen_line, start_line
from engine_cli.protocol.words import MAX_SEED

__all__ = ["read_line"]

_MAX_MOVES: Final = 1000


def read_line(fields: Fields, options: Options) -> Line:
    """Read `position` or `game`, and `moves`."""
    text = fields.text("position")
    game = fields.group("game")
    if text is not None and game is not None:
        fields.fail("game", "must not be given together with position")
    if text is not None:
        try:
            base = hfen_line(text, options, None)
        except RequestError as problem:
            fields.fail("position", problem.text)
    elif game is not None:
        base = _dealt_game(game, options)
    else:
        fields.fail("position", "is missing: give position or game")
    moves = fields.texts("moves") or []
    if len(moves) > _MAX_MOVES:
        fields.fail("moves", f"must not be more than {_MAX_MOVES}")
    try:
        return base.follow(tuple(moves))
    except BadMove as problem:
        fields.fail(f"moves[{problem.number - 1}]", problem.reason)


def _dealt_game(fields: Fields, options: Options) -> Line:
    """The first position of a game that a seed deals."""
    packs = fields.texts("packs")
    if packs == []:
        fields.fail("packs", "must name at least one pack")
    river = fields.choice("river", "diameter", "loop") or "diameter"
    setup = Setup(
        players=fields.integer("players", 1, 4) or 2,
        side=fields.choice("side", "A", "B") or "A",
        spirits=fields.flag("spirits"),
        packs=tuple(packs or ("base",)),
        seed=fields.integer("seed", 0, MAX_SEED) or 0,
    )
    fields.none_left()
    option = next(option for option in options.offered if option.name == "RiverRule")
    options.set(option, river)
    try:
        return start_line(setup, options)
    except RequestError as problem:
        fields.fail("packs", problem.text)
