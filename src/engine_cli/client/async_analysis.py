"""A search that is watched while it goes on, in an event loop."""

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from engine_cli.client.async_runner import AsyncRunner
from engine_cli.client.driver import Driver
from engine_cli.client.info import Info
from engine_cli.client.patience import Patience
from engine_cli.client.search import PlayResult, Search

__all__ = ["AsyncAnalysis"]


class AsyncAnalysis:
    """As `Analysis`, with `async for`, `async with` and `await`."""

    def __init__(self, runner: AsyncRunner, driver: Driver, search: Search) -> None:
        self._runner = runner
        self._driver = driver
        self._search = search
        self._patience = Patience(search, driver.timeouts)

    async def start(self) -> None:
        """Begin it. Raises EngineRefused if the engine does not."""
        await self._runner.run_alone(self._driver.start(self._search, self._patience))

    async def __aiter__(self) -> AsyncIterator[Info]:
        """What the engine says, as it comes, until ``bestmove``."""
        search = self._search
        while True:
            while search.news:
                yield search.news.popleft()
            if search.done:
                return
            await self._runner.run(self._driver.step(search, self._patience))

    @property
    def done(self) -> bool:
        """Whether ``bestmove`` was read."""
        return self._search.done

    async def stop(self) -> None:
        """Ask for the end; ``bestmove`` comes soon."""
        self._search.stop()
        await self._runner.run(self._driver.flush())

    async def ponderhit(self) -> None:
        """Tell that the turn pondered on was played: the limits hold from now on."""
        await self._runner.run_alone(self._driver.ask(self._search.hit()))

    async def wait(self) -> PlayResult:
        """Wait for the end; a search without limits has to be stopped first."""
        await self._runner.run(self._driver.finish(self._search, self._patience))
        return self._search.outcome()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._search.done and not self._driver.over:
            await self.stop()
            await self.wait()
