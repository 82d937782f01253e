"""The fuzzers' corpus, and some thousands of lines made like those of the long run."""

import random
from pathlib import Path

import pytest

from engine_cli.protocol.output import Output
from engine_cli.protocol.session import Session
from harness import Sink, run_json, run_session, wanted
from session_lines import Lines, garble
from session_model import Finding, Model

CORPUS = Path(__file__).parent.parent / "fuzz" / "corpus"
SESSIONS = sorted((CORPUS / "session").iterdir())
ANALYSES = sorted((CORPUS / "json").iterdir())


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_session_corpus(path: Path) -> None:
    run_session(path.read_bytes())


@pytest.mark.parametrize("path", ANALYSES, ids=lambda path: path.name)
def test_json_corpus(path: Path) -> None:
    run_json(path.read_bytes())


@pytest.mark.parametrize("seed", range(4))
def test_garbled_corpus(seed: int) -> None:
    rng = random.Random(seed)
    for paths, run in ((SESSIONS, run_session), (ANALYSES, run_json)):
        for path in rng.choices(paths, k=8):
            lines = path.read_bytes().split(b"\n")
            run(b"\n".join(garble(x, rng) if rng.random() < 0.3 else x for x in lines))


@pytest.mark.parametrize("seed", [11, 12])
def test_a_short_run(seed: int) -> None:
    lines, model, sink = Lines(seed), Model(), Sink()
    session = Session(Output(sink))
    for _ in range(1500):
        line = lines.next()
        if wanted(line):
            session.request(line)
            answers = sink.take()
            model.check(line, answers)
            for answer in answers:
                lines.saw(answer)
    session.close(finish=True)
    model.end([line for line in sink.take() if not line.startswith("info ")])
    assert not model.pending
    assert model.searches > 10
    assert {"busy", "illegal", "syntax", "unknown", "value"} <= set(model.errors)


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        (b"isready", []),
        (b"isready", ["readyok", "readyok"]),
        (b"", ["readyok"]),
        (b"stop", ["bestmove g1"]),
        (b"query turn", []),
        (b"query turn", ["response turn 1 1 "]),
        (b"nonsense", []),
        (b"nonsense", ["unknown command"]),
        (b"\xff", ["readyok"]),
        (b"uhi", ["uhiok"]),
        (b"d", []),
        (b"setoption name Seed value 3", ["readyok"]),
        (b"eval", ["error internal something"]),
        (b"go nodes 1", ["bestmove g1", "bestmove g1"]),
    ],
)
def test_the_model_finds_faults(line: bytes, answers: list[str]) -> None:
    with pytest.raises(Finding):
        Model().check(line, answers)
