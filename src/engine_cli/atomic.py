"""Files that are written whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["write_bytes", "write_text"]


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file as UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file: a reader sees the old contents or the new, never a part.

    What is no regular file, such as a pipe, is written to directly. Raises OSError, whose file
    name is the path as it was given.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from error


def _replace(target: Path, data: bytes) -> None:
    """Write a new file beside the target and move it there in one step."""
    if target.is_dir():
        raise IsADirectoryError(0, "is a folder, expected the name of a file")
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
