"""The whole of a training: runs in their folders, curve, choice among the seeds, weights."""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from engine_cli.training.curve import curve_png
from engine_cli.training.display import Display, run_name
from engine_cli.training.folder import RunFolder, write
from engine_cli.training.log import csv_text
from engine_cli.training.session import Session
from engine_cli.training.weights import Choice, final_weights
from harmonies_core.learning.evaluation import rank
from harmonies_core.learning.run import Evaluation, Progress, Run
from harmonies_core.learning.settings import Budget, Settings
from harmonies_core.learning.trainer import SAMPLE_BYTES
from harmonies_core.learning.workers import Stopped, Workers

__all__ = ["Program"]

_DRAW_EVERY: Final = 60.0  # seconds


class Program:
    """What `harmonies train` does in a folder; `asked` says whether it shall stop.

    All runs use up `budget`; then the winner of each side goes on to `winner_games`, if given.

    Raises click.ClickException for everything that can be wrong with the folder.
    """

    def __init__(
        self,
        out: Path,
        wanted: Sequence[Settings],
        budget: Budget,
        winner_games: int | None,
        command: str,
        pool: Executor,
        asked: Callable[[], bool],
    ) -> None:
        self._out = out
        self._budget = budget
        self._last = None if winner_games is None else Budget(winner_games)
        self._command = command
        self._drawn = time.monotonic()
        self._stop = threading.Event()
        self._workers = Workers(pool, lambda: self._stop.is_set() or asked())
        self._folders = [RunFolder(out / f"{s.side}-{s.seed}") for s in wanted]
        for folder, settings in zip(self._folders, wanted, strict=True):
            folder.claim(settings)
        try:
            self._runs = [Run(settings, self._workers) for settings in wanted]
        except MemoryError:
            size = len(wanted) * wanted[0].memory * SAMPLE_BYTES // 1_000_000
            raise click.ClickException(
                f"not enough memory: the samples of {len(wanted)} runs take {size} MB; choose "
                "fewer with --memory"
            ) from None

    def run(self, console: Console, final_deals: int, curve: bool) -> dict[str, Choice] | None:
        """Train, choose and write; None if it was stopped. Shows what happens on the console."""
        for folder, run in zip(self._folders, self._runs, strict=True):
            if folder.load(run, self._command):
                console.print(f"{run_name(run)} goes on after {run.games} games", soft_wrap=True)
        # Killed in its last part: a winner must neither be trained nor chosen by the first again.
        winners = [run for run in self._runs if self._last and run.plans[-1:] == [self._last.games]]
        others = [run for run in self._runs if run not in winners]
        found = {run.settings.side for run in winners}
        try:
            if not self._train(console, curve, others, self._budget):
                return None
            if self._last is not None:
                for choice in self._choose(console, final_deals, skip=found).values():
                    winners.append(choice.run)
                if not self._train(console, curve, winners, self._last):
                    return None
            choices = self._choose(console, final_deals)
        except Stopped:
            return None
        finally:
            self._stop.set()
        write(self._out / "kingfisher.weights", final_weights(choices, self._command))
        return choices

    def _train(self, console: Console, curve: bool, runs: Sequence[Run], budget: Budget) -> bool:
        """Train runs to the end of a budget; False if that was stopped."""
        if not runs:
            return True
        folders = [self._folders[self._runs.index(run)] for run in runs]
        session = Session(runs, folders, budget, self._command, self._stop)
        with Display(console, runs, budget) as display:

            def show(number: int, run: Run, record: Progress | Evaluation) -> None:
                display.show(number, run, record)
                if isinstance(record, Evaluation):
                    recently = time.monotonic() < self._drawn + _DRAW_EVERY
                    self._draw(curve and not recently)

            done = session.train(show)
        self._draw(curve)
        return done

    def _draw(self, curve: bool) -> None:
        """Bring the learning curve up to date."""
        write(self._out / "curve.csv", csv_text(self._runs))
        if curve and any(run.evaluations for run in self._runs):
            write(self._out / "curve.png", curve_png(self._runs))
            self._drawn = time.monotonic()

    def _choose(
        self, console: Console, deals: int, skip: Collection[str] = ()
    ) -> dict[str, Choice]:
        """The best networks of the seeds play each other, by side."""
        choices = {}
        with console.status("the seeds play each other", spinner="line"):
            for side in sorted({run.settings.side for run in self._runs}.difference(skip)):
                runs = [run for run in self._runs if run.settings.side == side]
                nets = [run.best for run in runs if run.best is not None]
                width = runs[0].settings.match_width
                standings = rank(side, nets, width, deals, self._workers)
                choices[side] = Choice(runs[standings[0].number], runs, standings)
        return choices
