"""How the program `harmonies` ends: one line about what went wrong, never a traceback."""

import errno
import os
import sys
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

import click

from harmonies_core.errors import HarmoniesError

__all__ = ["OneLineCommand", "OneLineGroup"]

_INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended


class _OneLine(click.Command):
    """A command whose errors are one line on stderr.

    The exit code is 2 where the command line itself is wrong, 1 where what it names is, and 130
    after Ctrl-C, which says nothing.
    """

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command; unless ``standalone_mode=False`` is given this does not return."""
        run: Any = partial(super().main, standalone_mode=False)
        if not options.pop("standalone_mode", True):
            return run(*args, **options)
        name = options["prog_name"] = options.get("prog_name") or self.name or ""
        try:
            code = run(*args, **options)
            sys.stdout.flush()
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else name
            _fail(2, command, f"{error.format_message()} (see {command} --help)")
        except click.Abort:
            sys.exit(_INTERRUPTED)
        except click.ClickException as error:
            _fail(error.exit_code, name, error.format_message())
        except HarmoniesError as error:
            _fail(1, name, str(error))
        except OSError as error:  # of stdout: commands report those of files themselves
            _discard_stdout()
            if error.errno == errno.EPIPE:
                sys.exit(1)
            _fail(1, name, f"cannot write the output: {error.strerror or error}")
        sys.exit(code if isinstance(code, int) else 0)


class OneLineCommand(_OneLine):
    """A program with one command; see `_OneLine`."""


class OneLineGroup(_OneLine, click.Group):
    """A program with several commands; see `_OneLine`."""


def _fail(code: int, name: str, message: str) -> NoReturn:
    """Say what is wrong on one printable line and end."""
    words = " ".join(message.split())
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
    click.echo(f"{name}: {shown}", err=True)
    sys.exit(code)


def _discard_stdout() -> None:
    """Send what is still to be written nowhere, so that nothing fails again at the exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
