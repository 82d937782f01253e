"""What a tournament costs beside the thinking: engines that answer at once, in real processes.

    python benchmarks/tournament_overhead.py --games 2000 --concurrency 1
    taskset -c 0 python benchmarks/tournament_overhead.py      # one core for all of it
    python benchmarks/tournament_overhead.py --games 20000     # memory over many games

Every game is refereed, dealt, recorded and flushed to the disk as in `harmonies tournament`.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from engine_cli.match.config import Engine, Tournament
from engine_cli.match.journal import Journal
from engine_cli.match.limits import Limits
from engine_cli.match.local import LocalBackend
from engine_cli.match.manager import run
from engine_cli.match.outcome import Outcome
from engine_cli.match.schedule import Schedule
from engine_cli.match.standings import Standings
from engine_cli.match.workers import Workers

ENGINE = str(Path(__file__).parent / "instant_engine.py")
WARM_UP = 20  # games before the clock starts: processes start, modules load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--folder", help="where to write; default: a folder for temporary files")
    options = parser.parse_args()
    engines = tuple(
        Engine(name, (sys.executable, ENGINE), {}, {}, None, Limits(nodes=1)) for name in "ab"
    )
    tournament = Tournament(engines, rounds=(options.games + WARM_UP + 1) // 2)
    schedule = Schedule(tournament)
    standings = Standings(tournament, schedule)
    own = psutil.Process()
    steps = max(1, options.games // 10)
    began = cpu = 0.0
    memory: list[tuple[int, float]] = []

    def changed(outcomes: Sequence[Outcome]) -> None:
        nonlocal began, cpu
        if not began and standings.finished >= WARM_UP:
            began, cpu = time.perf_counter(), time.process_time()
        if standings.finished >= WARM_UP + steps * len(memory):
            memory.append((standings.finished, own.memory_info().rss / 2**20))

    with (
        tempfile.TemporaryDirectory(dir=options.folder) as folder,
        Journal(folder, tournament) as journal,
    ):
        backend = LocalBackend(Workers(tournament), options.concurrency)
        try:
            run(schedule, journal, standings, backend, changed=changed)
            seconds = time.perf_counter() - began
            cpu = time.process_time() - cpu
        finally:
            backend.close(at_once=False)
    games = standings.finished - WARM_UP
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    engine_cpu = (children.ru_utime + children.ru_stime) / standings.finished
    cores = min(len(os.sched_getaffinity(0)), 2 * options.concurrency)
    table = Table(title=f"{games} games, {options.concurrency} at a time, {cores} cores at most")
    table.add_column("")
    table.add_column("", justify="right")
    turns = standings.engines[0].turns + standings.engines[1].turns
    table.add_row("games a second", f"{games / seconds:.1f}")
    table.add_row("turns a game", f"{turns / standings.finished:.1f}")
    table.add_row("CPU of the manager, ms a game", f"{1000 * cpu / games:.2f}")
    table.add_row("CPU of both engines, ms a game", f"{1000 * engine_cpu:.2f}")
    total = cpu / games + engine_cpu
    table.add_row("games a second of one core's CPU", f"{1 / total:.1f}")
    Console().print(table)
    table = Table(title="resident memory of the manager")
    table.add_column("games", justify="right")
    table.add_column("MB", justify="right")
    for finished, megabytes in memory:
        table.add_row(str(finished), f"{megabytes:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
