"""The transport to a child process of an event loop."""

import asyncio
import os
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from engine_cli.client.command import kill_group, popen_options
from engine_cli.client.stderr import StderrLog
from engine_cli.client.transport import End, TransportClosed

__all__ = ["AsyncProcessTransport"]

_MOST_WAITING: Final = 2**20  # bytes read ahead
_GRACE: Final = 1.0  # seconds for the end of a process whose output has ended
_LAST_WORDS: Final = 0.2  # seconds for the end of the output of a process that has ended


class _Watcher(asyncio.SubprocessProtocol):
    """What the event loop tells of a process."""

    def __init__(self, stderr: StderrLog) -> None:
        self.stderr = stderr
        self.output_ended = asyncio.Event()
        self.exited = asyncio.Event()
        self.gone = asyncio.Event()
        """All pipes are closed too."""
        self.news = asyncio.Event()
        self.input_free = asyncio.Event()
        self.input_free.set()
        self.input_lost = False
        self._chunks: deque[bytes] = deque()
        self._waiting = 0
        self._output: asyncio.ReadTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        pipe = cast(asyncio.SubprocessTransport, transport).get_pipe_transport(1)
        self._output = cast("asyncio.ReadTransport | None", pipe)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.stderr.feed(data)
            return
        self._chunks.append(data)
        self._waiting += len(data)
        if self._waiting > _MOST_WAITING and self._output is not None:
            self._output.pause_reading()
        self.news.set()

    def take(self) -> bytes | None:
        """The next chunk; None if there is none."""
        if not self._chunks:
            return None
        data = self._chunks.popleft()
        before, self._waiting = self._waiting, self._waiting - len(data)
        if self._waiting <= _MOST_WAITING < before and self._output is not None:
            self._output.resume_reading()
        if not self._chunks and not self.output_ended.is_set():
            self.news.clear()
        return data

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self.input_lost = True
            self.input_free.set()
        elif fd == 1:
            self._end_output()

    def process_exited(self) -> None:
        self.exited.set()
        # Something that it started may hold the pipe open.
        asyncio.get_running_loop().call_later(_LAST_WORDS, self._end_output)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()

    def _end_output(self) -> None:
        self.output_ended.set()
        self.news.set()

    def pause_writing(self) -> None:
        self.input_free.clear()

    def resume_writing(self) -> None:
        self.input_free.set()


class AsyncProcessTransport:
    """A process in a group of its own."""

    def __init__(self, transport: asyncio.SubprocessTransport, watcher: _Watcher) -> None:
        self._transport = transport
        self._watcher = watcher
        self._stdin = cast(Any, transport.get_pipe_transport(0))
        self._status: int | None = None
        self._aborted = False

    @classmethod
    async def open(
        cls,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stderr: StderrLog | None = None,
    ) -> "AsyncProcessTransport":
        """Start it. Raises OSError."""
        log = stderr or StderrLog()
        try:
            transport, watcher = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Watcher(log),
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=None if env is None else dict(env),
                **popen_options(),
            )
        except BaseException:
            log.close()
            raise
        return cls(transport, watcher)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._transport.get_pid()

    async def send(self, data: bytes, timeout: float | None) -> bool:
        """Write; see `Transport`."""
        watcher = self._watcher
        if watcher.input_lost or self._stdin.is_closing():
            raise TransportClosed
        self._stdin.write(data)
        if not await _within(watcher.input_free, timeout):
            return False
        if watcher.input_lost:
            raise TransportClosed
        return True

    async def receive(self, timeout: float | None) -> bytes | None:
        """Read; see `Transport`."""
        watcher = self._watcher
        if timeout == 0:
            await asyncio.sleep(0)  # lets the loop look
        if not await _within(watcher.news, timeout):
            return None
        data = watcher.take()
        if data is None:
            await _within(watcher.exited, _GRACE)
            raise TransportClosed
        return data

    async def wait(self, timeout: float | None) -> bool:
        """Close the input and wait; see `Transport`."""
        watcher = self._watcher
        self._stdin.close()
        left = timeout
        while not watcher.exited.is_set() and (left is None or left > 0):
            while watcher.take():
                pass  # a full pipe would keep it from ending
            step = 0.1 if left is None else min(0.1, left)
            if not await _within(watcher.exited, step) and left is not None:
                left -= step
        return watcher.exited.is_set()

    async def kill(self) -> End:
        """End it; see `Transport`."""
        self.abort()
        await self._watcher.exited.wait()
        await _within(self._watcher.gone, _GRACE)
        self._watcher.stderr.close()
        return self._status, self._watcher.stderr.news()

    def abort(self) -> None:
        """End it; see `AsyncTransport`."""
        if self._aborted:
            return
        self._aborted = True
        self._status = self._transport.get_returncode()
        kill_group(self._transport.get_pid())
        self._transport.close()


async def _within(event: asyncio.Event, timeout: float | None) -> bool:
    """Whether something happens in time."""
    if event.is_set() or timeout == 0:
        return event.is_set()
    try:
        async with asyncio.timeout(timeout):
            await event.wait()
    except TimeoutError:
        return False
    return True
