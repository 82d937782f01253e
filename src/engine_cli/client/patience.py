"""How long the answers of an exchange may take."""

import time

from engine_cli.client.errors import EngineError
from engine_cli.client.exchange import Exchange, Wait
from engine_cli.client.faults import timed_out
from engine_cli.client.limits import Timeouts
from engine_cli.client.search import Search

__all__ = ["Patience"]


class Patience:
    """The deadline of an exchange; it begins anew when something else is awaited."""

    def __init__(
        self, exchange: Exchange, timeouts: Timeouts, search_timeout: float | None = None
    ) -> None:
        """`search_timeout` in seconds takes the place of what is usual for ``bestmove``."""
        self._exchange = exchange
        self._timeouts = timeouts
        self._search_timeout = search_timeout
        self._wait: Wait | None = None
        self._seconds: float | None = None
        self._deadline = 0.0

    def left(self) -> float | None:
        """Seconds left, not below 0; None is for ever."""
        wait = self._exchange.wait
        if wait is not self._wait:
            self._wait = wait
            self._seconds = self._allowed(wait)
            if self._seconds is not None:
                self._deadline = time.monotonic() + self._seconds
        if self._seconds is None:
            return None
        return max(0.0, self._deadline - time.monotonic())

    def error(self) -> EngineError:
        """What is to be raised when nothing is left."""
        return timed_out(self._wait or self._exchange.wait, self._seconds or 0.0)

    def _allowed(self, wait: Wait) -> float | None:
        timeouts = self._timeouts
        if wait is Wait.SEARCH and isinstance(self._exchange, Search):
            return self._for_search(self._exchange)
        if wait is Wait.START:
            return timeouts.start
        if wait is Wait.HANDSHAKE:
            return timeouts.handshake
        return timeouts.ready if wait is Wait.READY else timeouts.answer

    def _for_search(self, search: Search) -> float | None:
        limit = search.limit
        if self._search_timeout is not None:
            return self._search_timeout
        if limit.infinite or search.pondering:
            return None
        if limit.seconds is None:
            return self._timeouts.search
        return None if self._timeouts.answer is None else limit.seconds + self._timeouts.answer
