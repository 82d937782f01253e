"""Ends engines that use too much memory."""

import threading
from contextlib import suppress

from engine_cli.client.command import kill_group

__all__ = ["MemoryGuard"]

_PAUSE = 0.2  # seconds between two looks


class MemoryGuard:
    """A thread that looks at processes and kills those above the limit, in MB of resident memory.

    Child processes count too. Raises ImportError without `psutil`.
    """

    def __init__(self, limit: int) -> None:
        import psutil  # type: ignore[import-untyped,unused-ignore]

        self._psutil = psutil
        self._limit = limit
        self._lock = threading.Lock()
        self._watched: set[int] = set()
        self._exceeded: dict[int, int] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory guard", daemon=True)
        self._thread.start()

    def watch(self, pid: int) -> None:
        """Look at this process from now on."""
        with self._lock:
            self._watched.add(pid)
            self._exceeded.pop(pid, None)

    def forget(self, pid: int) -> None:
        """Look at it no more."""
        with self._lock:
            self._watched.discard(pid)

    def exceeded(self, pid: int) -> int:
        """MB that the process used when it was killed, 0 if it was not."""
        with self._lock:
            return self._exceeded.get(pid, 0)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(_PAUSE):
            with self._lock:
                watched = list(self._watched)
            for pid in watched:
                used = self._used(pid)
                if used > self._limit:
                    with self._lock:
                        if pid in self._watched:
                            self._exceeded[pid] = used
                            kill_group(pid)

    def _used(self, pid: int) -> int:
        total = 0
        with suppress(self._psutil.Error):
            process = self._psutil.Process(pid)
            for one in [process, *process.children(recursive=True)]:
                with suppress(self._psutil.Error):
                    total += one.memory_info().rss
        return total // 2**20
