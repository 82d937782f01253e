"""The engine as a child process: lines in, lines out, and no test that waits for ever."""

import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

PATIENCE = 60.0  # seconds; only a hang is that slow
COMMAND = (sys.executable, "-m", "engine_cli.engine")


def engine_environment() -> dict[str, str]:
    """The environment in which a child finds the modules that this process uses."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class EngineProcess:
    """A running engine. All it prints is kept in `lines`."""

    def __init__(self, *arguments: str) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=engine_environment(),
        )
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join(PATIENCE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):  # what was not sent yet
                    stream.close()

    def _pump(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._queue.put(line.decode().removesuffix("\n"))
        self._queue.put(None)

    def tell(self, line: str) -> None:
        """Send one line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """The next line that was printed."""
        line = self._queue.get(timeout=PATIENCE)
        assert line is not None, "the engine ended"
        self.lines.append(line)
        return line

    def wait_for(self, *starts: str) -> str:
        """The next line that starts with one of these; others are skipped."""
        while not (line := self.line()).startswith(starts):
            pass
        return line

    def ask(self, line: str, *starts: str) -> str:
        """Send a line and wait for the answer that starts like this."""
        self.tell(line)
        return self.wait_for(*starts)

    def finish(self) -> tuple[list[str], int]:
        """Close the input: what is still printed, and the exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        rest = []
        while (line := self._queue.get(timeout=PATIENCE)) is not None:
            rest.append(line)
        self.lines += rest
        assert self._process.stderr is not None
        assert self._process.stderr.read() == b""
        return rest, self._process.wait(PATIENCE)
