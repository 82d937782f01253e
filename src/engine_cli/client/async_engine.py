"""An engine as a child process, driven by coroutines."""

import os
import weakref
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self, TypeVar

from engine_cli.client import plans
from engine_cli.client.async_analysis import AsyncAnalysis
from engine_cli.client.async_process import AsyncProcessTransport
from engine_cli.client.async_runner import AsyncRunner
from engine_cli.client.command import Command, engine_name, split_command
from engine_cli.client.conversation import Conversation, Trace
from engine_cli.client.driver import Driver
from engine_cli.client.errors import EngineStartError
from engine_cli.client.exchange import Confirmation, Exchange, Greeting
from engine_cli.client.info import Info
from engine_cli.client.limits import Bounds, Limit, Timeouts
from engine_cli.client.option import Option
from engine_cli.client.requests import PositionLike
from engine_cli.client.search import PlayResult, Search
from engine_cli.client.stderr import StderrLog
from engine_cli.client.transport import AsyncTransport

__all__ = ["AsyncEngine"]

_Exchange = TypeVar("_Exchange", bound=Exchange)


class AsyncEngine:
    """As `Engine`, with `await` and `async with`; made by `open` or `connect`.

    Several tasks may ask at the same time, beside one search.
    """

    def __init__(self, runner: AsyncRunner, driver: Driver, greeting: Greeting) -> None:
        """For `open` and `connect`."""
        self._runner = runner
        self._driver = driver
        self.identity: Mapping[str, str] = greeting.identity
        """What the engine said of itself, ``name`` and ``author``."""
        self.options: Mapping[str, Option] = greeting.options
        """The options it announced, by their names in small letters."""

    @classmethod
    async def connect(
        cls,
        transport: AsyncTransport,
        *,
        name: str = "engine",
        timeouts: Timeouts | None = None,
        bounds: Bounds | None = None,
        trace: Trace | None = None,
    ) -> Self:
        """Greet what is at the other end of a transport."""
        runner = AsyncRunner(transport)
        driver = Driver(Conversation(name, bounds or Bounds(), trace), timeouts or Timeouts())
        try:
            engine = cls(runner, driver, await runner.run(driver.greet()))
        except BaseException:
            await transport.kill()
            raise
        weakref.finalize(engine, transport.abort)
        return engine

    @classmethod
    async def open(
        cls,
        command: Command,
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        timeouts: Timeouts | None = None,
        bounds: Bounds | None = None,
        stderr: str | os.PathLike[str] | None = None,
        trace: Trace | None = None,
    ) -> Self:
        """Start a program and greet it; see `Engine.open`."""
        words = split_command(command)
        name = engine_name(words)
        try:
            transport = await AsyncProcessTransport.open(
                words, cwd=cwd, env=env, stderr=StderrLog(stderr)
            )
        except OSError as error:
            raise EngineStartError(f"cannot be run: {error}").locate(name, "", ()) from None
        return await cls.connect(
            transport, name=name, timeouts=timeouts, bounds=bounds, trace=trace
        )

    # -- requests ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the engine calls itself; the command if it does not say."""
        return self._driver.talk.name

    async def ping(self) -> None:
        """Wait until the engine is ready; possible during an `analysis` too."""
        await self._ask(Confirmation())

    async def configure(self, **values: object) -> None:
        """Set options, such as ``configure(Threads=2, Ponder=True)``.

        Raises ValueError for what the engine did not announce; then none of them is set.
        """
        if values:
            await self._ask(plans.configuration(self.options, values))

    async def new_game(
        self,
        players: int | None = None,
        side: str | None = None,
        *,
        spirits: bool | None = None,
        packs: str | Iterable[str] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin a game: ``startpos`` is its first position."""
        await self._ask(plans.new_game(players, side, spirits, packs, seed))

    async def position(self, position: PositionLike, moves: Iterable[object] = ()) -> None:
        """Set the position that `query` and `deal` are about.

        It is ``"startpos"``, the text of a position, or an object whose method `hfen` gives it.
        """
        await self._ask(plans.set_position(position, moves))

    async def query(self, what: str) -> str:
        """The answer to `query`, without ``response`` and the name of what was asked."""
        return (await self._ask(plans.question(f"query {what}"))).value

    async def deal(self) -> str:
        """Have the engine deal; returns what came."""
        return (await self._ask(plans.question("deal"))).value

    async def play(
        self,
        position: PositionLike | None,
        limit: Limit,
        *,
        moves: Iterable[object] = (),
        searchmoves: Iterable[object] = (),
        timeout: float | None = None,
    ) -> PlayResult:
        """The turn that the engine plays; None is the position that was set last.

        `timeout` in seconds takes the place of what `timeouts` gives for this limit.
        """
        search = plans.search(position, limit, moves=moves, searchmoves=searchmoves)
        return (await self._ask(search, timeout)).outcome()

    async def analyse(
        self,
        position: PositionLike | None,
        limit: Limit,
        multipv: int = 1,
        *,
        moves: Iterable[object] = (),
        searchmoves: Iterable[object] = (),
        timeout: float | None = None,
    ) -> tuple[Info, ...]:
        """The best turns with their values, best first."""
        search = plans.search(
            position, limit, moves=moves, searchmoves=searchmoves, multipv=multipv
        )
        return (await self._ask(search, timeout)).outcome().lines

    async def analysis(
        self,
        position: PositionLike | None,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        moves: Iterable[object] = (),
        searchmoves: Iterable[object] = (),
        ponder: bool = False,
    ) -> AsyncAnalysis:
        """A search to look at while it goes on; without a limit it ends at `stop`."""
        search = plans.search(
            position,
            limit or Limit(),
            moves=moves,
            searchmoves=searchmoves,
            multipv=multipv,
            ponder=ponder,
            stream=True,
        )
        analysis = AsyncAnalysis(self._runner, self._driver, search)
        await analysis.start()
        return analysis

    # -- the end ----------------------------------------------------------------------------

    async def quit(self) -> None:
        """Send `quit` and wait for the end. Raises QuitTimeout, after killing the process."""
        await self._runner.run(self._driver.quit())

    async def close(self) -> None:
        """As `quit`, but a process that has to be killed is a warning."""
        await self._runner.run(self._driver.close())

    async def kill(self) -> None:
        """End the process at once."""
        await self._runner.run(self._driver.end())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _ask(self, exchange: _Exchange, search_timeout: float | None = None) -> _Exchange:
        if not isinstance(exchange, Search):
            return await self._runner.run_alone(self._driver.ask(exchange))
        await self._runner.run_alone(self._driver.begin(exchange))
        return await self._runner.run(self._driver.wait(exchange, search_timeout))
