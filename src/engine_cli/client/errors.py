"""What can go wrong with an engine: one type of exception for each way."""

from collections.abc import Iterable
from typing import Final, Self

from engine_cli.client.printable import printable

__all__ = [
    "AnswerTimeout",
    "EngineClosedPipe",
    "EngineCrashed",
    "EngineError",
    "EngineRefused",
    "EngineStartError",
    "EngineStateError",
    "EngineTimeout",
    "EngineWarning",
    "HandshakeTimeout",
    "MalformedAnswer",
    "OutputFlood",
    "QuitTimeout",
    "ReadyTimeout",
    "StartTimeout",
    "WriteTimeout",
    "WrongAnswer",
]

_LONGEST: Final = 500  # characters of a problem
_SHOWN: Final = 200  # characters of a line that messages show


class EngineWarning(UserWarning):
    """An engine printed something that is not an answer, or had to be killed at the end."""


class EngineError(Exception):
    """Base class. After any of these but `EngineRefused` and `EngineStateError` the engine has
    been killed.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = printable(problem, _LONGEST)
        """What is wrong, without the rest."""
        self.engine = ""
        """Name of the engine."""
        self.command = ""
        """The request whose answer was awaited; empty if none was."""
        self.last: tuple[str, ...] = ()
        """The last lines, oldest first: ``> `` sent, ``< `` received, ``! `` standard error."""

    def locate(self, engine: str, command: str, last: Iterable[str]) -> Self:
        """Add where it happened."""
        self.engine = engine
        self.command = self.command or command
        self.last = tuple(last)
        return self

    def __str__(self) -> str:
        text = f"{self.engine}: {self.problem}" if self.engine else self.problem
        if self.command:
            text += f" (request: {printable(self.command, _SHOWN)})"
        if self.last:
            text += "; last lines: " + " | ".join(printable(line, _SHOWN) for line in self.last)
        return text


class EngineRefused(EngineError):
    """The engine answered ``error <code> <text>``. It can be used on."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"error {code} {text}".rstrip())
        self.args = (code, text)  # what an error is made of again on its way between processes
        self.code = code
        self.text = text


class EngineStateError(EngineError):
    """The client asked for what is not possible now, as after the end of the engine."""


class EngineCrashed(EngineError):
    """The process ended although nobody had asked it to."""

    def __init__(self, problem: str, status: int | None = None) -> None:
        super().__init__(problem)
        self.status = status
        """Exit status; a negative number is that of the signal that ended it."""


class EngineStartError(EngineCrashed):
    """The program cannot be run, or ended before it greeted; without `status` it never ran."""


class EngineClosedPipe(EngineError):
    """The process lives, but it closed its standard output or input."""


class EngineTimeout(EngineError):
    """Base class of all waits that took too long."""


class StartTimeout(EngineTimeout):
    """Not one line came after the start."""


class HandshakeTimeout(EngineTimeout):
    """Lines came, but no ``uhiok``."""


class ReadyTimeout(EngineTimeout):
    """No ``readyok``."""


class AnswerTimeout(EngineTimeout):
    """No ``bestmove`` or ``response``."""


class WriteTimeout(EngineTimeout):
    """The engine does not read what is sent."""


class QuitTimeout(EngineTimeout):
    """The process did not end after ``quit``."""


class MalformedAnswer(EngineError):
    """An answer of the right kind that cannot be read, such as ``bestmove`` without a turn."""


class WrongAnswer(EngineError):
    """An answer to something that was not asked, such as a second ``bestmove``."""


class OutputFlood(EngineError):
    """More output than any answer needs."""
