"""What the commands are given: positions as text, in files or on stdin, rules, card packs."""

import functools
import os
import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from harmonies_core.cards import BUILTIN_PACKS, Pack, builtin_pack, load_pack
from harmonies_core.errors import HarmoniesError, PackError
from harmonies_core.game import Position

__all__ = ["join_packs", "read_packs", "takes_position", "takes_rules"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MAX_BYTES = 10_000_000
_LIKE_HFEN = re.compile(r"\s*[1-4][AB]\S*\s")  # how no file name begins, but every position
_LIKE_NAMES = re.compile(r"[a-z][a-z0-9_-]*(\+[a-z][a-z0-9_-]*)*")


def read_packs(value: str) -> tuple[Pack, ...]:
    """Read the value of an option: a path, or names of built-in packs joined by ``+``."""
    try:
        if _LIKE_NAMES.fullmatch(value) and not os.path.exists(value):
            return tuple(builtin_pack(name) for name in value.split("+"))
        return (load_pack(value),)
    except PackError as error:
        raise click.BadParameter(str(error)) from error


def join_packs(groups: tuple[tuple[Pack, ...], ...]) -> tuple[Pack, ...]:
    """The packs of an option that was given several times."""
    return tuple(pack for group in groups for pack in group)


def takes_rules(packs: Callable[[str], Any] = str) -> Callable[[_Command], _Command]:
    """Add the options that say what game is played, as values of which None is the default.

    `packs` reads a value of --packs, of which the command gets a tuple.
    """
    options = (
        click.option(
            "--players", type=click.IntRange(1, 4), help="Seats; 1 plays solo.  [default: 2]"
        ),
        click.option(
            "--side",
            type=click.Choice(["A", "B"]),
            help="Side of the boards: rivers (A) or islands (B).  [default: A]",
        ),
        click.option(
            "--spirits/--no-spirits",
            default=None,
            help="Play with Nature's Spirits.  [default: no-spirits]",
        ),
        click.option(
            "--packs",
            "--pack",
            type=packs,
            multiple=True,
            metavar="NAMES|FILE",
            help=f"Card packs: {', '.join(BUILTIN_PACKS)}, joined by +, or a file of your own. "
            "Can be repeated.  [default: base]",
        ),
        click.option(
            "--river",
            type=click.Choice(["diameter", "loop"]),
            help="How rivers are measured.  [default: diameter]",
        ),
    )

    def add(command: _Command) -> _Command:
        for option in reversed(options):  # they are listed in the order of decorators
            command = option(command)
        return command

    return add


def takes_position(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument POSITION with its options; the command gets it as ``position``."""

    @click.argument("position", metavar="[POSITION]", required=False)
    @click.option(
        "--line",
        type=click.IntRange(min=1),
        metavar="N",
        help="Take the position on line N of the file (default: the first one).",
    )
    @click.option(
        "--pack",
        "packs",
        type=read_packs,
        multiple=True,
        metavar="FILE",
        help="A card pack of your own that the position names. Can be repeated.",
    )
    @functools.wraps(command)
    def wrapper(
        *args: Any,
        position: str | None,
        line: int | None,
        packs: tuple[tuple[Pack, ...], ...],
        **options: Any,
    ) -> Any:
        own = tuple(pack for pack in join_packs(packs) if pack.name not in BUILTIN_PACKS)
        return command(*args, position=_read_position(position, line, own), **options)

    return wrapper


def _read_position(argument: str | None, line: int | None, packs: tuple[Pack, ...]) -> Position:
    """Read a position from text, a file, or stdin."""
    if argument is None and sys.stdin.isatty():
        raise click.UsageError(
            "no position: give its text, the name of a file, or - to read standard input",
            click.get_current_context(),
        )
    if argument is None or argument == "-":
        place, data = "standard input", _read_stdin()
    elif _LIKE_HFEN.match(argument) and not os.path.exists(argument):
        if line is not None:
            raise click.UsageError(
                "--line is for files, but POSITION is a position", click.get_current_context()
            )
        return _parse(argument.strip(), "", packs)
    else:
        place, data = argument, _read_file(argument)
    text, number = _choose(_decode(data, place), place, line)
    return _parse(text, f"{place}, line {number}: ", packs)


def _parse(text: str, place: str, packs: tuple[Pack, ...]) -> Position:
    try:
        return Position.from_hfen(text, packs)
    except HarmoniesError as error:
        raise click.ClickException(f"{place}{error}") from error


def _choose(text: str, place: str, line: int | None) -> tuple[str, int]:
    """The line that holds the position, and its number."""
    lines = text.splitlines()
    if line is not None:
        if line > len(lines):
            raise click.ClickException(f"{place}: no line {line}, there are {len(lines)}")
        if not _is_content(lines[line - 1]):
            raise click.ClickException(f"{place}, line {line}: expected a position, found none")
        return lines[line - 1].strip(), line
    for number, candidate in enumerate(lines, start=1):
        if _is_content(candidate):
            return candidate.strip(), number
    raise click.ClickException(f"{place}: expected a position, found none")


def _is_content(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _read_stdin() -> bytes:
    return sys.stdin.buffer.read(_MAX_BYTES + 1)


def _read_file(path: str) -> bytes:
    try:
        if os.path.isdir(path):  # said here because the message differs from system to system
            raise click.ClickException(f"{path}: is a folder, expected a file with a position")
        with open(path, "rb") as file:
            return file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise click.ClickException(
            f"{path}: no such file, and not a position (one begins like this: 2A 5/4/5/4/5|-)"
        ) from None
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero character in the path
        raise click.ClickException(f"{path}: cannot be read: {error}") from error


def _decode(data: bytes, place: str) -> str:
    if len(data) > _MAX_BYTES:
        raise click.ClickException(f"{place}: larger than {_MAX_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise click.ClickException(
            f"{place}, line {line}: not UTF-8 text, expected a file with a position"
        ) from error
