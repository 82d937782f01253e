"""Steps about requests that cannot be met."""

from typing import Final

from engine_cli.compliance.context import Context, first_turns, play_some_turn
from engine_cli.compliance.probe import Failure
from harmonies_core import Position, Rules

__all__ = ["bad_searches", "empty_lines", "keeps_its_state", "refuses"]

#: Requests and the codes with which they may be refused.
BAD: Final[tuple[tuple[str | bytes, tuple[str, ...]], ...]] = (
    ("nonsense", ("unknown",)),
    ("UHI", ("unknown",)),
    ("uhi now", ("syntax",)),
    ("isready?", ("unknown",)),
    ("setoption", ("syntax",)),
    ("setoption name", ("syntax", "option")),
    ("newgame players 5", ("value",)),
    ("newgame players", ("syntax", "value")),
    ("newgame side C", ("value",)),
    ("newgame seed -1", ("value",)),
    ("newgame seed 1152921504606846976", ("value",)),
    ("newgame players 2 players 3", ("syntax",)),
    ("newgame packs no-such-pack", ("value",)),
    ("newgame colour green", ("syntax",)),
    ("position", ("syntax",)),
    ("position nowhere", ("syntax",)),
    ("position hfen", ("syntax", "position")),
    ("position hfen 2A", ("position",)),
    ("position hfen 9Z 5/4/5/4/5|- 5/4/5/4/5|- - - 1 1 -", ("position",)),
    ("position startpos moves g9", ("illegal",)),
    ("position startpos moves ?", ("illegal",)),
    ("position startpos moves g1,Wa1,Wa1,Wa1", ("illegal",)),
    ("query", ("syntax",)),
    ("query weather", ("syntax",)),
    ("perft", ("syntax", "value")),
    ("perft 0", ("value",)),
    (b"query \xff\xfe", ("encoding",)),
    ("setoption name Threads value " + "9" * 5000, ("value", "option")),
)

#: The same for searches.
BAD_GO: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("go nodes", ("syntax", "value")),
    ("go nodes 0", ("value",)),
    ("go nodes 1.5", ("value",)),
    ("go nodes one", ("value",)),
    ("go depth -1", ("value",)),
    ("go fast", ("syntax",)),
    ("go nodes 1 nodes 2", ("syntax",)),
    ("go infinite nodes 1", ("syntax",)),
    ("go multipv 0 nodes 1", ("value",)),
)


def refuses(context: Context) -> None:
    """Requests that cannot be met are answered with one error of the right code."""
    for request, codes in BAD:
        context.probe.refused(request, *codes)


def bad_searches(context: Context) -> None:
    """`go` with bad arguments, or when nobody is to move, is refused."""
    for request, codes in BAD_GO:
        context.probe.refused(request, *codes)
    position = Position.start()
    turn = play_some_turn(position)
    context.probe.quiet("newgame", f"position startpos moves {turn}")
    context.probe.refused("go nodes 1", "nomove")


def keeps_its_state(context: Context) -> None:
    """After an error all is as before."""
    probe = context.probe
    position, moves = first_turns(Rules(3), 9, 4)
    probe.quiet("newgame players 3 seed 9", f"position startpos moves {' '.join(moves)}")
    for request, _ in BAD:
        data = request if isinstance(request, bytes) else request.encode()
        probe.send_bytes(data + b"\n")
        probe.ask("isready", "readyok")
        found = probe.response("query hfen", "hfen")
        if found != position.hfen():
            name = data[:80].decode("utf-8", "backslashreplace")
            raise Failure(f"{name}: expected the position to stay, found {found}")


def empty_lines(context: Context) -> None:
    """Empty lines, spaces, tabs and CR LF in requests do not matter."""
    probe = context.probe
    for data in (b"\n", b"   \n", b"\r\n", b"\t\n"):
        probe.send_bytes(data)
        probe.nothing_more("an empty line")
    for data in (b"isready\r\n", b"  isready  \n", b"\tisready\n"):
        probe.send_bytes(data)
        probe.until("readyok")
    probe.send_bytes(b"query\t  gameover \r\n")
    if probe.until("response", "error")[-1] != "response false":
        raise Failure("expected 'query<tab>  gameover ' to be answered as without the spaces")
