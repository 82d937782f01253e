"""The analysis engine: lines in, lines out, until the input ends."""

import json
import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Never

from engine_cli.jsonmode import answers
from engine_cli.jsonmode.actions import act
from engine_cli.jsonmode.fields import FieldError, Fields, kind
from engine_cli.jsonmode.query import read_tasks
from engine_cli.jsonmode.tasks import Tasks
from engine_cli.jsonmode.workers import Workers
from engine_cli.protocol.output import Output
from engine_cli.protocol.reader import TooLong
from engine_cli.protocol.words import quote

if TYPE_CHECKING:
    from harmonies_core.cards import Pack

__all__ = ["Server"]


class Server:
    """Answers lines through an `Output`. Nothing that is asked raises out of it.

    `jobs` is the number of positions that are searched at the same time, `packs` are card packs
    from files, by name.
    """

    def __init__(self, output: Output, jobs: int, packs: "dict[str, Pack] | None" = None) -> None:
        self._output = output
        self._packs = packs or {}
        self._tasks = Tasks()
        self._workers = Workers(jobs, self._tasks, self._send)

    def serve(self, lines: Iterable[bytes | TooLong]) -> None:
        """Answer line after line, finish what is queued, and return."""
        try:
            for line in lines:
                self.request(line)
                if self._output.closed:
                    break
        finally:
            self.close(finish=not self._output.closed)

    def close(self, *, finish: bool) -> None:
        """Wait for the end of what is queued, or give it up."""
        self._tasks.close()
        if not finish:
            self._tasks.terminate(lambda task: True)
        self._workers.join()

    def request(self, line: bytes | TooLong) -> None:
        """Take one line: answer it, or put what it asks into the queue."""
        name = None
        try:
            values = _read(line)
            if values is None:
                return
            fields = Fields(values)
            name = _id(fields)
            if fields.take("action") is not None:
                act(fields, self._tasks, self._send)
                return
            tasks = read_tasks(name, fields, self._packs)
            for field in fields.left:
                text = "no such field; it is ignored"
                self._send(answers.warning(text, name=name, field=field))
            self._tasks.add(tasks)
        except FieldError as problem:
            self._send(answers.error(problem.text, name=name, field=problem.field))
        except LineError as problem:
            self._send(answers.error(str(problem)))
        except Exception as problem:
            sys.stderr.write(f"request failed: {problem!r}\n")
            self._send(answers.error(f"internal: {problem!r}", name=name))

    def _send(self, answer: dict[str, Any]) -> None:
        self._output.line(answers.as_line(answer))


class LineError(Exception):
    """A line that is no JSON object."""


def _read(line: bytes | TooLong) -> dict[str, Any] | None:
    """The object of a line; None if there is nothing in it."""
    if isinstance(line, TooLong):
        raise LineError("the line is too long")
    if not line.strip():
        return None
    try:
        values = json.loads(
            line.decode("utf-8"),
            parse_constant=_constant,
            parse_float=_float,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError:
        raise LineError("the line is not UTF-8") from None
    except json.JSONDecodeError as problem:
        raise LineError(f"not JSON: {problem.msg}, column {problem.colno}") from None
    except RecursionError:
        raise LineError("not JSON: nested too deeply") from None
    except ValueError as problem:  # a number of thousands of digits
        raise LineError(f"not JSON: {problem}") from None
    if not isinstance(values, dict):
        raise LineError(f"a query must be an object, not {kind(values)}")
    return values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without a field that is given twice: one of the two would be waited for in vain."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise LineError(f"field {quote(twice)} is given twice")
    return found


def _constant(name: str) -> Never:
    raise ValueError(f"{name} is no number")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _id(fields: Fields) -> str:
    """The id, which every line needs."""
    name = fields.text("id")
    if name is None:
        fields.fail("id", "is missing")
    return name
