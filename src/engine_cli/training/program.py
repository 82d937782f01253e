"""The whole of a training: runs in their folders, curve, choice among the seeds, weights."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
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
from harmonies_core.learning.average import mean_network
from harmonies_core.learning.evaluation import Standing, rank
from harmonies_core.learning.run import Evaluation, Progress, Run
from harmonies_core.learning.settings import Budget, Settings
from harmonies_core.learning.trainer import SAMPLE_BYTES
from harmonies_core.learning.workers import Stopped, Workers

__all__ = ["Program"]

_DRAW_EVERY: Final = 60.0  # seconds


class Program:
    """What `harmonies train` does in a folder; `asked` says whether it shall stop.

    All runs use up `budget`; then the winner of each side goes on for `look_games` by look-ahead.
    From there each seed goes on for `special_games` without spirits, and for as many with them;
    the mean of what they come to is compared with the best of each.

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
            raise _too_large([settings.memory for settings in wanted]) from None

    def run(self, console: Console, final_deals: int, curve: bool) -> Sequence[Choice] | None:
        """Train, choose and write; None if it was stopped. Shows what happens on the console."""
        seeds = dict.fromkeys(run.settings.seed for run in self._runs)
        for folder, run in zip(self._folders, self._runs, strict=True):
            if folder.load(run, self._command):
                console.print(f"{run_name(run)} goes on after {run.games} games", soft_wrap=True)
        try:
            budgets = [self._budget] * len(self._runs)
            if not self._train(console, curve, self._runs, budgets):
                return None
            choices = self._choose(console, final_deals)
            winners = [choice.run for choice in choices if choice.run is not None]
            looks = self._look_ahead(console, curve, winners)
            if looks is None:
                return None
            choices += [_only(run) for run in looks]
            begins = [
                (before, winner.settings)
                for before, winner in zip(looks or winners, winners, strict=True)
            ]
            special = self._specialise(console, curve, begins, list(seeds), final_deals)
            if special is None:
                return None
            choices += special
        except Stopped:
            return None
        finally:
            self._stop.set()
        write(self._out / "kingfisher.weights", final_weights(choices, self._command))
        return choices

    def _look_ahead(
        self, console: Console, curve: bool, winners: Sequence[Run]
    ) -> Sequence[Run] | None:
        """The winners that go on by look-ahead; None if that was stopped."""
        if self._look_games == 0:
            return []
        runs = []
        for winner in winners:
            settings = winner.settings.part("look")
            runs.append(self._follow(console, winner, settings, "look", f"{settings.side}-look"))
        self._release(runs)
        return runs if self._train(console, curve, runs, _goals(runs, self._look_games)) else None

    def _specialise(
        self,
        console: Console,
        curve: bool,
        begins: Sequence[tuple[Run, Settings]],
        seeds: Sequence[int],
        deals: int,
    ) -> list[Choice] | None:
        """What went on with games of one kind; None if that was stopped.

        begins: the run that it goes on from, and the settings of the winner, for each side.
        """
        if self._special_games == 0:
            return []
        parts = [
            (before, settings.part(part), part)
            for before, settings in begins
            for part in ("plain", "spirits")
            if (part == "spirits") in settings.kinds
        ]
        followers: list[list[Run]] = [[] for _ in parts]
        ends: list[list[bytes]] = [[] for _ in parts]
        for seed in seeds:
            # One seed after the other, since each run holds many samples.
            self._release([run for run, _ in begins])
            runs = []
            for before, settings, part in parts:
                own = replace(settings, seed=seed)
                name = f"{settings.side}-{part}-{seed}"
                runs.append(self._follow(console, before, own, part, name))
            if seed == seeds[-1]:
                self._release(runs)
            if not self._train(console, curve, runs, _goals(runs, self._special_games)):
                return None
            for i, run in enumerate(runs):
                followers[i].append(run)
                ends[i].append(run.current)
        with console.status("they play each other and their mean", spinner="line"):
            return [
                self._compare(runs, [mean_network(last)] if len(last) > 1 else [], 4 * deals)
                for runs, last in zip(followers, ends, strict=True)
            ]

    def _compare(self, runs: Sequence[Run], means: Sequence[bytes], deals: int) -> Choice:
        """Choose among the best networks of runs that differ in their seeds, and their mean."""
        settings = runs[0].settings
        nets = [run.best for run in runs if run.best is not None] + list(means)
        standings = rank(
            settings.side, nets, settings.match_width, deals, self._workers, settings.kinds
        )
        return Choice(runs, nets, standings)

    def _release(self, needed: Sequence[Run]) -> None:
        """Free the samples of all other runs."""
        for run in self._runs:
            if run not in needed:
                run.release()

    def _follow(
        self, console: Console, before: Run, settings: Settings, part: str, name: str
    ) -> Run:
        """A run with part of the games that begins where another one is, or goes on itself."""
        try:
            run = Run(settings, self._workers, part)
            run.follow(before)
        except MemoryError:
            held = [run.capacity for run in self._runs if run.capacity > 1]
            raise _too_large([*held, settings.memory]) from None
        folder = RunFolder(self._out / name)
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

    def _choose(self, console: Console, deals: int) -> list[Choice]:
        """The best networks of the seeds play each other, side by side."""
        with console.status("the seeds play each other", spinner="line"):
            return [
                self._compare([run for run in self._runs if run.settings.side == side], [], deals)
                for side in sorted({run.settings.side for run in self._runs})
            ]


def _only(run: Run) -> Choice:
    """Nothing to choose from."""
    assert run.best is not None
    return Choice([run], [run.best], [Standing(0, 0.5, 0.0, 0.0)])


def _goals(runs: Sequence[Run], games: int) -> list[Budget]:
    """So many games from where each run has begun."""
    return [Budget(run.begin + games, begin=run.begin) for run in runs]


def _too_large(samples: Sequence[int]) -> click.ClickException:
    """samples: of each run that holds any, or should."""
    size = sum(samples) * SAMPLE_BYTES // 1_000_000
    return click.ClickException(
        f"not enough memory: the samples of {len(samples)} runs take {size} MB; "
        "choose fewer with --memory"
    )
