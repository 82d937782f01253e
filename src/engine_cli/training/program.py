"""The whole of a training: runs in their folders, curve, choice among the seeds, weights."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from engine_cli.training.curve import curve_png
from engine_cli.training.display import Display
from engine_cli.training.folder import RunFolder, write
from engine_cli.training.log import csv_text, run_name
from engine_cli.training.session import Session
from engine_cli.training.weights import Choice, final_weights, mark
from harmonies_core.learning.evaluation import rank
from harmonies_core.learning.run import Evaluation, Progress, Run
from harmonies_core.learning.settings import PARTS, Budget, Settings
from harmonies_core.learning.trainer import SAMPLE_BYTES
from harmonies_core.learning.workers import Stopped, Workers

__all__ = ["Program"]

_DRAW_EVERY: Final = 60.0  # seconds


class Program:
    """What `harmonies train` does in a folder; `asked` says whether it shall stop.

    All runs use up `budget`; then the winner of each side goes on for `look_games` by look-ahead,
    and from there for `special_games` without spirits, and as many with them.

    Raises click.ClickException for everything that can be wrong with the folder.
    """

    def __init__(
        self,
        out: Path,
        wanted: Sequence[Settings],
        budget: Budget,
        look_games: int,
        special_games: int,
        command: str,
        pool: Executor,
        asked: Callable[[], bool],
    ) -> None:
        self._out = out
        self._budget = budget
        self._look_games = look_games
        self._special_games = special_games
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
            raise _too_large(len(wanted), wanted[0]) from None

    def run(self, console: Console, final_deals: int, curve: bool) -> dict[str, Choice] | None:
        """Train, choose and write; None if it was stopped. Shows what happens on the console."""
        for folder, run in zip(self._folders, self._runs, strict=True):
            if folder.load(run, self._command):
                console.print(f"{run_name(run)} goes on after {run.games} games", soft_wrap=True)
        try:
            budgets = [self._budget] * len(self._runs)
            if not self._train(console, curve, self._runs, budgets):
                return None
            choices = self._choose(console, final_deals)
            parts = self._go_on(console, curve, [choice.run for choice in choices.values()])
        except Stopped:
            return None
        finally:
            self._stop.set()
        if parts is None:
            return None
        write(self._out / "kingfisher.weights", final_weights(choices, parts, self._command))
        return choices

    def _go_on(self, console: Console, curve: bool, winners: Sequence[Run]) -> Sequence[Run] | None:
        """The runs that go on from the winners; None if that was stopped."""
        settings_of = {run.settings.side: run.settings for run in winners}
        runs, found = list(winners), []
        for parts, games in ((("look",), self._look_games), (PARTS[1:], self._special_games)):
            if games == 0:
                continue
            followers = [
                self._follow(console, run, settings, part)
                for run in runs
                for part in parts
                if (settings := settings_of[run.settings.side].part(part)) is not None
            ]
            budgets = [Budget(run.begin + games, begin=run.begin) for run in followers]
            for run in self._runs:
                if run not in followers:
                    run.release()
            if not self._train(console, curve, followers, budgets):
                return None
            found += followers
            runs = followers
        return found

    def _follow(self, console: Console, before: Run, settings: Settings, part: str) -> Run:
        """A run with part of the games that begins where another one is, or goes on itself."""
        try:
            run = Run(settings, self._workers, part)
            run.follow(before)
        except MemoryError:
            raise _too_large(len(self._runs) + 1, settings) from None
        folder = RunFolder(self._out / f"{settings.side}-{part}")
        origin = f"{run_name(before)} after {before.games} games, {mark(before)}"
        aside = folder.claim(settings, origin)
        if aside is not None:
            console.print(
                f"{run_name(run)} begins anew, since it goes on from another run than it did; "
                f"{aside} has what there was",
                soft_wrap=True,
            )
        if folder.load(run, self._command):
            console.print(f"{run_name(run)} goes on after {run.games} games", soft_wrap=True)
        self._folders.append(folder)
        self._runs.append(run)
        return run

    def _train(
        self, console: Console, curve: bool, runs: Sequence[Run], budgets: Sequence[Budget]
    ) -> bool:
        """Train runs to the end of their budgets; False if that was stopped."""
        if not runs:
            return True
        folders = [self._folders[self._runs.index(run)] for run in runs]
        session = Session(runs, folders, budgets, self._command, self._stop)
        with Display(console, runs, budgets) as display:

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

    def _choose(self, console: Console, deals: int) -> dict[str, Choice]:
        """The best networks of the seeds play each other, by side."""
        choices = {}
        with console.status("the seeds play each other", spinner="line"):
            for side in sorted({run.settings.side for run in self._runs}):
                runs = [run for run in self._runs if run.settings.side == side]
                nets = [run.best for run in runs if run.best is not None]
                width = runs[0].settings.match_width
                standings = rank(side, nets, width, deals, self._workers)
                choices[side] = Choice(runs[standings[0].number], runs, standings)
        return choices


def _too_large(runs: int, settings: Settings) -> click.ClickException:
    size = runs * settings.memory * SAMPLE_BYTES // 1_000_000
    return click.ClickException(
        f"not enough memory: the samples of {runs} runs take {size} MB; choose fewer with --memory"
    )
