"""docs/protocol.md: its sessions, word for word, and that nothing is left out of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_cli.protocol.failure import CODES
from engine_cli.protocol.queries import QUERIES
from talk import Talk

DOCUMENT = Path(__file__).parent.parent / "docs" / "protocol.md"


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.close(finish=False)
    assert not talk.session.working


def sessions() -> list[str]:
    _, _, text = DOCUMENT.read_text(encoding="utf-8").partition("\n## Sessions\n")
    return re.findall(r"```text\n(.*?)```", text, re.DOTALL)


def steps(text: str) -> list[tuple[str, list[str]]]:
    """Requests with the answers that are documented."""
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        if mark == ">":
            steps.append((rest, []))
        else:
            assert mark == "<"
            steps[-1][1].append(rest)
    return steps


def matches(line: str, pattern: str) -> bool:
    return line.startswith(pattern[:-1]) if pattern.endswith("…") else line == pattern


def check(said: list[str], wanted: list[str]) -> None:
    """Compare answers; lines of `info` that are not documented are passed over."""
    said = list(said)
    for number, pattern in enumerate(wanted):
        if pattern == "…":
            while said and not matches(said[0], wanted[number + 1]):
                said.pop(0)
            continue
        while said and said[0].startswith("info ") and not matches(said[0], pattern):
            said.pop(0)
        assert said, f"missing: {pattern}"
        assert matches(said[0], pattern), (said[0], pattern)
        said.pop(0)
    assert [line for line in said if not line.startswith("info ")] == []


@pytest.mark.parametrize("text", sessions())
def test_documented_session(talk: Talk, text: str) -> None:
    for request, wanted in steps(text):
        if wanted:
            check(talk.until(request, wanted[-1].rstrip("…"), "error "), wanted)
        else:
            assert [x for x in talk.ask(request) if not x.startswith("info ")] == []


def test_document_names_everything() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    talk = Talk()
    assert sessions()
    assert set(re.findall(r"(?m)^\| `([a-z]+)` \| [^|]* \|$", text)) >= CODES
    for what in QUERIES:
        assert f"`query {what}`" in text
    for line in talk.ask("uhi")[3:-1]:
        assert f"| `{line.split()[2]}` |" in text
