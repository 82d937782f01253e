"""The one door to the search: algorithms by name, limits, results."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from harmonies_core.errors import PositionError
from harmonies_core.game import Dealer, Position, Turn
from harmonies_core.search.base import MAX_THREADS, OBJECTIVES, Found, Searcher, outlook_after
from harmonies_core.search.base import expected_points as _expected_points
from harmonies_core.search.expectimax import Expectimax
from harmonies_core.search.greedy import Greedy
from harmonies_core.search.limits import StopFlag
from harmonies_core.search.mcts import Mcts
from harmonies_core.search.strength import HANDICAPS, MAX_STRENGTH
from harmonies_core.search.uniform import Uniform
from harmonies_core.values.network import Weights

__all__ = [
    "ALGORITHMS",
    "DEFAULT_ALGORITHM",
    "MAX_STRENGTH",
    "MAX_THREADS",
    "OBJECTIVES",
    "Limit",
    "Line",
    "Searcher",
    "StopFlag",
    "evaluate",
    "make_searcher",
    "search",
]

# The only place where an algorithm is entered.
_REGISTERED: Final[dict[str, type[Searcher]]] = {
    "expectimax": Expectimax,
    "greedy": Greedy,
    "mcts": Mcts,
    "random": Uniform,
}
ALGORITHMS: Final = tuple(_REGISTERED)
DEFAULT_ALGORITHM: Final = "expectimax"
_MOST_LINES: Final = 500
_PV_NODES: Final = 1500
_PV_TIME: Final = 100


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop; None means no such limit. Times in milliseconds."""

    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One candidate turn with what is expected of it.

    `seats` are expected final points of every seat in hundredths, `sd` the standard deviation of
    the mover's in hundredths, `wdl` its chances to win, share the win and lose in per mille.
    `depth` counts levels of deepening, `seldepth` turns looked at, `nodes` the landscapes valued
    in the whole search so far, `time` milliseconds since it began. `pv` begins with the turn;
    its turns say after a slash which refill was assumed.
    """

    turn: Turn
    seats: tuple[int, ...]
    sd: int
    wdl: tuple[int, int, int]
    depth: int
    seldepth: int
    nodes: int
    time: int
    pv: tuple[Turn, ...]


def make_searcher(
    algorithm: str = DEFAULT_ALGORITHM,
    *,
    weights: Weights | None = None,
    threads: int = 1,
    objective: str = "win",
    seed: int = 0,
    strength: int = MAX_STRENGTH,
    hash_size: int = 64,
) -> Searcher:
    """A searcher that keeps its memory from search to search.

    `hash_size` is the memory for trees in megabytes. A `strength` below the highest plays
    weaker, whatever the algorithm (strength.py). Raises ValueError for an unknown algorithm or
    objective, or numbers out of range.
    """
    if algorithm not in _REGISTERED:
        raise ValueError(f"algorithm: {algorithm!r} is not one of {', '.join(ALGORITHMS)}")
    if objective not in OBJECTIVES:
        raise ValueError(f"objective: {objective!r} is not one of {', '.join(OBJECTIVES)}")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads: {threads} is not a number from 1 to {MAX_THREADS}")
    if not 1 <= strength <= MAX_STRENGTH:
        raise ValueError(f"strength: {strength} is not a number from 1 to {MAX_STRENGTH}")
    handicap = HANDICAPS.get(strength)
    if handicap is None or algorithm == "random":
        searcher = _REGISTERED[algorithm](weights, threads, objective, seed)
        searcher.hash_size = hash_size
        return searcher
    searcher = _REGISTERED[handicap.algorithm](weights, threads, objective, seed)
    searcher.noise = handicap.noise
    searcher.most_nodes = handicap.nodes
    return searcher


def evaluate(position: Position, weights: Weights | None = None) -> tuple[int, ...]:
    """Expected final points of every seat, in hundredths, without search."""
    return tuple(round(100 * value) for value in _expected_points(position, weights))


def search(
    position: Position,
    limit: Limit = Limit(),
    *,
    algorithm: str = DEFAULT_ALGORITHM,
    multipv: int = 1,
    searchmoves: Sequence[Turn] | None = None,
    seed: int = 0,
    stop: StopFlag | None = None,
    on_info: Callable[[Sequence[Line]], None] | None = None,
    searcher: Searcher | None = None,
) -> list[Line]:
    """The best turns, best first, at least one; from mid-turn the best rests of the turn.

    A legal turn comes back even when the search is stopped at once. `searchmoves` restricts the
    choice to these whole turns. `searcher` stands for `algorithm` and `seed` if it is given.
    Raises PositionError if it is no player's move, ValueError for an unknown algorithm.
    """
    if not 1 <= multipv <= _MOST_LINES:
        raise ValueError(f"multipv: {multipv} is not a number from 1 to {_MOST_LINES}")
    if searcher is None:
        searcher = make_searcher(algorithm, seed=seed)
    if position.phase not in ("turn", "spirit"):
        raise PositionError("it is no player's move: the game is over or a deal is due")
    began = time.monotonic()
    only = None if searchmoves is None else _distinct(position, searchmoves)

    def lines(found: Sequence[Found], depth: int, nodes: int) -> list[Line]:
        passed = round(1000 * (time.monotonic() - began))
        return [_line(position, one, (depth, searcher.seldepth), nodes, passed) for one in found]

    def as_they_are(found: Sequence[Found]) -> list[Found]:
        # A player that misjudges is asked which turn it likes, not what to expect of it.
        if searcher.noise <= 0:
            return list(found)
        return [outlook_after(position, one.turn, searcher.weights) for one in found]

    def report(found: Sequence[Found], depth: int, nodes: int) -> None:
        if on_info is not None:
            on_info(lines(as_they_are(found), depth, nodes))

    found, depth, nodes = searcher.think(position, limit, multipv, stop, report, only)
    found = as_they_are(found)
    result = lines(found, depth, nodes)
    left = None if limit.movetime is None else limit.movetime - result[0].time
    # What follows is for people only: it must not cost a player on the clock its time.
    if (stop is None or not stop.is_set()) and (
        limit.nodes is None and (left is None or left > _PV_TIME)
    ):
        result[0] = _with_replies(position, result[0], searcher)
    return result


def _line(position: Position, one: Found, depth: tuple[int, int], nodes: int, passed: int) -> Line:
    seat = position.seat - 1
    win, draw, _ = one.chances
    wins, draws = round(1000 * win), round(1000 * draw)
    return Line(
        turn=one.turn,
        seats=tuple(round(100 * points) for points in one.points),
        sd=round(100 * one.sd[seat]),
        wdl=(wins, draws, 1000 - wins - draws),
        depth=depth[0],
        seldepth=depth[1],
        nodes=nodes,
        time=passed,
        pv=(one.turn,),
    )


def _distinct(position: Position, turns: Sequence[Turn]) -> list[Turn]:
    """The turns in canonical form, those with equal outcome once."""
    found: dict[str, Turn] = {}
    for turn in turns:
        after = position.copy()
        after.push(turn.without_chance())
        if (
            after.phase in ("turn", "spirit")
            and after.seat == position.seat
            and not after.between_turns
        ):
            raise PositionError(f"searchmoves: {turn} is not a whole turn")
        found.setdefault(after.hfen(), position.canonical(turn.without_chance()))
    return list(found.values())


def _with_replies(position: Position, line: Line, searcher: Searcher) -> Line:
    """The line with a likely refill and reply for every seat until the mover's next turn."""
    greedy = Greedy(searcher.weights)
    after = position.copy()
    dealer = Dealer.for_position(position, int(searcher.seed))
    turn, pv = line.turn, []
    for _ in range(position.rules.players + 1):
        after.push(turn)
        refill = dealer.deal(after) if after.phase == "chance" else ""
        if refill:
            after.push_chance(refill)
        pv.append(Turn(f"{turn}/{refill}") if refill else turn)
        if after.phase not in ("turn", "spirit"):
            break
        found, _, _ = greedy.think(after, Limit(nodes=_PV_NODES), 1, None, None, None)
        turn = found[0].turn
    pv[-1] = pv[-1].without_chance()
    values: dict[str, Any] = {name: getattr(line, name) for name in line.__slots__ if name != "pv"}
    return Line(**values, pv=tuple(pv))
