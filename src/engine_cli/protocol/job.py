"""Work beside the reader: one thread, one way to stop it, one last line."""

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine_cli.protocol.failure import RequestError, one_line
from engine_cli.protocol.output import Output

if TYPE_CHECKING:
    from harmonies_core.search.searcher import StopFlag

__all__ = ["Job", "Ponder"]


class Ponder:
    """What is to happen at `ponderhit`: the time to think from then on, None for no more."""

    def __init__(self, movetime: int | None, limited: bool) -> None:
        self.movetime = movetime
        self.limited = limited
        """Whether nodes or depth end the search anyhow."""


class Job:
    """A search (or perft, bench) in a thread of its own.

    `work` gets the stop flag and returns the last line of the answer. The line is printed when
    the job may end, which for an infinite search is only after `stop`; being printed and being
    no longer `running` are one event for everyone who holds the output's lock.
    """

    def __init__(
        self,
        name: str,
        work: Callable[["StopFlag"], str],
        output: Output,
        *,
        endless: bool = False,
        ponder: Ponder | None = None,
    ) -> None:
        from harmonies_core.search.searcher import StopFlag

        self.name = name
        self.stopping = False
        self._work = work
        self._output = output
        self._ponder = ponder
        self._flag = StopFlag()
        self._may_end = threading.Event()
        self._timer: threading.Timer | None = None
        self._running = True
        if not endless and ponder is None:
            self._may_end.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the last line is still to come."""
        with self._output.lock:
            return self._running

    @property
    def pondering(self) -> bool:
        """Whether `ponderhit` is awaited."""
        return self._ponder is not None and not self.stopping

    def stop(self) -> None:
        """End as soon as possible."""
        self.stopping = True
        self._flag.set()
        self._may_end.set()

    def ponderhit(self) -> None:
        """The turn that was pondered on was played: the limits hold from now on."""
        ponder, self._ponder = self._ponder, None
        if ponder is None:
            return
        if ponder.movetime is not None:
            self._timer = threading.Timer(ponder.movetime / 1000, self._flag.set)
            self._timer.daemon = True
            self._timer.start()
        elif not ponder.limited:
            self._flag.set()
        self._may_end.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            line = self._work(self._flag)
        except RequestError as problem:
            line = problem.line()
        except Exception as problem:
            sys.stderr.write(f"{self.name} failed: {problem!r}\n")
            line = f"error internal {one_line(f'{self.name} failed: {problem!r}')}"
        self._may_end.wait()
        if self._timer is not None:
            self._timer.cancel()
        with self._output.lock:
            self._running = False
            self._output.line(line)
