"""What the broken engines have in common: a good engine behind a class whose methods can be spoilt.

All of them understand `--after N` (or the environment variable BROKEN_AFTER): the first N
searches are answered as they should be. The good engine is started as a child process; the
package has to be importable (PYTHONPATH), and that is all that is needed of it.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import threading


class Relay:
    """Passes requests to the good engine and its answers back."""

    def __init__(self) -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("--after", type=int, default=os.environ.get("BROKEN_AFTER", "0"))
        self.after = parser.parse_args().after
        self.searches = 0
        self._lock = threading.Lock()
        self._settled = threading.Condition()
        self._unready = 0
        self._engine = subprocess.Popen(
            [sys.executable, "-m", "engine_cli.engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    # -- to be overridden -------------------------------------------------------------------

    def request(self, line: str) -> None:
        """A line of the client."""
        self.ask(line)

    def answer(self, line: str) -> None:
        """A line of the good engine."""
        self.say(line)

    def end(self) -> None:
        """The input of the client has ended."""

    # -- to be used -------------------------------------------------------------------------

    @property
    def broken(self) -> bool:
        """Whether the current search is one that goes wrong."""
        return self.searches > self.after

    def ask(self, line: str) -> None:
        """Send a line to the good engine."""
        self._engine.stdin.write(line.encode("utf-8", "surrogateescape") + b"\n")
        self._engine.stdin.flush()

    def say(self, line: str, end: str = "\n") -> None:
        """Send a line to the client."""
        with self._lock:
            try:
                sys.stdout.buffer.write((line + end).encode("utf-8", "surrogateescape"))
                sys.stdout.buffer.flush()
            except OSError:
                os._exit(0)

    def settle(self) -> None:
        """Wait until what was asked before the last `isready` has been answered."""
        with self._settled:
            self._settled.wait_for(lambda: self._unready <= 0, 10)

    def run(self) -> None:
        """Go on until the input ends or the good engine quits."""
        reader = threading.Thread(target=self._read)
        reader.start()
        try:
            for raw in sys.stdin.buffer:
                line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
                if line.split()[:1] == ["go"]:
                    self.searches += 1
                elif line.split()[:1] == ["isready"]:
                    with self._settled:
                        self._unready += 1
                self.request(line)
        except OSError:
            pass  # the good engine has quit
        self.end()
        with contextlib.suppress(OSError):
            self._engine.stdin.close()
        reader.join()
        sys.exit(self._engine.wait())

    def _read(self) -> None:
        for raw in self._engine.stdout:
            line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
            self.answer(line)
            if line == "readyok":
                with self._settled:
                    self._unready -= 1
                    self._settled.notify()
        if self._engine.wait() == 0:
            os._exit(0)
