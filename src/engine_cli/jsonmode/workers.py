"""The threads that analyse: each takes a task, searches, and answers."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine_cli.jsonmode import answers
from engine_cli.jsonmode.searchers import SearcherKeeper
from engine_cli.jsonmode.tasks import Job, Tasks

if TYPE_CHECKING:
    from harmonies_core.search.searcher import Line

__all__ = ["Workers"]


class Workers:
    """Some threads that work on the same queue."""

    def __init__(self, number: int, tasks: Tasks, send: Callable[[dict[str, Any]], None]) -> None:
        self._tasks = tasks
        self._send = send
        self._threads = [
            threading.Thread(target=self._work, name=f"analysis {n}", daemon=True)
            for n in range(1, number + 1)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until the queue is closed and all is answered."""
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        keeper = SearcherKeeper()
        while (job := self._tasks.next()) is not None:
            try:
                answer = self._analyse(job, keeper)
            except Exception as problem:
                sys.stderr.write(f"analysis failed: {problem!r}\n")
                answer = answers.failure(job.task, problem)
            self._send(answer)
            self._tasks.done(job)

    def _analyse(self, job: Job, keeper: SearcherKeeper) -> dict[str, Any]:
        """Search the position of a task; the final answer."""
        from harmonies_core.search import searcher

        task = job.task
        if task.position.phase not in ("turn", "spirit"):  # nobody is to move
            return answers.report(task, [], during=False)
        query = task.query
        limits = query.limits
        lines = searcher.search(
            task.position.copy(),
            searcher.Limit(nodes=limits.nodes, depth=limits.depth, movetime=limits.movetime),
            multipv=query.multipv,
            searchmoves=task.only,
            stop=job.flag,
            on_info=self._partial(job),
            searcher=keeper.searcher(query.options),
        )
        return answers.report(task, lines, during=False)

    def _partial(self, job: Job) -> "Callable[[Sequence[Line]], None] | None":
        """What the search calls on its way, if the query wants to hear of it."""
        pause = job.task.query.pause
        if pause is None:
            return None
        due = time.monotonic() + pause

        def tell(lines: "Sequence[Line]") -> None:
            nonlocal due
            if time.monotonic() >= due:
                self._send(answers.report(job.task, lines, during=True))
                due = time.monotonic() + pause

        return tell
