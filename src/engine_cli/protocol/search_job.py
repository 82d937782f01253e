"""From the arguments of `go` to the job that searches."""

import sys
from typing import TYPE_CHECKING

from engine_cli.protocol.clock import Delays, time_for_turn, turns_to_come
from engine_cli.protocol.failure import RequestError, one_line
from engine_cli.protocol.go import Go
from engine_cli.protocol.info import Reporter
from engine_cli.protocol.job import Job, Ponder
from engine_cli.protocol.options import Options
from engine_cli.protocol.output import Output
from engine_cli.protocol.thinker import Thinker
from engine_cli.protocol.whole import whole_turn
from engine_cli.protocol.words import quote

if TYPE_CHECKING:
    from harmonies_core import Position, Turn
    from harmonies_core.search.searcher import StopFlag

__all__ = ["search_job"]


def search_job(
    root: "Position", go: Go, options: Options, thinker: Thinker, delays: Delays, output: Output
) -> Job:
    """A job for this position, which it may keep; not started yet."""
    only = None if go.searchmoves is None else _whole_turns(root, go.searchmoves)
    if go.clock is not None:
        delays.asked(root.seat, go.clock.left)
    movetime = _movetime(go, root, options, delays.usual)
    multipv = go.multipv or options.number("MultiPV")
    ponder = None
    if go.ponder:
        ponder = Ponder(movetime, limited=go.nodes is not None or go.depth is not None)
        movetime = None

    def work(stop: "StopFlag") -> str:
        """Whatever happens here, the last line is a turn to play."""
        from harmonies_core.search.searcher import Limit, search

        reporter = Reporter(output, root.seat)
        try:
            lines = search(
                root,
                Limit(nodes=go.nodes, depth=go.depth, movetime=movetime),
                searcher=thinker.searcher(),
                multipv=multipv,
                searchmoves=only,
                stop=stop,
                on_info=reporter.now_and_then,
            )
            reporter.print(lines)
            if go.clock is not None:
                left = go.clock.left + go.clock.increment - lines[0].time
                delays.answered(root.seat, left)
            return f"bestmove {lines[0].turn}"
        except Exception as problem:
            sys.stderr.write(f"search failed: {problem!r}\n")
            output.line(f"info string search failed: {one_line(repr(problem))}")
            return f"bestmove {only[0] if only else root.turns()[0]}"

    endless = go.infinite or (go.unlimited and not go.ponder)
    return Job("search", work, output, endless=endless, ponder=ponder)


def _movetime(go: Go, position: "Position", options: Options, delay: int) -> int | None:
    """Milliseconds to think, None for no such limit."""
    times = [] if go.movetime is None else [max(1, go.movetime)]
    if go.clock is not None:
        turns = go.togo or turns_to_come(position)
        overhead = options.number("MoveOverhead")
        left, increment = go.clock.left, go.clock.increment
        times.append(time_for_turn(left, increment, turns, overhead, delay))
    return min(times, default=None)


def _whole_turns(position: "Position", texts: list[str]) -> "list[Turn]":
    """Read the turns of `searchmoves`."""
    turns = []
    for text in texts:
        try:
            turns.append(whole_turn(position, text))
        except RequestError as problem:
            raise RequestError("illegal", f"searchmoves {quote(text)}: {problem.text}") from None
    return turns
