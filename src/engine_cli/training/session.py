"""All runs of a training side by side: on the threads of one process, saved as they go."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import click

from engine_cli.training.folder import RunFolder
from engine_cli.training.log import run_name
from harmonies_core.learning.run import Evaluation, Progress, Run
from harmonies_core.learning.settings import Budget
from harmonies_core.learning.workers import Stopped

__all__ = ["Session"]

_SAVE_EVERY: Final = 300.0  # seconds
_POLL: Final = 0.2  # seconds between two looks at Ctrl-C

Show = Callable[[int, Run, Progress | Evaluation], None]


@dataclass(frozen=True, slots=True)
class Session:
    """Runs with their folders, how far each goes, and the command that started them.

    `stop` is a flag that the workers of the runs look at, maybe with others.
    """

    runs: Sequence[Run]
    folders: Sequence[RunFolder]
    budgets: Sequence[Budget]
    command: str
    stop: threading.Event

    def train(self, show: Show) -> bool:
        """Train all runs to the end of their budgets; False if that was stopped.

        Every run has a checkpoint then. `show` is called in this thread. Raises what a run
        raises, once the others are saved.
        """
        news: queue.SimpleQueue[tuple[int, Progress | Evaluation]] = queue.SimpleQueue()
        with ThreadPoolExecutor(len(self.runs)) as threads:
            try:
                futures = [
                    threads.submit(self._train, number, news.put)
                    for number in range(len(self.runs))
                ]
                while not all(future.done() for future in futures):
                    self._tell(news, show, _POLL)
                    if any(_failed(future) for future in futures):
                        self.stop.set()
            except BaseException:
                self.stop.set()
                raise
        self._tell(news, show, 0)
        results = [future.result() for future in futures]
        return all(results)

    def _tell(
        self,
        news: "queue.SimpleQueue[tuple[int, Progress | Evaluation]]",
        show: Show,
        wait: float,
    ) -> None:
        """Show what there is; wait a little for the first."""
        try:
            while True:
                number, record = news.get(timeout=wait) if wait else news.get_nowait()
                show(number, self.runs[number], record)
                wait = 0
        except queue.Empty:
            return

    def _train(
        self, number: int, tell: Callable[[tuple[int, Progress | Evaluation]], None]
    ) -> bool:
        run, folder = self.runs[number], self.folders[number]
        saved = time.monotonic()
        try:
            for record in run.train(self.budgets[number]):
                if isinstance(record, Evaluation) or time.monotonic() - saved > _SAVE_EVERY:
                    folder.save(run, self.command)
                    saved = time.monotonic()
                tell((number, record))
        except Stopped:
            folder.save(run, self.command)
            return False
        except ArithmeticError as error:
            raise click.ClickException(f"{run_name(run)}: {error}") from error
        except MemoryError as error:
            raise click.ClickException(f"{run_name(run)}: out of memory (see --memory)") from error
        return True


def _failed(future: "Future[bool]") -> bool:
    return future.done() and future.exception() is not None
