"""What a client needs of an engine's process, so that tests can do without one."""

from typing import Protocol

__all__ = ["Transport", "TransportClosed"]


class TransportClosed(Exception):
    """The other end is gone: nothing can be read or written any more."""


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

    def errors(self) -> list[str]:
        """New lines of standard error."""
        ...

    def wait(self, timeout: float | None) -> bool:
        """Close the input and wait for the end of the process; False if it did not end in time."""
        ...

    @property
    def status(self) -> int | None:
        """Exit status of the process, the negative number of a signal, None while it lives."""
        ...

    def kill(self) -> None:
        """End the process, and whatever it started, at once. Does nothing if that was done."""
        ...
