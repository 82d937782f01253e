"""Which error it is when a wait does not end well."""

from engine_cli.client.command import describe_status
from engine_cli.client.errors import (
    AnswerTimeout,
    EngineClosedPipe,
    EngineCrashed,
    EngineError,
    EngineStartError,
    EngineTimeout,
    HandshakeTimeout,
    ReadyTimeout,
    StartTimeout,
)
from engine_cli.client.exchange import Wait

__all__ = ["ended", "timed_out"]

_TYPES: dict[Wait, type[EngineTimeout]] = {
    Wait.START: StartTimeout,
    Wait.HANDSHAKE: HandshakeTimeout,
    Wait.READY: ReadyTimeout,
}


def timed_out(wait: Wait, seconds: float) -> EngineError:
    """The error of a wait that took too long."""
    return _TYPES.get(wait, AnswerTimeout)(f"no {wait.value} within {seconds:g} s")


def ended(status: int | None, greeted: bool) -> EngineError:
    """The error of output that ended."""
    if not greeted:
        end = "closed its output" if status is None else describe_status(status)
        return EngineStartError(f"does not start: the process {end}", status)
    if status is None:
        return EngineClosedPipe("the engine closed its pipes, but its process lives")
    return EngineCrashed(f"the engine {describe_status(status)}", status)
