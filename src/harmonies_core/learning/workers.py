"""Runs calls on the threads of a pool, in any order, with the results in theirs."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

__all__ = ["Stopped", "Workers"]

_T = TypeVar("_T")


class Stopped(Exception):
    """What was being done was given up, because the flag for that is set."""


class Workers:
    """A pool, or the calling thread if there is none, and a flag that stops the work.

    The core releases the GIL, so that threads are enough to use all cores.
    """

    def __init__(
        self, pool: Executor | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._pool = pool
        self._stopped = stopped

    def map(self, calls: Iterable[Callable[[], _T]]) -> list[_T]:
        """Results of the calls, in order; raises what a call raises, and Stopped."""
        if self._pool is None:
            return [self._call(call) for call in calls]
        futures: list[Future[_T]] = [self._pool.submit(self._call, call) for call in calls]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def finish(self, call: Callable[[], _T]) -> _T:
        """Result of one call that is made even if the work is stopped."""
        return call() if self._pool is None else self._pool.submit(call).result()

    def _call(self, call: Callable[[], _T]) -> _T:
        if self._stopped():
            raise Stopped
        return call()
