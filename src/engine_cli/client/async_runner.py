"""Carries out the steps of a driver in an event loop."""

import asyncio
from typing import Any, TypeVar

from engine_cli.client.driver import Steps
from engine_cli.client.transport import AsyncTransport, TransportClosed

__all__ = ["AsyncRunner"]

_T = TypeVar("_T")


class AsyncRunner:
    """Any number of tasks may run steps at the same time; one of them reads for all."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self._reading = asyncio.Lock()
        self._asking = asyncio.Lock()

    async def run_alone(self, steps: Steps[_T]) -> _T:
        """As `run`, one after the other: of all requests beside a search one can be open."""
        async with self._asking:
            return await self.run(steps)

    async def run(self, steps: Steps[_T]) -> _T:
        """Returns what the steps return, raises what they raise."""
        try:
            method, arguments = next(steps)
            while True:
                try:
                    came = await self._do(method, arguments)
                except TransportClosed as closed:
                    method, arguments = steps.throw(closed)
                else:
                    method, arguments = steps.send(came)
        except StopIteration as end:
            result: _T = end.value
            return result
        finally:
            steps.close()

    async def _do(self, method: str, arguments: tuple[Any, ...]) -> Any:
        if method != "receive":
            return await getattr(self._transport, method)(*arguments)
        (timeout,) = arguments
        if not self._reading.locked():
            async with self._reading:
                return await self._transport.receive(timeout)
        try:
            # What another task reads may be what this one waits for.
            async with asyncio.timeout(timeout), self._reading:
                return b""
        except TimeoutError:
            return None
