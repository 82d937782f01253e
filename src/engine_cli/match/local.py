"""Games on this machine: a thread for each game that goes on at the same time."""

import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor

from engine_cli.match.outcome import Outcome
from engine_cli.match.schedule import Game
from engine_cli.match.workers import Stopped, Workers

__all__ = ["LocalBackend"]


class LocalBackend:
    """Plays up to `concurrency` games at a time. Engines think in processes of their own."""

    def __init__(self, workers: Workers, concurrency: int) -> None:
        self.capacity = concurrency
        self._workers = workers
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="game")
        self._done: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
        self._running = 0
        self._closed = threading.Event()

    @property
    def running(self) -> int:
        """Games that were submitted and not fetched yet."""
        return self._running

    def submit(self, game: Game) -> None:
        """Begin a game."""
        self._running += 1
        self._pool.submit(self._workers.play, game).add_done_callback(self._done.put)

    def fetch(self, timeout: float) -> Outcome | None:
        """A finished game, None if there is none within so many seconds."""
        try:
            future = self._done.get(timeout=timeout)
        except queue.Empty:
            return None
        self._running -= 1
        try:
            return future.result()
        except Stopped:
            return None

    def close(self, *, at_once: bool) -> None:
        """End all engines; games that go on are broken off."""
        if self._closed.is_set():
            return
        self._closed.set()
        if at_once or self._running:
            self._workers.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._workers.close()
