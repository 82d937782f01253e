"""The step about the requests for people."""

from engine_cli.compliance.context import Context
from engine_cli.compliance.probe import Failure
from harmonies_core import Position
from harmonies_core.game import perft

__all__ = ["for_people"]


def for_people(context: Context) -> None:
    """`help`, `d`, `eval` and `perft`."""
    probe = context.probe
    probe.quiet("newgame players 3 seed 10", "position startpos")
    for request in ("help", "d"):
        *lines, _ = probe.ask(f"{request}\nisready", "readyok")
        for line in lines:
            if not line.startswith("info string "):
                raise Failure(f"{request}: expected info string lines, found {line!r}")
        if not lines:
            raise Failure(f"{request}: expected info string lines, found nothing")
    points = probe.response("eval", "eval").split()
    if len(points) != 3 or not all(word.removeprefix("-").isdecimal() for word in points):
        raise Failure(f"eval: expected three whole numbers, found {points}")
    count = perft(Position.start(3, seed=10))
    found = probe.response("perft 1", "perft")
    if found != f"1 {count}":
        raise Failure(f"perft 1: expected 1 {count}, found {found}")
