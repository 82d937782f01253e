"""How the process of an engine is started and ended, with everything that it started."""

import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

__all__ = ["describe_status", "engine_name", "kill_group", "popen_options", "split_command"]

_LONGEST_NAME: Final = 100

Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def split_command(command: Command) -> list[str]:
    """The words of a command. Text is split as a shell would. Raises ValueError."""
    if isinstance(command, str):
        words = shlex.split(command, posix=os.name != "nt")
    elif isinstance(command, os.PathLike):
        words = [os.fspath(command)]
    else:
        words = [os.fspath(word) for word in command]
    if not words:
        raise ValueError("a command needs a word")
    return words


def engine_name(words: Sequence[str]) -> str:
    """What to call an engine that has not told its name."""
    name = " ".join(" ".join([Path(words[0]).name, *words[1:]]).split())
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."


def popen_options() -> dict[str, Any]:
    """A group of its own, so that a signal reaches all of it and Ctrl-C none of it."""
    if os.name == "nt":
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return {"start_new_session": True}


def kill_group(pid: int) -> None:
    """End a process that was started with `popen_options`, and what it started."""
    if os.name != "nt":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def describe_status(status: int | None) -> str:
    """How a process ended, in words."""
    if status is None:
        return "lives"
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was ended by signal {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
