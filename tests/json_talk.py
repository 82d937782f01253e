"""The JSON analysis engine in this process, and the schemas of its lines."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from engine_cli.jsonmode.server import Server
from engine_cli.protocol.output import Output
from talk import Transport

FOLDER = Path(__file__).parent.parent / "docs" / "json"


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


QUERY = validator("query")
ANSWER = validator("answer")


class Analysis:
    """A server; all it says is checked against the schema."""

    def __init__(self, jobs: int = 1) -> None:
        self.transport = Transport()
        self.server = Server(Output(self.transport), jobs)
        self._read = 0

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close(finish=False)

    def send(self, line: dict[str, Any] | str | bytes) -> None:
        if isinstance(line, dict):
            line = json.dumps(line)
        self.server.request(line if isinstance(line, bytes) else line.encode())

    def next(self, number: int = 1) -> list[dict[str, Any]]:
        """Wait for so many more answers."""
        last = self._read + number
        self.transport.wait(lambda lines: len(lines) >= last)
        lines = self.transport.lines()[self._read : last]
        self._read = last
        return [checked(line) for line in lines]

    def one(self, line: dict[str, Any] | str | bytes) -> dict[str, Any]:
        self.send(line)
        (answer,) = self.next()
        return answer

    def finish(self) -> list[dict[str, Any]]:
        """End of input: all that was not read yet."""
        self.server.close(finish=True)
        lines = self.transport.lines()[self._read :]
        self._read += len(lines)
        return [checked(line) for line in lines]


def checked(line: str) -> dict[str, Any]:
    assert line.isascii()
    answer: dict[str, Any] = json.loads(line)
    ANSWER.validate(answer)
    return answer
