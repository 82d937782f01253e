"""Steps about `go` and its answer."""

from typing import Final

from engine_cli.compliance.context import Context, first_turns, play_legal
from engine_cli.compliance.grammar import check_info, check_ranks
from engine_cli.compliance.positions import GAMES, setup_words
from engine_cli.compliance.probe import Failure
from harmonies_core import Position, Rules

__all__ = ["infos", "legal", "limits", "multipv", "searchmoves"]

#: Every kind of limit that ends a search by itself.
LIMITS: Final = (
    "nodes 1",
    "nodes 2000",
    "depth 1",
    "movetime 1",
    "movetime 50",
    "clock 1000 10",
    "clock 1000 0 togo 5",
    "p1time 1000 p2time 1000 p1inc 10 p2inc 10",
    "clock 0 0",
    "nodes 100 depth 2 movetime 1000",
)


def limits(context: Context) -> None:
    """`go` with nodes, depth, movetime and clocks: exactly one bestmove."""
    context.probe.quiet("newgame seed 1", "position startpos")
    for limit in LIMITS:
        context.probe.search(f"go {limit}")


def legal(context: Context) -> None:
    """The bestmove is a whole legal turn in canonical order."""
    for _, rules, seed in GAMES:
        for turns in (0, 4):
            position, moves = first_turns(rules, seed, turns)
            _set(context, rules, seed, moves)
            for limit in ("nodes 1", "nodes 500"):
                _, turn = context.probe.search(f"go {limit}")
                play_legal(position.copy(), turn)
    _rest_of_a_turn(context)


def _rest_of_a_turn(context: Context) -> None:
    """In mid-turn the bestmove is the rest of the turn."""
    position = Position.start(seed=2)
    begun = str(position.actions()[0])
    position.push(begun)
    context.probe.quiet("newgame seed 2", f"position startpos moves {begun}")
    _, turn = context.probe.search("go nodes 100")
    play_legal(position, turn)


def infos(context: Context) -> None:
    """Info lines are well formed, with whole numbers."""
    for _, rules, seed in GAMES:
        position, moves = first_turns(rules, seed, 3)
        _set(context, rules, seed, moves)
        lines, _ = context.probe.search("go nodes 2000 multipv 3")
        for line in lines:
            check_info(line, rules.players, position.seat)
            _check_pv(line, position)


def _check_pv(line: str, position: Position) -> None:
    """See that the first turn of a pv can be played."""
    _, found, pv = line.partition(" pv ")
    if found:
        play_legal(position.copy(), pv.split(" ")[0].partition("/")[0])


def multipv(context: Context) -> None:
    """`multipv` lists so many turns, the best first, and that is the one played."""
    position = Position.start(seed=3)
    context.probe.quiet("newgame seed 3", "position startpos")
    for wanted in (1, 2, 5):
        lines, turn = context.probe.search(f"go nodes 5000 multipv {wanted}")
        check_ranks(lines, wanted, position.rules.players)
        best = [line for line in lines if " multipv 1 " in line and " pv " in line]
        if best and best[-1].partition(" pv ")[2].split(" ")[0].partition("/")[0] != turn:
            raise Failure(f"expected bestmove to be the turn of the last {best[-1]!r}, not {turn}")


def searchmoves(context: Context) -> None:
    """`searchmoves` leaves only the turns that it names."""
    turns = Position.start(seed=4).turns()
    allowed = [str(turns[len(turns) // 3]), str(turns[len(turns) // 2])]
    context.probe.quiet("newgame seed 4", "position startpos")
    for chosen in (allowed, allowed[:1]):
        _, turn = context.probe.search(f"go nodes 100 searchmoves {' '.join(chosen)}")
        if turn not in chosen:
            raise Failure(f"expected one of {chosen}, found {turn}")
    context.probe.refused("go nodes 1 searchmoves g9", "illegal")


def _set(context: Context, rules: Rules, seed: int, moves: list[str]) -> None:
    request = "position startpos" + (f" moves {' '.join(moves)}" if moves else "")
    context.probe.quiet(f"newgame {setup_words(rules, seed)}", request)
