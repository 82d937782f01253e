"""Games on an existing Dask cluster: what is played and written down is the same as here.

Dask hands the games out and gives those of a worker that dies to another one. A game counts when
the manager has written it down, so one that is played twice because of that counts once.
"""

import queue
import threading
from contextlib import suppress
from typing import Any

from engine_cli.match.config import Tournament
from engine_cli.match.faults import Fault
from engine_cli.match.outcome import Outcome
from engine_cli.match.schedule import Game
from engine_cli.match.workers import Stopped, Workers

__all__ = ["ClusterBackend", "ClusterError"]

_ATTEMPTS = 3  # for a game in which Dask has given up several workers
_WAIT = 30.0  # seconds for the scheduler, and for a worker to be there


class ClusterError(Exception):
    """The cluster cannot be reached, or cannot play; one line for people."""


class ClusterBackend:
    """Plays on all threads of the workers that are there. Raises ClusterError."""

    def __init__(self, address: str, tournament: Tournament, logs: str | None = None) -> None:
        try:
            import distributed  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise ClusterError(
                "--cluster needs Dask: pip install 'harmonies-engine[cluster]'"
            ) from None
        self._dask: Any = distributed
        self._tournament = tournament
        self._logs = logs
        self._key = tournament.fingerprint()
        self._done: queue.SimpleQueue[tuple[Game, Any]] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._attempts: dict[int, int] = {}
        try:
            self._client: Any = self._dask.Client(address, timeout=_WAIT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"cluster {address}: cannot be reached: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=_WAIT)
        except TimeoutError:
            self._client.close()
            raise ClusterError(f"cluster {address}: has no workers") from None

    @property
    def capacity(self) -> int:
        """Threads of all workers, and a few games more so that none of them waits."""
        threads = sum(self._client.nthreads().values())
        return int(threads + max(1, threads // 4)) if threads else 0

    @property
    def running(self) -> int:
        """Games that were submitted and not fetched yet."""
        return len(self._futures)

    def check(self) -> None:
        """Start every engine once on one of the workers. Raises Fault, ClusterError."""
        try:
            self._client.submit(check_there, self._tournament, pure=False).result()
        except Fault:
            raise
        except Exception as error:
            raise ClusterError(f"the cluster cannot play this: {error}") from None

    def submit(self, game: Game) -> None:
        """Begin a game."""
        future = self._client.submit(play_there, self._tournament, self._logs, game, pure=False)
        self._futures[game.index] = future
        future.add_done_callback(lambda done: self._done.put((game, done)))

    def fetch(self, timeout: float) -> Outcome | None:
        """A finished game, None if there is none within so many seconds."""
        try:
            game, future = self._done.get(timeout=timeout)
        except queue.Empty:
            return None
        del self._futures[game.index]
        if future.cancelled():
            raise ClusterError("the connection to the cluster was lost; the same command goes on")
        try:
            outcome: Outcome = future.result()
            return outcome
        except self._dask.scheduler.KilledWorker as error:
            self._attempts[game.index] = self._attempts.get(game.index, 0) + 1
            if self._attempts[game.index] >= _ATTEMPTS:
                raise ClusterError(f"game {game.id} ends every worker: {error}") from None
            self.submit(game)
            return None
        except Exception as error:
            raise ClusterError(f"game {game.id} cannot be played on the cluster: {error}") from None

    def close(self, *, at_once: bool) -> None:
        """End the engines on all workers; games that go on are broken off."""
        with suppress(Exception):  # whatever is wrong with the cluster now, the games are safe
            if at_once and self._futures:
                self._client.cancel(list(self._futures.values()))
            self._client.run(forget, self._key)
        self._client.close(timeout=5)


# -- on the workers -------------------------------------------------------------------------

_WORKERS: dict[str, Workers] = {}
_LOCK = threading.Lock()


def check_there(tournament: Tournament) -> None:
    """Start every engine in this process. Raises Fault."""
    workers = Workers(tournament)
    try:
        workers.check()
    finally:
        workers.close()


def play_there(tournament: Tournament, logs: str | None, game: Game) -> Outcome:
    """Play a game in this process, with engines that stay for the next one."""
    key = tournament.fingerprint()
    with _LOCK:
        workers = _WORKERS.get(key)
        if workers is None:
            workers = _WORKERS[key] = Workers(tournament, logs)
    try:
        return workers.play(game)
    except Stopped:
        raise RuntimeError("the run was stopped") from None


def forget(key: str) -> None:
    """End the engines of a tournament in this process."""
    with _LOCK:
        workers = _WORKERS.pop(key, None)
    if workers is not None:
        workers.kill()
