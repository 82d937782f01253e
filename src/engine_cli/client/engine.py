"""An engine as a child process, driven by calls that wait for the answer."""

import os
import weakref
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self, TypeVar

from engine_cli.client import plans
from engine_cli.client.analysis import Analysis
from engine_cli.client.blocking import run
from engine_cli.client.command import Command, engine_name, split_command
from engine_cli.client.conversation import Conversation, Trace
from engine_cli.client.driver import Driver
from engine_cli.client.errors import EngineStartError
from engine_cli.client.exchange import Confirmation, Exchange
from engine_cli.client.info import Info
from engine_cli.client.limits import Bounds, Limit, Timeouts
from engine_cli.client.option import Option
from engine_cli.client.process import ProcessTransport
from engine_cli.client.requests import PositionLike
from engine_cli.client.search import PlayResult
from engine_cli.client.stderr import StderrLog
from engine_cli.client.transport import Transport

__all__ = ["Engine"]

_Exchange = TypeVar("_Exchange", bound=Exchange)


class Engine:
    """Talks with one engine. A context manager: at the end the process is gone.

    Every method may raise an `EngineError`. After any but `EngineRefused` and `EngineStateError`
    the process has been killed, and what is called then raises the same error again.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        name: str = "engine",
        timeouts: Timeouts | None = None,
        bounds: Bounds | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Greet what is at the other end of a transport. See `open` for processes."""
        self._transport = transport
        self._driver = Driver(Conversation(name, bounds or Bounds(), trace), timeouts or Timeouts())
        self._finalizer = weakref.finalize(self, transport.kill)
        try:
            greeting = run(transport, self._driver.greet())
        except BaseException:
            transport.kill()
            raise
        self.identity: Mapping[str, str] = greeting.identity
        """What the engine said of itself, ``name`` and ``author``."""
        self.options: Mapping[str, Option] = greeting.options
        """The options it announced, by their names in small letters."""

    @classmethod
    def open(
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
        """Start a program and greet it. Text is split into words as a shell would.

        `stderr` is a file to which its standard error is appended.
        """
        words = split_command(command)
        name = engine_name(words)
        try:
            transport = ProcessTransport(words, cwd=cwd, env=env, stderr=StderrLog(stderr))
        except OSError as error:
            raise EngineStartError(f"cannot be run: {error}").locate(name, "", ()) from None
        return cls(transport, name=name, timeouts=timeouts, bounds=bounds, trace=trace)

    # -- requests ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the engine calls itself; the command if it does not say."""
        return self._driver.talk.name

    def ping(self) -> None:
        """Wait until the engine is ready; possible during an `analysis` too."""
        self._ask(Confirmation())

    def configure(self, **values: object) -> None:
        """Set options, such as ``configure(Threads=2, Ponder=True)``.

        Raises ValueError for what the engine did not announce; then none of them is set.
        """
        if values:
            self._ask(plans.configuration(self.options, values))

    def new_game(
        self,
        players: int | None = None,
        side: str | None = None,
        *,
        spirits: bool | None = None,
        packs: str | Iterable[str] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin a game: ``startpos`` is its first position."""
        self._ask(plans.new_game(players, side, spirits, packs, seed))

    def position(self, position: PositionLike, moves: Iterable[object] = ()) -> None:
        """Set the position that `query` and `deal` are about.

        It is ``"startpos"``, the text of a position, or an object whose method `hfen` gives it.
        """
        self._ask(plans.set_position(position, moves))

    def query(self, what: str) -> str:
        """The answer to `query`, without ``response`` and the name of what was asked."""
        return self._ask(plans.question(f"query {what}")).value

    def deal(self) -> str:
        """Have the engine deal; returns what came."""
        return self._ask(plans.question("deal")).value

    def play(
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
        return self._ask(search, timeout).outcome()

    def analyse(
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
        return self._ask(search, timeout).outcome().lines

    def analysis(
        self,
        position: PositionLike | None,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        moves: Iterable[object] = (),
        searchmoves: Iterable[object] = (),
        ponder: bool = False,
    ) -> Analysis:
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
        return Analysis(self._transport, self._driver, search)

    # -- the end ----------------------------------------------------------------------------

    def quit(self) -> None:
        """Send `quit` and wait for the end. Raises QuitTimeout, after killing the process."""
        run(self._transport, self._driver.quit())

    def close(self) -> None:
        """As `quit`, but a process that has to be killed is a warning."""
        run(self._transport, self._driver.close())

    def kill(self) -> None:
        """End the process at once."""
        run(self._transport, self._driver.end())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, exchange: _Exchange, search_timeout: float | None = None) -> _Exchange:
        return run(self._transport, self._driver.ask(exchange, search_timeout))
