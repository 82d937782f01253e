"""Sees to it that no engine outlives the manager, not even one that hangs after a `kill -9`.

A small process of its own: it is told the numbers of engines over a pipe, and ends those that are
left when the pipe closes, which the system does whatever the manager dies of.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

__all__ = ["Warden"]


class Warden:
    """The end of the pipe in the manager. Does nothing on systems without process groups."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        if os.name != "nt":
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-E", str(Path(__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )

    def watch(self, pid: int) -> None:
        """An engine, leader of its process group, runs from now on."""
        self._tell(f"+{pid}\n")

    def forget(self, pid: int) -> None:
        """It has ended."""
        self._tell(f"-{pid}\n")

    def close(self) -> None:
        """End the process."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _tell(self, line: str) -> None:
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                with suppress(OSError):
                    self._process.stdin.write(line.encode())


def main() -> None:
    """Read numbers until the pipe closes, then end what is left."""
    left: set[int] = set()
    for line in sys.stdin:
        if line.startswith("+"):
            left.add(int(line[1:]))
        else:
            left.discard(int(line[1:]))
    for pid in left:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
