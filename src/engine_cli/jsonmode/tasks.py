"""What is still to be done: positions by priority, and those that are being searched."""

import heapq
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine_cli.jsonmode.query import Task

if TYPE_CHECKING:
    pass

__all__ = ["Job", "Tasks"]


class Job:
    """A task with the flag that ends its search."""

    def __init__(self, task: Task) -> None:
        from harmonies_core.search.searcher import StopFlag

        self.task = task
        self.flag: StopFlag = StopFlag()


class Tasks:
    """A queue for several workers. Higher priorities first, then what was asked first."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._heap: list[tuple[int, int, Job]] = []
        self._running: set[Job] = set()
        self._count = itertools.count()
        self._closed = False

    def add(self, tasks: Iterable[Task]) -> None:
        """Put tasks into the queue."""
        with self._changed:
            for task in tasks:
                heapq.heappush(self._heap, (-task.priority, next(self._count), Job(task)))
            self._changed.notify_all()

    def next(self) -> Job | None:
        """Wait for a task and take it; None when there will be no more."""
        with self._changed:
            while not self._heap:
                if self._closed:
                    return None
                self._changed.wait()
            job = heapq.heappop(self._heap)[2]
            self._running.add(job)
            return job

    def done(self, job: Job) -> None:
        """A task that was taken is answered."""
        with self._changed:
            self._running.discard(job)

    def terminate(self, wanted: Callable[[Task], bool]) -> list[Task]:
        """End the searches of these tasks; return those that had not begun, which are gone."""
        with self._changed:
            for job in self._running:
                if wanted(job.task):
                    job.flag.set()
            gone = [entry for entry in self._heap if wanted(entry[2].task)]
            if gone:
                self._heap = [entry for entry in self._heap if not wanted(entry[2].task)]
                heapq.heapify(self._heap)
            return [entry[2].task for entry in sorted(gone, key=lambda entry: entry[1])]

    def close(self) -> None:
        """Nothing will be added any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
