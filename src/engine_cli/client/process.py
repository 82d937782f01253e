"""The transport to a child process."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from engine_cli.client.command import kill_group, popen_options
from engine_cli.client.pipes import Pipes, open_pipes
from engine_cli.client.stderr import StderrLog
from engine_cli.client.transport import End, TransportClosed

__all__ = ["ProcessTransport"]

_SLICE: Final = 0.1  # seconds after which the process is looked at
_GRACE: Final = 1.0  # seconds for the end of a process whose output has ended


class ProcessTransport:
    """A process in a group of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stderr: StderrLog | None = None,
    ) -> None:
        """Start it. Raises OSError."""
        self._stderr = stderr or StderrLog()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=cwd,
                env=None if env is None else dict(env),
                **popen_options(),
            )
        except BaseException:
            self._stderr.close()
            raise
        self._pipes: Pipes = open_pipes(self._process, self._stderr.feed)
        self._closed = False
        self._status: int | None = None

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Write; see `Transport`."""
        return self._pipes.send(data, timeout)

    def receive(self, timeout: float | None) -> bytes | None:
        """Read; see `Transport`."""
        data = self._pipes.receive(0)
        waited = 0.0
        while data is None and (timeout is None or waited < timeout):
            step = _SLICE if timeout is None else min(_SLICE, timeout - waited)
            data = self._pipes.receive(step)
            if data is None:
                waited += step
                # Something that it started may hold the pipe open after its end.
                if self._process.poll() is not None:
                    data = self._pipes.receive(0) or b""
        if data == b"":
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
            raise TransportClosed
        return data

    def close_input(self) -> None:
        """Let the process see the end of its input."""
        self._pipes.close_input()

    def wait(self, timeout: float | None) -> bool:
        """Close the input and wait; see `Transport`."""
        self._pipes.close_input()
        waited = 0.0
        while self._process.poll() is None:
            if timeout is not None and waited >= timeout:
                return False
            # A full pipe would keep it from ending.
            if self._pipes.receive(_SLICE) != b"":
                waited += _SLICE
                continue
            try:
                self._process.wait(None if timeout is None else timeout - waited)
            except subprocess.TimeoutExpired:
                return False
        return True

    def kill(self) -> End:
        """End it; see `Transport`."""
        if not self._closed:
            self._closed = True
            self._status = self._process.poll()
            kill_group(self._process.pid)
            if self._status is None:
                self._process.kill()
                self._process.wait()
            self._pipes.drain()
            self._pipes.close()
            self._stderr.close()
        return self._status, self._stderr.news()
