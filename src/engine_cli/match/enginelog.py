"""A file of all that was said to and by one engine process, its standard error included."""

import time
from pathlib import Path
from typing import TextIO

__all__ = ["EngineLog"]


class EngineLog:
    """Appends lines as ``seconds mark text``: ``>`` sent, ``<`` received, ``!`` standard error.

    A log that can no longer be written to is given up; the game goes on.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises OSError."""
        self._file: TextIO | None = open(  # noqa: SIM115 - closed by `close`
            path, "a", encoding="utf-8", errors="backslashreplace"
        )
        self._began = time.monotonic()

    def line(self, mark: str, text: str) -> None:
        """Write one line."""
        if self._file is None:
            return
        try:
            self._file.write(f"{time.monotonic() - self._began:.3f} {mark} {text}\n")
            self._file.flush()
        except OSError:
            self._file = None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
