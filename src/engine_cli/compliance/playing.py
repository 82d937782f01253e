"""Steps about what a tournament asks of an engine: positions as text, and turns to play."""

from functools import partial
from typing import Final

from engine_cli.client.requests import newgame_request, position_request
from engine_cli.compliance.context import Context, first_turns, play_legal
from engine_cli.compliance.games import play_out
from harmonies_core import Dealer, Position, Rules

__all__ = [
    "plays_four",
    "plays_on_side_b",
    "plays_solo",
    "plays_three",
    "plays_two",
    "plays_with_spirits",
    "stops",
    "thinks_within_limits",
]

#: Limits as a tournament gives them.
LIMITS: Final = (
    "nodes 1",
    "nodes 500",
    "movetime 20",
    "nodes 500 movetime 20",
    "clock 1000 0",
    "clock 500 10",
)


def thinks_within_limits(context: Context) -> None:
    """`go` with nodes, movetime and clocks: one bestmove, a whole legal turn."""
    start = Position.start(seed=31)
    position, moves = first_turns(Rules(), 31, 6)
    _new_game(context, Rules())
    for at, played in ((start, []), (position, moves)):
        context.probe.quiet(position_request(start, played))
        for limit in LIMITS:
            _, turn = context.probe.search(f"go {limit}")
            play_legal(at.copy(), turn)


def stops(context: Context) -> None:
    """`stop` ends a search, with one bestmove."""
    position = Position.start(seed=32)
    _new_game(context, Rules())
    context.probe.quiet(position_request(position))
    for go in ("go infinite", "go movetime 600000"):
        _, turn = context.probe.search(go, stop=True)
        play_legal(position.copy(), turn)


def plays_two(context: Context) -> None:
    """Two players: a whole game from the text of its start."""
    _play(context, Rules(2), 33)


def plays_on_side_b(context: Context) -> None:
    """Side B: a whole game from the text of its start."""
    _play(context, Rules(2, "B"), 34)


def plays_with_spirits(context: Context) -> None:
    """Nature's Spirits: a whole game from the text of its start."""
    _play(context, Rules(2, spirits=True), 35)


def plays_three(context: Context) -> None:
    """Three players: a whole game from the text of its start."""
    _play(context, Rules(3), 36)


def plays_four(context: Context) -> None:
    """Four players: a whole game from the text of its start."""
    _play(context, Rules(4), 37)


def plays_solo(context: Context) -> None:
    """Solo: a whole game from the text of its start."""
    _play(context, Rules(1), 38)


def _new_game(context: Context, rules: Rules) -> None:
    context.probe.quiet(newgame_request(rules.players, rules.side, rules.spirits, "base", None))


def _play(context: Context, rules: Rules, seed: int) -> None:
    """A whole game whose seed the engine is never told."""
    dealer = Dealer(rules, seed)
    position = dealer.start()
    _new_game(context, rules)
    play_out(context, dealer, position, partial(position_request, position.hfen()))
