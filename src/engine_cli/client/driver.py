"""What has to be done with a transport, and in which order, whoever waits for it.

The methods of `Driver` are generators. They yield what is to be done, and are sent what came of
it; `blocking` and `async_runner` carry it out. So the two clients cannot differ.
"""

import warnings
from collections.abc import Generator
from contextlib import suppress
from typing import Any, TypeVar

from engine_cli.client.command import describe_status
from engine_cli.client.conversation import Conversation
from engine_cli.client.errors import (
    EngineError,
    EngineStateError,
    EngineWarning,
    QuitTimeout,
    WriteTimeout,
)
from engine_cli.client.exchange import Confirmation, Exchange, Greeting
from engine_cli.client.faults import ended
from engine_cli.client.limits import Timeouts
from engine_cli.client.patience import Patience
from engine_cli.client.search import Search
from engine_cli.client.transport import TransportClosed

__all__ = ["Driver", "Operation", "Steps"]

#: The name of a method of `Transport` and its arguments.
Operation = tuple[str, tuple[Any, ...]]

_T = TypeVar("_T")
Steps = Generator[Operation, Any, _T]

_Exchange = TypeVar("_Exchange", bound=Exchange)


class Driver:
    """One engine. The first failure is the last: it ends the process."""

    def __init__(self, talk: Conversation, timeouts: Timeouts) -> None:
        self.talk = talk
        self.timeouts = timeouts
        self.over = False
        """Whether the process was ended."""
        self._failure: EngineError | None = None
        self._greeted = False

    # -- exchanges --------------------------------------------------------------------------

    def greet(self) -> Steps[Greeting]:
        """Say `uhi`, and wait until the engine is ready."""
        greeting = yield from self.ask(Greeting())
        self._greeted = True
        self.talk.name = greeting.identity.get("name") or self.talk.name
        yield from self.ask(Confirmation())
        return greeting

    def ask(self, exchange: _Exchange, search_timeout: float | None = None) -> Steps[_Exchange]:
        """Send an exchange and wait for its end. Raises EngineError."""
        yield from self.begin(exchange)
        return (yield from self.wait(exchange, search_timeout))

    def wait(self, exchange: _Exchange, search_timeout: float | None = None) -> Steps[_Exchange]:
        """Wait for the end of an exchange, and see that it ends even if nobody waits."""
        try:
            patience = Patience(exchange, self.timeouts, search_timeout)
            return (yield from self.finish(exchange, patience))
        finally:
            if not exchange.done:
                exchange.abandon()  # interrupted or cancelled

    def begin(self, exchange: Exchange) -> Steps[None]:
        """Send an exchange. What came unasked before is judged first."""
        self._check(exchange)
        while (old := self.talk.abandoned) is not None:
            yield from self.flush()
            yield from self.step(old, Patience(old, self.timeouts))
        self.talk.check_free(exchange)
        try:
            while data := (yield "receive", (0,)):
                self.talk.feed(data)
        except TransportClosed:
            raise (yield from self._died()) from None
        except EngineError as problem:
            raise (yield from self._fail(problem)) from None
        requests = self.talk.begin(exchange)
        try:
            yield from self._send(requests)
        except BaseException:
            exchange.abandon()
            raise

    def start(self, search: Search, patience: Patience) -> Steps[None]:
        """Begin a search and see that the engine takes it up."""
        yield from self.begin(search)
        try:
            while not (search.done or search.searching):
                yield from self.step(search, patience)
            if not search.done:
                # By then an error of `go` has come.
                yield from self.ask(Confirmation())
            if search.refusal is not None:
                yield from self.finish(search, patience)
        except BaseException:
            search.abandon()
            raise

    def step(self, exchange: Exchange, patience: Patience) -> Steps[None]:
        """Read once on behalf of an exchange."""
        try:
            left = patience.left()
            data = yield "receive", (left,)
            self._check(exchange)
            if data is not None:
                self.talk.feed(data)
            # Who never stops talking does not get more time than who says nothing.
            if data is None or (left == 0 and not exchange.done and patience.left() == 0):
                raise self.talk.error(patience.error())
        except TransportClosed:
            raise (yield from self._died()) from None
        except EngineError as problem:
            raise (yield from self._fail(problem)) from None
        yield from self.flush()
        self._warn()

    def flush(self) -> Steps[None]:
        """Send what a search has to say."""
        data = self.talk.pending()
        if data:
            yield from self._send(data)

    def finish(self, exchange: _Exchange, patience: Patience) -> Steps[_Exchange]:
        """Read until an exchange is done."""
        while not exchange.done:
            yield from self.step(exchange, patience)
        if exchange.refusal is not None:
            raise exchange.refusal.locate(self.talk.name, exchange.command, ())
        return exchange

    def _check(self, exchange: Exchange) -> None:
        if self._failure is not None:
            raise self._failure
        if self.over:
            raise self.talk.error(EngineStateError("the engine was closed"), exchange.command)

    def _send(self, data: bytes) -> Steps[None]:
        try:
            if not (yield "send", (data, self.timeouts.answer)):
                problem = f"does not read its input for {self.timeouts.answer:g} s"
                raise (yield from self._fail(self.talk.error(WriteTimeout(problem))))
        except TransportClosed:
            # What it said last may tell why.
            with suppress(TransportClosed, EngineError):
                while data := (yield "receive", (1.0,)):
                    self.talk.feed(data)
            raise (yield from self._died()) from None

    # -- the end ----------------------------------------------------------------------------

    def quit(self) -> Steps[None]:
        """Send `quit` and wait for the end. Raises QuitTimeout, after killing the process."""
        if self.over:
            return
        seconds = self.timeouts.quit
        with suppress(TransportClosed):
            yield "send", (self.talk.say("quit"), seconds)
        in_time = yield "wait", (seconds,)
        status = yield from self.end()
        if not in_time:
            problem = QuitTimeout(f"the process was still there {seconds:g} s after quit")
            raise self.talk.error(problem, "quit")
        if status:
            self.talk.warn(f"{describe_status(status)} after quit")
        self._warn()

    def close(self) -> Steps[None]:
        """As `quit`, but a process that has to be killed is a warning."""
        try:
            yield from self.quit()
        except QuitTimeout as problem:
            self.talk.warn(problem.problem)
            self._warn()

    def end(self) -> Steps[int | None]:
        """End the process at once; returns its exit status if it had ended by itself."""
        self.over = True
        status, lines = yield "kill", ()
        for line in lines:
            self.talk.stderr(line)
        return status if isinstance(status, int) else None

    def _died(self) -> Steps[EngineError]:
        """The error of an end that nobody asked for."""
        if self._failure is not None:
            return self._failure
        self.talk.end()
        command = self.talk.command
        status = yield from self.end()
        self._failure = self.talk.error(ended(status, self._greeted), command)
        self._warn_before_error()
        return self._failure

    def _fail(self, problem: EngineError) -> Steps[EngineError]:
        """Give the engine up."""
        if not self.over:
            self._failure = problem
            yield from self.end()
            self._warn_before_error()
        return problem

    def _warn(self) -> None:
        for text in self.talk.take_warnings():
            warnings.warn(text, EngineWarning, stacklevel=1)

    def _warn_before_error(self) -> None:
        """Where warnings are errors, the error that follows matters more."""
        with suppress(EngineWarning):
            self._warn()
