"""Moves bytes between a conversation and a transport, waiting for them."""

import warnings
from contextlib import suppress
from typing import TypeVar

from engine_cli.client.command import describe_status
from engine_cli.client.conversation import Conversation, Trace
from engine_cli.client.errors import (
    EngineError,
    EngineStateError,
    EngineWarning,
    QuitTimeout,
    WriteTimeout,
)
from engine_cli.client.exchange import Exchange, Greeting
from engine_cli.client.faults import ended
from engine_cli.client.limits import Bounds, Timeouts
from engine_cli.client.patience import Patience
from engine_cli.client.transport import Transport, TransportClosed

__all__ = ["Driver"]

_Exchange = TypeVar("_Exchange", bound=Exchange)


class Driver:
    """One engine, one transport. The first failure is the last: it ends the process."""

    def __init__(
        self,
        transport: Transport,
        name: str,
        timeouts: Timeouts,
        bounds: Bounds,
        trace: Trace | None,
    ) -> None:
        self.timeouts = timeouts
        self._transport = transport
        self._talk = Conversation(name, bounds, trace)
        self._failure: EngineError | None = None
        self._greeted = False
        self._over = False

    @property
    def name(self) -> str:
        """What the engine is called."""
        return self._talk.name

    @property
    def over(self) -> bool:
        """Whether the process was ended."""
        return self._over

    # -- exchanges --------------------------------------------------------------------------

    def greet(self) -> Greeting:
        """Say `uhi`."""
        greeting = self.ask(Greeting())
        self._greeted = True
        self._talk.name = greeting.identity.get("name") or self._talk.name
        return greeting

    def ask(self, exchange: _Exchange, search_timeout: float | None = None) -> _Exchange:
        """Send an exchange and wait for its end. Raises EngineError."""
        self.begin(exchange)
        return self.finish(exchange, Patience(exchange, self.timeouts, search_timeout))

    def begin(self, exchange: Exchange) -> None:
        """Send an exchange. What came unasked before is judged first."""
        if self._failure is not None:
            raise self._failure
        if self._over:
            raise self._talk.error(EngineStateError("the engine was closed"), exchange.command)
        self._talk.check_free(exchange)
        try:
            while data := self._transport.receive(0):
                self._talk.feed(data)
        except TransportClosed:
            raise self._died() from None
        except EngineError as problem:
            raise self._fail(problem) from None
        self._send(self._talk.begin(exchange))

    def step(self, exchange: Exchange, patience: Patience) -> None:
        """Read once on behalf of an exchange."""
        try:
            data = self._transport.receive(patience.left())
            if data is None:
                raise self._talk.error(patience.error())
            self._talk.feed(data)
        except TransportClosed:
            raise self._died() from None
        except EngineError as problem:
            raise self._fail(problem) from None
        self.flush()
        self._warn()

    def flush(self) -> None:
        """Send what a search has to say."""
        data = self._talk.pending()
        if data:
            self._send(data)

    def finish(self, exchange: _Exchange, patience: Patience) -> _Exchange:
        """Read until an exchange is done."""
        while not exchange.done:
            self.step(exchange, patience)
        if exchange.refusal is not None:
            raise exchange.refusal.locate(self.name, exchange.command, ())
        return exchange

    def _send(self, data: bytes) -> None:
        try:
            if not self._transport.send(data, self.timeouts.answer):
                problem = f"does not read its input for {self.timeouts.answer:g} s"
                raise self._fail(self._talk.error(WriteTimeout(problem)))
        except TransportClosed:
            # What it said last may tell why.
            with suppress(TransportClosed, EngineError):
                while data := self._transport.receive(1.0) or b"":
                    self._talk.feed(data)
            raise self._died() from None

    # -- the end ----------------------------------------------------------------------------

    def quit(self) -> None:
        """Send `quit` and wait for the end. Raises QuitTimeout, after killing the process."""
        if self._over:
            return
        seconds = self.timeouts.quit
        with suppress(TransportClosed):
            self._transport.send(self._talk.say("quit"), seconds)
        in_time = self._transport.wait(seconds)
        status = self._transport.status
        self.end()
        if not in_time:
            raise self._talk.error(QuitTimeout(f"still there {seconds:g} s after quit"), "quit")
        if status:
            self._talk.warnings.append(f"{self.name}: {describe_status(status)} after quit")
        self._warn()

    def close(self) -> None:
        """As `quit`, but a process that has to be killed is a warning."""
        try:
            self.quit()
        except QuitTimeout as problem:
            self._talk.warnings.append(str(problem))
            self._warn()
        finally:
            self.end()

    def end(self) -> None:
        """End the process at once."""
        self._over = True
        self._transport.kill()
        self._hear()

    def _died(self) -> EngineError:
        """The error of an end that nobody asked for."""
        self._talk.end()
        self._hear()
        return self._fail(self._talk.error(ended(self._transport.status, self._greeted)))

    def _fail(self, problem: EngineError) -> EngineError:
        """Give the engine up."""
        self._failure = problem
        self.end()
        self._warn()
        return problem

    def _hear(self) -> None:
        """Note what standard error said."""
        for line in self._transport.errors():
            self._talk.stderr(line)

    def _warn(self) -> None:
        if self._talk.warnings:
            texts, self._talk.warnings = self._talk.warnings, []
            for text in texts:
                warnings.warn(text, EngineWarning, stacklevel=4)
