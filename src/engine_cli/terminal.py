"""What the commands for people print with."""

import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.console import Console

__all__ = [
    "color_option",
    "examples",
    "json_option",
    "make_console",
    "prepare_streams",
    "print_json",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def color_option(command: _Command) -> _Command:
    """Add the option ``--no-color``."""
    return click.option(
        "--no-color",
        is_flag=True,
        help="Plain text. Also without a terminal, and when NO_COLOR is set.",
    )(command)


def json_option(command: _Command) -> _Command:
    """Add the option ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        command
    )


def examples(*lines: str) -> str:
    """What stands at the end of a help text."""
    # The first character tells click to leave the lines as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def make_console(no_color: bool = False, *, stderr: bool = False) -> Console:
    """A console on stdout (or stderr) that writes colours only to a terminal that wants them."""
    plain = no_color or bool(os.environ.get("NO_COLOR"))
    return Console(
        stderr=stderr,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


def print_json(data: object) -> None:
    """Print a value as JSON, in ASCII so that every terminal and pipe can carry it."""
    click.echo(json.dumps(data, indent=2))


def prepare_streams() -> None:
    """Let a terminal without UTF-8 show a question mark, and a closed stdout swallow all."""
    if sys.stdout is None:  # as after `harmonies show >&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")
