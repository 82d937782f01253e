"""Steps about what can come while a search goes on."""

from engine_cli.compliance.context import Context, play_legal
from engine_cli.compliance.grammar import check_option
from engine_cli.compliance.probe import Failure
from harmonies_core import Position

__all__ = [
    "answers_in_search",
    "busy",
    "go_twice",
    "pondering",
    "stop",
    "stop_when_idle",
    "waits_for_stop",
]


def stop(context: Context) -> None:
    """`stop` ends a search without limits, with exactly one bestmove."""
    probe = context.probe
    position = Position.start(seed=5)
    probe.quiet("newgame seed 5", "position startpos")
    for go in ("go infinite", "go", "go nodes 9007199254740992"):
        _, turn = probe.search(go, stop=True)
        play_legal(position.copy(), turn)


def waits_for_stop(context: Context) -> None:
    """A search without limits has no bestmove before `stop`, however little there is to do."""
    only = Position.start(seed=5).turns()[0]
    context.probe.quiet("newgame seed 5", "position startpos")
    for go in ("go infinite", "go"):
        context.probe.send(f"{go} searchmoves {only}")
        _none_before_stop(context, go)
        context.probe.send("stop")
        context.probe.outcome(go)


def _none_before_stop(context: Context, go: str) -> None:
    for _ in range(20):
        lines = context.probe.ask("isready", "readyok", "bestmove", "error")
        if lines[-1] != "readyok":
            raise Failure(f"{go}: expected no answer before stop, found {lines[-1]!r}")


def stop_when_idle(context: Context) -> None:
    """`stop` without a search is not answered; `ponderhit` without pondering is an error."""
    context.probe.quiet("stop")
    context.probe.refused("ponderhit", "idle")


def answers_in_search(context: Context) -> None:
    """`isready`, `uhi` and queries are answered during a search."""
    probe = context.probe
    probe.quiet("newgame seed 6", "position startpos")
    probe.send("go infinite")
    for request, end in (
        ("isready", "readyok"),
        ("query turn", "response"),
        ("query gameover", "response"),
        ("uhi", "uhiok"),
        ("isready", "readyok"),
    ):
        lines = probe.ask(request, end, "bestmove", "error")
        if not lines[-1].startswith(end):
            raise Failure(f"{request} during a search: expected {end}, found {lines[-1]!r}")
    probe.send("stop")
    probe.outcome("go infinite")


def go_twice(context: Context) -> None:
    """A second `go` is refused with error busy, and the first is answered once."""
    _refuse(context, "go nodes 1")


def busy(context: Context) -> None:
    """What would change the game is refused with error busy during a search."""
    for request in ("position startpos", "moves g1", "newgame", "deal", *_setoption(context)):
        _refuse(context, request)


def _setoption(context: Context) -> list[str]:
    """A request that sets an option to what it is, if there is an option."""
    for line in context.probe.ask("uhi", "uhiok"):
        if line.startswith("option "):
            option = check_option(line)
            if option.kind != "button":
                return [f"setoption name {option.name} value {option.default or '<empty>'}"]
    return []


def _refuse(context: Context, request: str) -> None:
    probe = context.probe
    position = Position.start(seed=7)
    probe.quiet("newgame seed 7", "position startpos")
    probe.send("go infinite", request)
    lines = probe.ask("isready", "readyok", "bestmove")
    others = [line for line in lines[:-1] if not line.startswith("info ")]
    if lines[-1] != "readyok" or len(others) != 1 or not others[0].startswith("error busy "):
        found = " / ".join([*others, *lines[-1:]])
        raise Failure(f"{request} during a search: expected error busy, found {found!r}")
    probe.send("stop")
    _, turn = probe.outcome("go infinite")
    play_legal(position, turn)


def pondering(context: Context) -> None:
    """`go ponder` waits for `ponderhit` or `stop`; then limits hold."""
    probe = context.probe
    position = Position.start(seed=8)
    probe.quiet("newgame seed 8", "position startpos")
    for go in (
        "go ponder",
        "go ponder nodes 100",
        "go ponder movetime 20",
        "go ponder clock 500 5",
    ):
        for end in ("ponderhit", "stop"):
            probe.send(go)
            _none_before_stop(context, go)
            probe.send(end)
            _, turn = probe.outcome(go)
            play_legal(position.copy(), turn)
