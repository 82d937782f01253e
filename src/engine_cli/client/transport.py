"""What a client needs of an engine's process, so that tests can do without one."""

from typing import Protocol

__all__ = ["AsyncTransport", "End", "Transport", "TransportClosed"]


class TransportClosed(Exception):
    """The other end is gone: nothing can be read or written any more."""


#: How a process ended: its exit status (the negative number of a signal; None if it lived until
#: it was killed), and the lines of standard error that were not handed out yet.
End = tuple[int | None, list[str]]


class Transport(Protocol):
    """Bytes out and in, and the life of the other end."""

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Write all of the data; False if that was not possible in time.

        Raises TransportClosed.
        """
        ...

    def receive(self, timeout: float | None) -> bytes | None:
        """Some of what was printed, as soon as there is something; None after so many seconds.

        With a timeout of 0 it does not wait. Raises TransportClosed at the end of the output and
        when the process has ended.
        """
        ...

    def wait(self, timeout: float | None) -> bool:
        """Close the input and wait for the end of the process; False if it did not end in time."""
        ...

    def kill(self) -> End:
        """End the process, and whatever it started, at once. Can be called again."""
        ...


class AsyncTransport(Protocol):
    """The same for an event loop."""

    async def send(self, data: bytes, timeout: float | None) -> bool:
        """Write."""
        ...

    async def receive(self, timeout: float | None) -> bytes | None:
        """Read. A chunk without bytes says nothing."""
        ...

    async def wait(self, timeout: float | None) -> bool:
        """Wait for the end."""
        ...

    async def kill(self) -> End:
        """End it, and wait for that."""
        ...

    def abort(self) -> None:
        """End it without waiting, when no event loop runs any more."""
        ...
