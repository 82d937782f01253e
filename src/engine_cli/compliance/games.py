"""Steps in which whole games are played."""

from collections.abc import Callable
from functools import partial

from engine_cli.client.requests import position_request
from engine_cli.compliance.context import Context, play_legal
from engine_cli.compliance.positions import setup_words
from engine_cli.compliance.probe import Failure
from harmonies_core import Dealer, Position, Rules

__all__ = ["four_players", "play_out", "side_b", "solo", "two_players", "with_spirits"]

_LONGEST = 400  # turns; no game comes near


def two_players(context: Context) -> None:
    """A whole game of two players, to the same result."""
    _play(context, Rules(2), 21)


def four_players(context: Context) -> None:
    """A whole game of four players."""
    _play(context, Rules(4), 22)


def solo(context: Context) -> None:
    """A whole solo game."""
    _play(context, Rules(1), 23)


def side_b(context: Context) -> None:
    """A whole game on side B."""
    _play(context, Rules(2, "B"), 24)


def with_spirits(context: Context) -> None:
    """A whole game with Nature's Spirits, three players."""
    _play(context, Rules(3, spirits=True), 25)


def play_out(
    context: Context, dealer: Dealer, position: Position, request: Callable[[list[str]], str]
) -> list[str]:
    """The engine plays all seats and we deal, to the end; the turns with what was dealt.

    `position` goes on to the end; `request` is the request for a position after these turns.
    """
    moves: list[str] = []
    while not position.is_over():
        if len(moves) > _LONGEST:
            raise Failure(f"expected the game to end within {_LONGEST} turns")
        context.probe.send(request(moves))
        _, turn = context.probe.search("go nodes 1")
        play_legal(position, turn)
        if position.phase == "chance":
            chance = dealer.deal(position)
            position.push_chance(chance)
            turn += f"/{chance}"
        moves.append(turn)
    return moves


def _play(context: Context, rules: Rules, seed: int) -> None:
    probe = context.probe
    dealer = Dealer(rules, seed)
    position = dealer.start()
    probe.quiet(f"newgame {setup_words(rules, seed)}")
    request = partial(position_request, "startpos")
    probe.quiet(request(play_out(context, dealer, position, request)))
    winners = position.result().winners
    result = f"p{winners[0]}win" if len(winners) == 1 else "draw"
    totals = " ".join(map(str, position.result().totals))
    for what, name, value in (
        ("gameover", "", "true"),
        ("result", "", result),
        ("scores", "scores", totals),
        ("phase", "phase", "over"),
    ):
        found = probe.response(f"query {what}", name)
        if found != value:
            raise Failure(f"query {what} at the end: expected {value}, found {found}")
    probe.refused("go nodes 1", "nomove")
