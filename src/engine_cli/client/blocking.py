"""Carries out the steps of a driver, waiting for each."""

from typing import TypeVar

from engine_cli.client.driver import Steps
from engine_cli.client.transport import Transport, TransportClosed

__all__ = ["run"]

_T = TypeVar("_T")


def run(transport: Transport, steps: Steps[_T]) -> _T:
    """Returns what the steps return, raises what they raise."""
    try:
        method, arguments = next(steps)
        while True:
            try:
                came = getattr(transport, method)(*arguments)
            except TransportClosed as closed:
                method, arguments = steps.throw(closed)
            else:
                method, arguments = steps.send(came)
    except StopIteration as end:
        result: _T = end.value
        return result
    finally:
        steps.close()
