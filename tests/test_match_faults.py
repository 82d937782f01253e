"""Everything an engine can do wrong in a game, under every kind of limit."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine_cli.client.search import PlayResult
from engine_cli.match.clocks import Clock
from engine_cli.match.config import Engine, Policy, Tournament
from engine_cli.match.faults import OnCrash
from engine_cli.match.limits import Limits
from engine_cli.match.memory import MemoryGuard
from engine_cli.match.outcome import Outcome
from engine_cli.match.player import Player
from engine_cli.match.referee import Referee, SeatPlayer
from engine_cli.match.schedule import Schedule
from engine_cli.match.workers import Workers
from harmonies_core import Position, Rules
from harmonies_core.record import read_games
from harmonies_core.search.searcher import Limit, search

FAULTY = str(Path(__file__).parent / "engines" / "faulty.py")
PATHS = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
LONG = 60_000  # milliseconds; only a hang is that slow
LIMITS = {
    "nodes": Limits(nodes=1),
    "depth": Limits(depth=1),
    "movetime": Limits(movetime=300),
    "clock": Limits(clock=300, increment=200),
}
GOOD = Engine("good", (sys.executable, FAULTY), {}, PATHS, None, Limits(nodes=1))


class Local:
    """A good player without a process."""

    def new_game(self, packs: Sequence[str]) -> None:
        pass

    def turn(self, start: str, moves: Sequence[str], clock: Clock) -> PlayResult:
        position = Position.from_hfen(start)
        for move in moves:
            position.push(move)
        return PlayResult(str(search(position, Limit(nodes=1))[0].turn), (), 0.0)


def faulty(fault: str, limits: Limits, **environment: str) -> Engine:
    return Engine(
        "bad", (sys.executable, FAULTY, fault), {}, {**PATHS, **environment}, None, limits
    )


def play(engine: Engine, policy: Policy, rotation: int = 0) -> Outcome:
    tournament = Tournament((engine, GOOD), rounds=1, policy=policy)
    game = Schedule(tournament)[rotation]
    guard = None if policy.memory is None else MemoryGuard(policy.memory)
    started: list[Player] = []

    def seat(place: int) -> SeatPlayer:
        if game.seats[place] == 1:
            return Local()
        started.append(Player(engine, tournament.rules, policy, guard=guard))
        return started[-1]

    try:
        return Referee(tournament, Rules()).play(game, seat)
    finally:
        for player in started:
            player.kill()
        if guard is not None:
            guard.close()


def policy(fault: str, startup: int = LONG) -> Policy:
    """Waits long for what has to come, and shortly for what never does."""
    return Policy(
        startup=startup,
        patience=700 if fault == "stall" else LONG,
        grace=700 if fault == "stall" else LONG,
        margin=0 if fault in ("stall", "late") else LONG,
        memory=200 if fault == "memory" else None,
    )


EXPECTED = {
    "no-start": ("no-start", "exit status 4"),
    "no-uhiok": ("no-uhiok", "no uhiok"),
    "no-readyok": ("no-readyok", "no readyok"),
    "crash": ("crash", "out of cheese"),
    "signal": ("crash", "SIGKILL"),
    "exit": ("crash", "exit status 0"),
    "closed-pipe": ("closed-pipe", "closed its"),
    "stall": ("stall", "bestmove"),
    "illegal": ("illegal-turn", "'g1,Wa1,Wa1,Wa1'"),
    "half": ("illegal-turn", "not a whole turn"),
    "malformed": ("malformed-answer", "bestmove"),
    "garbled": ("malformed-answer", "xyzzy!"),
    "chance": ("malformed-answer", "/WMT"),
    "twice": ("wrong-request", "bestmove"),
    "other": ("wrong-request", "uhiok"),
    "refuse": ("refused", "I would rather not"),
    "flood": ("flood", "lines"),
    "endless-line": ("flood", "lines"),
    "memory": ("memory", "200 MB allowed"),
}


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("fault", EXPECTED)
def test_fault_is_named_and_lost_and_recorded(fault: str, limits: str) -> None:
    kind, words = EXPECTED[fault]
    if fault in ("no-uhiok", "no-readyok"):
        # short first; on a loaded machine that may be too short for a good engine
        outcome = play(faulty(fault, LIMITS[limits]), policy(fault, startup=1000))
        if outcome.end != kind or not outcome.seats[0].fault:
            outcome = play(faulty(fault, LIMITS[limits]), policy(fault, startup=10_000))
    else:
        outcome = play(faulty(fault, LIMITS[limits]), policy(fault))
    bad, good = outcome.seats
    assert (outcome.end, bad.fault) == (kind, kind), bad.detail
    assert words in bad.detail
    assert (bad.rank, good.rank, good.fault) == (2, 1, "")
    assert outcome.scores == (0.0, 1.0)
    games, skipped = read_games(outcome.record)
    assert not skipped
    assert games[0].tags["Forfeit"] == "1"
    assert games[0].tags["Termination"].startswith(f"seat 1 forfeits, {kind}: ")
    assert len(games[0].plies) == bad.turns + good.turns
    assert games[0].tags["Scores"] == f"{bad.points}/{bad.cubes} {good.points}/{good.cubes}"
    final = games[0].final()
    assert [score.total for score in final.scores()] == [bad.points, good.points]


@pytest.mark.parametrize("limits", ["movetime", "clock"])
def test_late_turn_is_a_time_forfeit(limits: str) -> None:
    outcome = play(faulty("late", LIMITS[limits]), policy("late"))
    assert outcome.end == "time"
    assert "ms allowed" in outcome.seats[0].detail


@pytest.mark.parametrize("limits", ["nodes", "depth"])
def test_no_turn_is_late_without_a_time_limit(limits: str) -> None:
    assert play(faulty("late", LIMITS[limits]), policy("none")).end == "normal"


def test_command_that_does_not_exist() -> None:
    engine = Engine("bad", ("/nowhere/at-all",), {}, {}, None, LIMITS["nodes"])
    outcome = play(engine, Policy())
    assert outcome.end == "no-start"
    assert "/nowhere/at-all" in outcome.seats[0].detail


def test_second_seat_can_forfeit() -> None:
    outcome = play(faulty("illegal", LIMITS["nodes"]), Policy(startup=LONG), rotation=1)
    assert [seat.rank for seat in outcome.seats] == [1, 2]
    assert '[Forfeit "2"]' in outcome.record


@pytest.mark.parametrize("fault", ["crash", "closed-pipe"])
def test_restart_is_forgiven_once(fault: str, tmp_path: Path) -> None:
    once = faulty(fault, LIMITS["nodes"], FLAG=str(tmp_path / "flag"))
    forgiving = Policy(on_crash=OnCrash.RESTART, startup=LONG)
    outcome = play(once, forgiving)
    assert outcome.end == "normal"
    assert outcome.seats[0].fault == fault
    assert f'[Forgiven1 "seat 1 {fault}: ' in outcome.record
    always = faulty(fault, LIMITS["nodes"])
    outcome = play(always, forgiving)  # fails again at the second turn of the new process
    assert outcome.end == fault


def test_run_goes_on_with_a_new_process() -> None:
    tournament = Tournament(
        (faulty("crash", LIMITS["nodes"]), GOOD), rounds=2, policy=Policy(startup=LONG)
    )
    workers = Workers(tournament)
    try:
        ends = [workers.play(game).end for game in Schedule(tournament)]
    finally:
        workers.close()
    assert ends == ["crash"] * 4
