"""The one door to the search: algorithms by name, limits, results."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harmonies_core.errors import PositionError
from harmonies_core.game import Position, Turn
from harmonies_core.search.greedy import StopFlag, greedy_lines, player_estimates

__all__ = ["ALGORITHMS", "Limit", "Line", "StopFlag", "evaluate", "search"]


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop; None means no such limit. Times in milliseconds."""

    nodes: int | None = None
    depth: int | None = None
    movetime: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One candidate turn with its value.

    `seats` are expected final points of every seat in hundredths, `nodes` the positions valued
    in the whole search so far, `time` milliseconds since it began.
    """

    turn: Turn
    seats: tuple[int, ...]
    depth: int
    nodes: int
    time: int


def evaluate(position: Position) -> tuple[int, ...]:
    """Expected final points of every seat, in hundredths, without search."""
    return tuple(round(100 * value) for value in player_estimates(position))


def _with_value(position: Position, value: float) -> tuple[int, ...]:
    """Estimates of all seats, the mover's replaced by its value after the turn."""
    seats = list(evaluate(position))
    seats[position.seat - 1] = round(100 * value)
    return tuple(seats)


def _after(position: Position, turn: Turn) -> tuple[str, float]:
    """Text of the position a whole turn leads to, and the mover's estimate there."""
    after = position.copy()
    after.push(turn.without_chance())
    if (
        after.phase in ("turn", "spirit")
        and after.seat == position.seat
        and not after.between_turns
    ):
        raise PositionError(f"searchmoves: {turn} is not a whole turn")
    return after.hfen(), player_estimates(after)[position.seat - 1]


def _greedy(
    position: Position, limit: Limit, multipv: int, seed: int, stop: StopFlag | None
) -> tuple[list[tuple[Turn, float]], int]:
    if limit.movetime is None:
        return greedy_lines(position, multipv, limit.nodes, stop)
    late = StopFlag()
    timer = threading.Timer(limit.movetime / 1000, late.set)
    timer.start()
    try:
        return greedy_lines(position, multipv, limit.nodes, stop, late)
    finally:
        timer.cancel()


def _random(
    position: Position, limit: Limit, multipv: int, seed: int, stop: StopFlag | None
) -> tuple[list[tuple[Turn, float]], int]:
    """Random legal actions until the turn may end and "end" is drawn."""
    rng = random.Random(seed * 2**64 + position.key())
    found: dict[str, tuple[Turn, float]] = {}
    for _ in range(4 * multipv):
        after, words = position.copy(), []
        while True:
            action = rng.choice(after.actions())
            if action.kind == "end":
                break
            words.append(str(action))
            after.push_action(action)
        turn = position.canonical(",".join(words) or "end")
        after.push_action("end")
        found.setdefault(after.hfen(), (turn, player_estimates(after)[position.seat - 1]))
        if len(found) == multipv or (stop is not None and stop.is_set()):
            break
    return list(found.values()), len(found)


_REGISTERED = {"greedy": _greedy, "random": _random}
ALGORITHMS: tuple[str, ...] = tuple(_REGISTERED)


def search(
    position: Position,
    limit: Limit = Limit(),
    *,
    algorithm: str = "greedy",
    multipv: int = 1,
    searchmoves: Sequence[Turn] | None = None,
    seed: int = 0,
    stop: StopFlag | None = None,
    on_info: Callable[[Sequence[Line]], None] | None = None,
) -> list[Line]:
    """The best turns, best first, at least one; from mid-turn the best rests of the turn.

    A legal turn comes back even when the search is stopped at once. `searchmoves` restricts the
    choice to these whole turns. Raises PositionError if it is no player's move, ValueError for
    an unknown algorithm.
    """
    if algorithm not in _REGISTERED:
        raise ValueError(f"algorithm: {algorithm!r} is not one of {', '.join(ALGORITHMS)}")
    if not 1 <= multipv <= 500:
        raise ValueError(f"multipv: {multipv} is not a number from 1 to 500")
    if position.phase not in ("turn", "spirit"):
        raise PositionError("it is no player's move: the game is over or a deal is due")
    began = time.monotonic()
    if searchmoves:
        known: dict[str, tuple[Turn, float]] = {}
        for turn in searchmoves:
            text, value = _after(position, turn)
            known.setdefault(text, (position.canonical(turn.without_chance()), value))
            if stop is not None and stop.is_set():
                break
        pairs, nodes = list(known.values()), len(known)
        if algorithm == "random":
            random.Random(seed * 2**64 + position.key()).shuffle(pairs)
        else:
            pairs.sort(key=lambda pair: -pair[1])
        pairs = pairs[:multipv]
    else:
        pairs, nodes = _REGISTERED[algorithm](position, limit, multipv, seed, stop)
    passed = round(1000 * (time.monotonic() - began))
    lines = [Line(turn, _with_value(position, value), 1, nodes, passed) for turn, value in pairs]
    if on_info is not None:
        on_info(lines)
    return lines
