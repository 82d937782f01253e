"""A tournament that is killed, interrupted, or out of disk goes on; nothing is lost or doubled."""

import csv
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

import harmonies_core
from engine_cli.match.config import Engine, Policy, Tournament
from engine_cli.match.journal import GAMES, RESULTS, TOURNAMENT, Journal, JournalError
from engine_cli.match.limits import Limits
from engine_cli.match.local import LocalBackend
from engine_cli.match.manager import run
from engine_cli.match.outcome import Outcome, SeatOutcome
from engine_cli.match.schedule import Schedule
from engine_cli.match.standings import Standings
from engine_cli.match.workers import Workers
from harmonies_core.record import read_games

INSTANT = str(Path(__file__).parent.parent / "benchmarks" / "instant_engine.py")
# Where the package is; sys.path differs between the processes that import this file.
PATHS = {"PYTHONPATH": str(Path(harmonies_core.__file__).parent.parent)}
PATIENCE = 60.0  # seconds; only a hang is that slow
ENGINES = tuple(
    Engine(name, (sys.executable, INSTANT), {}, PATHS, None, Limits(nodes=1)) for name in "ab"
)
VARYING = ("time_ms", "slowest_ms", "started", "duration_ms", "record_start", "record_end")

spawn = multiprocessing.get_context("forkserver")
spawn.set_forkserver_preload(["engine_cli.match.session", "engine_cli.match.stats.ratings"])


def tournament(rounds: int, **values: Any) -> Tournament:
    return Tournament(ENGINES, rounds=rounds, **values)


def play(folder: Path, rounds: int, concurrency: int = 2) -> Standings:
    """All that is left of a tournament, as the command plays it."""
    plan = tournament(rounds)
    schedule = Schedule(plan)
    standings = Standings(plan, schedule)
    with Journal(folder, plan) as journal:
        for outcome in journal.outcomes():
            standings.add(outcome)
        backend = LocalBackend(Workers(plan), concurrency)
        try:
            run(schedule, journal, standings, backend)
        finally:
            backend.close(at_once=True)
    standings.close_gaps()
    return standings


def rows(folder: Path) -> list[dict[str, str]]:
    with open(folder / RESULTS, encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    return [
        {key: value for key, value in row.items() if key not in VARYING}
        for row in sorted(found, key=lambda row: (int(row["index"]), int(row["seat"])))
    ]


def figures(standings: Standings) -> list[Any]:
    """All statistics but those of time."""
    for tally in standings.engines:
        tally.time = tally.slowest = 0
    return [standings.counted, standings.engines, standings.pairs]


def turns(folder: Path) -> dict[str, list[str]]:
    games, skipped = read_games((folder / GAMES).read_text(encoding="utf-8"))
    assert not skipped
    found = {game.tags["Game"]: [str(ply.turn) for ply in game.plies] for game in games}
    assert len(found) == len(games)
    return found


def wait_for(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_kills(tmp_path: Path) -> None:
    """Whatever the moment of the kill, the figures are those of a run without any."""
    rng = random.Random(7)
    killed, folder = 0, tmp_path / "killed"
    while killed < 50:
        process = spawn.Process(target=play, args=(folder, 1_000_000, 1 + killed % 5 // 4))
        process.start()
        before = size(folder)
        time.sleep(rng.uniform(0, 0.2))
        if rng.random() < 0.8:  # most kills fall into the writing of games
            wait_for(lambda before=before: size(folder) > before)  # type: ignore[misc]
            time.sleep(rng.uniform(0, 0.02))
        assert process.is_alive()
        process.kill()
        process.join()
        killed += process.exitcode == -signal.SIGKILL
    with Journal(folder, tournament(1)) as journal:
        played = [outcome.index for outcome in journal.outcomes()]
    assert len(set(played)) == len(played) > 0
    rounds = max(played) // 2 + 3
    resumed = play(folder, rounds)
    straight = play(tmp_path / "straight", rounds)
    assert resumed.finished == straight.finished == 2 * rounds
    assert figures(resumed) == figures(straight)
    assert rows(folder) == rows(tmp_path / "straight")
    assert turns(folder) == turns(tmp_path / "straight")


def size(folder: Path) -> int:
    try:
        return (folder / RESULTS).stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("name", [RESULTS, GAMES])
def test_file_cut_anywhere(name: str, tmp_path: Path) -> None:
    """A results file that ends early is repaired; a record that is missing is an error."""
    folder = tmp_path / "run"
    play(folder, 2, concurrency=1)
    whole = {file: (folder / file).read_bytes() for file in (RESULTS, GAMES)}
    expected = rows(folder)
    rng = random.Random(3)
    for cut in sorted(rng.sample(range(len(whole[name])), 8)):
        for file, data in whole.items():
            (folder / file).write_bytes(data)
        (folder / name).write_bytes(whole[name][:cut])
        if name == GAMES:
            with pytest.raises(JournalError, match="records are missing"):
                Journal(folder, tournament(2))
            continue
        play(folder, 2)
        assert rows(folder) == expected
        assert len(turns(folder)) == 4


def outcome(index: int) -> Outcome:
    seats = tuple(SeatOutcome(n, 50, 1, 1, (0,) * 7, 9, 9, 1.0, 9, 9) for n in (0, 1))
    return Outcome(index, seats, f'[Game "{index}"]\n' * 40, "normal", None, "now", 1)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize("name", ["_games", "_results"])
def test_full_disk(name: str, tmp_path: Path) -> None:
    plan = tournament(3)
    schedule = Schedule(plan)
    with Journal(tmp_path, plan) as journal:
        journal.add([(schedule[0], outcome(0))])
        good = getattr(journal, name)
        with open("/dev/full", "ab", buffering=0) as full:
            setattr(journal, name, full)
            with pytest.raises(JournalError, match="game 1-1-2 cannot be written: No space left"):
                journal.add([(schedule[1], outcome(1))])
            setattr(journal, name, good)
    with Journal(tmp_path, plan) as journal:
        assert [found.index for found in journal.outcomes()] == [0]
        journal.add([(schedule[1], outcome(1))])
    with Journal(tmp_path, plan) as journal:
        assert [found.index for found in journal.outcomes()] == [0, 1]
    assert (tmp_path / GAMES).read_text().count('[Game "1"]') == 40


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of the system")
def test_file_that_may_not_grow(tmp_path: Path) -> None:
    """The system refuses a write in the middle of a record."""
    import resource

    plan = tournament(200)
    schedule = Schedule(plan)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written: list[int] = []

    def write(journal: Journal) -> None:
        for game in schedule:
            journal.add([(game, outcome(game.index))])
            written.append(game.index)

    try:
        with Journal(tmp_path, plan) as journal:
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
            with pytest.raises(JournalError, match="File too large"):
                write(journal)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert written
    with Journal(tmp_path, plan) as journal:
        assert [found.index for found in journal.outcomes()] == written


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    plan = tournament(1)
    with (
        Journal(tmp_path, plan),
        pytest.raises(JournalError, match="another run of this tournament"),
    ):
        Journal(tmp_path, plan)
    Journal(tmp_path, plan).close()


def test_folder_of_another_tournament_stays_as_it_is(tmp_path: Path) -> None:
    with Journal(tmp_path, tournament(1)) as journal:
        journal.add([(Schedule(tournament(1))[0], outcome(0))])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for other in (tournament(1, seed=5), tournament(1, policy=Policy(margin=1))):
        with pytest.raises(JournalError, match=r"another tournament \((seed: 0|policy.margin: 1)"):
            Journal(tmp_path, other)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    Journal(tmp_path, tournament(9)).close()  # more rounds are the same tournament


def test_files_that_are_not_those_of_a_tournament(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_text("a,b\n1,2\n")
    with pytest.raises(JournalError, match=f"has a {RESULTS} but no {TOURNAMENT}"):
        Journal(tmp_path, tournament(1))
    assert (tmp_path / RESULTS).read_text() == "a,b\n1,2\n"
    (tmp_path / TOURNAMENT).write_text("{")
    with pytest.raises(JournalError, match="is not the file of a tournament"):
        Journal(tmp_path, tournament(1))
    (tmp_path / RESULTS).unlink()
    (tmp_path / TOURNAMENT).unlink()
    Journal(tmp_path, tournament(1)).close()
    (tmp_path / RESULTS).write_text("a,b\n1,2\n")
    with pytest.raises(JournalError, match="line 1: not the columns"):
        Journal(tmp_path, tournament(1))
    assert (tmp_path / RESULTS).read_text() == "a,b\n1,2\n"


def test_damaged_line_is_named(tmp_path: Path) -> None:
    with Journal(tmp_path, tournament(1)) as journal:
        journal.add([(Schedule(tournament(1))[0], outcome(0))])
    path = tmp_path / RESULTS
    path.write_text(path.read_text().replace(",50,", ",fifty,", 1))
    with pytest.raises(JournalError, match=r"results\.csv, line \d+: cannot be read"):
        Journal(tmp_path, tournament(1))


# -- Ctrl-C ---------------------------------------------------------------------------------


def start(folder: Path, *more: str, engine: str = INSTANT) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "engine_cli.main", "tournament", "--out", str(folder)]
    for name in "ab":
        command += ["--engine", f"name={name} cmd='{sys.executable} {engine}' nodes=1"]
    return subprocess.Popen(
        [*command, "--rounds", "100000", *more],
        env={
            **os.environ,
            **PATHS,
            "TOURNAMENT_TEST": str(folder),
            "MARK": str(folder / "stalled"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def left_behind(folder: Path) -> list[int]:
    """Processes that a run started and that are still there."""
    found = []
    for process in psutil.process_iter():
        try:
            ours = process.environ().get("TOURNAMENT_TEST") == str(folder)
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_finishes_the_games_that_go_on(tmp_path: Path) -> None:
    process = start(tmp_path, "--concurrency", "2")
    try:
        wait_for(lambda: size(tmp_path) > 2000)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "of 200000 games" in out
    assert "interrupted; the same command goes on" in err
    assert not left_behind(tmp_path)
    assert len(turns(tmp_path)) == len(rows(tmp_path)) // 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_twice_stops_at_once(tmp_path: Path) -> None:
    """Engines that never answer do not keep it."""
    faulty = f"{Path(__file__).parent / 'engines' / 'faulty.py'} stall 3"
    process = start(tmp_path, "--patience", "600000", engine=faulty)
    try:
        wait_for((tmp_path / "stalled").exists)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None  # waits for the game that goes on
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    wait_for(lambda: not left_behind(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_engines_end_with_a_manager_that_is_killed(tmp_path: Path) -> None:
    """Also one that hangs and never sees the end of its input."""
    faulty = f"{Path(__file__).parent / 'engines' / 'faulty.py'} stall 3"
    process = start(tmp_path, "--patience", "600000", engine=faulty)
    try:
        wait_for((tmp_path / "stalled").exists)
    finally:
        process.kill()
        process.communicate()
    wait_for(lambda: not left_behind(tmp_path))
