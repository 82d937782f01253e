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


@pytest.mark.parametrize("text", sessions())
def test_documented_session(talk: Talk, text: str) -> None:
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        if mark == ">":
            steps.append((rest, []))
        else:
            assert mark == "<"
            steps[-1][1].append(rest)
    for request, answers in steps:
        wanted = [x for x in answers if not x.startswith("info ")]
        said = talk.until(request, wanted[-1].rstrip("…")) if wanted else talk.ask(request)
        said = [x for x in said if not x.startswith("info ")]
        assert len(said) == len(wanted), (request, said)
        for line, pattern in zip(said, wanted, strict=True):
            if pattern.endswith("…"):
                assert line.startswith(pattern[:-1]), request
            else:
                assert line == pattern, request


def test_document_names_everything() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    talk = Talk()
    assert sessions()
    assert set(re.findall(r"(?m)^\| `([a-z]+)` \| [^|]* \|$", text)) >= CODES
    for what in QUERIES:
        assert f"`query {what}`" in text
    for line in talk.ask("uhi")[3:-1]:
        assert f"| `{line.split()[2]}` |" in text
