"""A lock on a folder, held by one process and freed by the system when that ends."""

import os
from pathlib import Path
from typing import Final

__all__ = ["FolderLock"]

_NAME: Final = ".lock"


class FolderLock:
    """Raises BlockingIOError if another process holds the lock, OSError if there can be none."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._take()
        except BaseException:
            os.close(self._file)
            self._file = -1
            raise

    def _take(self) -> None:
        if os.name == "nt":
            import msvcrt

            try:
                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            except OSError:
                raise BlockingIOError from None
            return
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(self) -> None:
        """Free it. The file stays: removing it would let two others hold locks of that name."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
