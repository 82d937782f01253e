"""Send millions of lines to one engine process and check every answer (docs/fuzzing.md).

python fuzz/long_run.py --lines 5000000 --seed 1
"""

import argparse
import os
import shlex
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path

from harness import wanted
from session_lines import Lines
from session_model import Finding, Model, need

ENGINE = f"{shlex.quote(sys.executable)} -m engine_cli.engine"
SILENCE = 300.0  # seconds after which an engine hangs
BATCH = 1000


class Run:
    """One engine and what was sent to it.

    After every line comes a marker, a query that does not exist: it is answered at once in every
    state, so that it is known which answers belong to which line.
    """

    def __init__(self, command: str, seed: int) -> None:
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.lines = Lines(seed)
        self.model = Model()
        self.recent: deque[bytes] = deque(maxlen=100)
        self.sent = 0
        self.answers = 0
        self._heard = time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(5):
            if time.monotonic() - self._heard > SILENCE:
                sys.stderr.write("the engine is silent: killed\n")
                self.process.kill()
                return

    def batch(self) -> None:
        """Send some lines and check what they bring."""
        lines = [line for line in (self.lines.next() for _ in range(BATCH)) if wanted(line)]
        text = b"".join(
            line + b"\nquery m%d\n" % number for number, line in enumerate(lines, self.sent)
        )
        assert self.process.stdin is not None
        writer = threading.Thread(target=self._write, args=(text,))
        writer.start()
        for number, line in enumerate(lines, self.sent):
            self.recent.append(line)
            answers = self._until(f'error syntax no query "m{number}"; ')
            self.model.check(line, answers)
            for answer in answers:
                self.lines.saw(answer)
        writer.join()
        self.sent += len(lines)

    def _write(self, text: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except OSError:
            pass  # the reader sees that it is gone

    def _until(self, start: str) -> list[str]:
        assert self.process.stdout is not None
        answers: list[str] = []
        while True:
            data = self.process.stdout.readline()
            need(data.endswith(b"\n"), "the engine ended")
            self._heard = time.monotonic()
            answer = data[:-1].decode()
            if answer.startswith(start):
                return answers
            self.answers += 1
            answers.append(answer)

    def finish(self) -> None:
        """Stop, quit, and check that nothing is left."""
        self._write(b"stop\nquit\n")
        assert self.process.stdout is not None
        rest = [line.decode().rstrip("\n") for line in self.process.stdout]
        self.model.end([line for line in rest if not line.startswith("info ")])
        need(not self.model.pending, "a search without its bestmove")
        need(self.process.wait(60) == 0, f"exit status {self.process.returncode}")
        self._over.set()

    def memory(self) -> int:
        """Resident memory of the engine in KiB, 0 where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        return int(status.read_text().partition("VmRSS:")[2].split()[0]) if status.exists() else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=ENGINE, help="command that starts it")
    parser.add_argument("--lines", type=int, default=5_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run = Run(options.engine, options.seed)
    began = time.monotonic()
    shown = 0
    try:
        while run.sent < options.lines:
            run.batch()
            if run.sent - shown >= options.lines // 20:
                shown = run.sent
                print(f"{run.sent:,} lines, {run.memory():,} KiB", flush=True)
        run.finish()
    except Finding as problem:
        run.process.kill()
        name = f"finding-{os.getpid()}.txt"
        Path(name).write_bytes(b"\n".join(run.recent))
        raise SystemExit(f"after {run.sent:,} lines: {problem}\nlast lines: {name}") from None
    seconds = time.monotonic() - began
    errors = ", ".join(f"{code} {n:,}" for code, n in sorted(run.model.errors.items()))
    print(f"{run.sent:,} lines and as many markers, seed {options.seed}, {seconds:,.0f} s:")
    print(f"{run.answers:,} answers to the lines, {run.model.searches:,} searches, no finding")
    print(f"errors: {errors}")


if __name__ == "__main__":
    main()
