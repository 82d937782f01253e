"""A tournament on a Dask cluster on this machine, one of whose workers is killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from engine_cli.match.cluster import ClusterBackend, ClusterError
from engine_cli.match.config import Engine, Tournament
from engine_cli.match.journal import GAMES, Journal
from engine_cli.match.limits import Limits
from engine_cli.match.local import LocalBackend
from engine_cli.match.manager import Backend, run
from engine_cli.match.outcome import Outcome
from engine_cli.match.schedule import Schedule
from engine_cli.match.standings import Standings
from engine_cli.match.workers import Workers
from harmonies_core.record import read_games

INSTANT = str(Path(__file__).parent.parent / "benchmarks" / "instant_engine.py")
PATHS = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
PATIENCE = 120.0  # seconds; only a hang is that slow
TOURNAMENT = Tournament(
    tuple(
        Engine(name, (sys.executable, INSTANT), {}, PATHS, None, Limits(nodes=1)) for name in "ab"
    ),
    rounds=60,
)


def dask(*words: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        cwd=folder,
        env={**os.environ, **PATHS},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, Callable[[], "subprocess.Popen[str]"]]]:
    """The address of a scheduler, and a way to start workers."""
    file = tmp_path / "scheduler.json"
    started = [
        dask(
            *("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)),
            folder=tmp_path,
        )
    ]

    def worker() -> "subprocess.Popen[str]":
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--scheduler-file", str(file))
        started.append(dask("worker", *words, folder=tmp_path))
        return started[-1]

    try:
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], worker
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def play(folder: Path, backend: Backend, after: Callable[[int], None]) -> Standings:
    schedule = Schedule(TOURNAMENT)
    standings = Standings(TOURNAMENT, schedule)

    def changed(outcomes: Sequence[Outcome]) -> None:
        if outcomes:
            after(standings.finished)

    with Journal(folder, TOURNAMENT) as journal:
        try:
            run(schedule, journal, standings, backend, changed=changed)
        finally:
            backend.close(at_once=True)
    for tally in standings.engines:
        tally.time = tally.slowest = 0
    return standings


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_worker_is_killed_and_nothing_is_lost(
    cluster: tuple[str, Callable[[], "subprocess.Popen[str]"]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, start = cluster
    first, _ = start(), start()

    def after(games: int) -> None:
        if games >= 30:
            first.kill()

    with monkeypatch.context() as patch:
        patch.setattr("engine_cli.match.cluster._WAIT", PATIENCE)
        backend = ClusterBackend(address, TOURNAMENT)
    backend.check()
    backend._client.wait_for_workers(2, timeout=PATIENCE)
    spread = play(tmp_path / "cluster", backend, after)
    assert first.wait(PATIENCE)
    here = play(tmp_path / "here", LocalBackend(Workers(TOURNAMENT), 1), after=lambda games: None)
    assert spread.finished == here.finished == 120
    assert (spread.engines, spread.pairs) == (here.engines, here.pairs)
    games, skipped = read_games((tmp_path / "cluster" / GAMES).read_text())
    assert not skipped
    assert len({game.tags["Game"] for game in games}) == len(games) == 120


def test_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine_cli.match.cluster._WAIT", 1.0)
    with pytest.raises(ClusterError, match=r"cluster tcp://127\.0\.0\.1:1: cannot be reached"):
        ClusterBackend("tcp://127.0.0.1:1", TOURNAMENT)
