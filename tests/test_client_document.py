"""docs/client.md: every example runs and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import broken_engines
import pytest

import engine_cli.client

DOCUMENT = (Path(__file__).parent.parent / "docs" / "client.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)


def test_every_example_has_its_output() -> None:
    assert len(EXAMPLES) == DOCUMENT.count("```python") > 5


@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_example(code: str, output: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code.replace('"harmonies-engine"', repr(broken_engines.GOOD)), {})
    assert _shape(printed.getvalue()) == _shape(output)


def _shape(text: str) -> str:
    """The text without what changes with the strength of the engine: turns and points."""
    text = re.sub(r"\b[gs]\d+(,[^\s'(]+)*", "TURN", text)
    text = re.sub(r"Kingfisher \S+", "Kingfisher", text)
    return re.sub(r"\b\d+(\.\d+)?", "NUMBER", text)


def test_every_exception_is_described() -> None:
    for name in engine_cli.client.__all__:
        if name.endswith(("Error", "Timeout", "Answer", "Warning")) and name != "EngineTimeout":
            assert f"`{name}`" in DOCUMENT
