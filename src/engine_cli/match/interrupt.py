"""Ctrl-C: once to finish the running games, twice to stop at once."""

import signal
from types import FrameType, TracebackType
from typing import Any

__all__ = ["Interrupt"]


class Interrupt:
    """A context manager that takes SIGINT and SIGTERM over; for the main thread.

    The first SIGINT sets `asked`. The second, and SIGTERM, raise KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupt":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and not self.asked:
            self.asked = True
            return
        raise KeyboardInterrupt
