"""A search that is watched while it goes on."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

from engine_cli.client.blocking import run
from engine_cli.client.driver import Driver
from engine_cli.client.info import Info
from engine_cli.client.patience import Patience
from engine_cli.client.search import PlayResult, Search
from engine_cli.client.transport import Transport

__all__ = ["Analysis"]


class Analysis:
    """Iterate over it for what the engine says; `stop` ends it. A context manager.

    As long as nobody iterates or waits, nothing is read.
    """

    def __init__(self, transport: Transport, driver: Driver, search: Search) -> None:
        """Begin it. Raises EngineRefused if the engine does not."""
        self._transport = transport
        self._driver = driver
        self._search = search
        self._patience = Patience(search, driver.timeouts)
        run(transport, driver.start(search, self._patience))

    def __iter__(self) -> Iterator[Info]:
        """What the engine says, as it comes, until ``bestmove``."""
        search = self._search
        while True:
            while search.news:
                yield search.news.popleft()
            if search.done:
                return
            run(self._transport, self._driver.step(search, self._patience))

    @property
    def done(self) -> bool:
        """Whether ``bestmove`` was read."""
        return self._search.done

    def stop(self) -> None:
        """Ask for the end; ``bestmove`` comes soon. Can be called from another thread."""
        self._search.stop()
        run(self._transport, self._driver.flush())

    def ponderhit(self) -> None:
        """Tell that the turn pondered on was played: the limits hold from now on."""
        run(self._transport, self._driver.ask(self._search.hit()))

    def wait(self) -> PlayResult:
        """Wait for the end; a search without limits has to be stopped first."""
        run(self._transport, self._driver.finish(self._search, self._patience))
        return self._search.outcome()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._search.done and not self._driver.over:
            self.stop()
            self.wait()
