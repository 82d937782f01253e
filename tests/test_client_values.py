"""Lines of an engine as values, whatever they hold."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_cli.client import (
    Bounds,
    EngineCrashed,
    EngineError,
    EngineRefused,
    Info,
    Limit,
    OutputFlood,
    PlayResult,
)
from engine_cli.client.conversation import Conversation
from engine_cli.client.exchange import Greeting
from engine_cli.client.framing import Cut, LineBuffer
from engine_cli.client.info import parse_info
from engine_cli.client.option import Option, parse_option
from engine_cli.client.plans import search


@pytest.mark.parametrize(
    "values",
    [{"nodes": 0}, {"depth": 0}, {"movetime": -1}, {"increment": 5}, {"togo": 3}, {"clock": -1}],
)
def test_bad_limits(values: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be|need"):
        Limit(**values)


def test_lines_are_put_together() -> None:
    buffer = LineBuffer(longest=10)
    assert buffer.feed(b"ab") == []
    assert buffer.feed(b"c\r\nde\n\nf") == ["abc", "de", ""]
    assert buffer.rest == "f"
    assert buffer.feed(b"\xc3") == []
    assert buffer.feed(b"\xa4\n") == ["fä"]
    assert buffer.feed(b"0123456789\n") == ["0123456789"]
    (cut,) = buffer.feed(b"0123456789abc")
    assert isinstance(cut, Cut)
    assert all(isinstance(piece, Cut) for piece in buffer.feed(b"more"))
    assert buffer.feed(b"end\nnext\n") == ["next"]


@pytest.mark.parametrize(
    "text", ["depth", "depth x", "score mate 3", "score cp", "seats", "wdl 1 2", "nodes 1.0"]
)
def test_bad_infos(text: str) -> None:
    with pytest.raises(ValueError, match="info"):
        parse_info(text)


def test_infos_with_unknown_words() -> None:
    assert parse_info("depth 3 colour green nodes 7") == Info(depth=3, nodes=7)
    assert parse_info("string depth 3") == Info(string="depth 3")
    assert parse_info("") == Info()


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("name A type button", Option("A", "button")),
        (
            "name A B type combo default x y var x y var z",
            Option("A B", "combo", "x y", choices=("x y", "z")),
        ),
        ("name S type spin default -1 min -5 max 5", Option("S", "spin", "-1", -5, 5)),
    ],
)
def test_options(text: str, option: Option) -> None:
    assert parse_option(text) == option


@pytest.mark.parametrize(
    "text", ["", "name", "name A", "name A type odd", "name type spin", "name A type spin min x"]
)
def test_bad_options(text: str) -> None:
    with pytest.raises(ValueError, match=r"option|numbers"):
        parse_option(text)


def test_too_many_options() -> None:
    talk = Conversation("x", Bounds())
    talk.begin(Greeting())
    with pytest.raises(OutputFlood):
        talk.feed("".join(f"option name o{n} type button\n" for n in range(2000)).encode())


# -- anything at all ----------------------------------------------------------------------------

VERBS = ["readyok", "bestmove", "info", "error", "response", "uhiok", "id", "option"]
OTHERS = ["a", "1", "-1", "1.5", "score", "cp", "seats", "wdl", "pv", "string", "multipv", "depth"]
WORDS = st.sampled_from(VERBS) | st.sampled_from(OTHERS)
LINES = st.lists(WORDS, max_size=6).map(lambda words: " ".join(words).encode())
OUTPUT = st.lists(LINES | st.binary(max_size=20), max_size=12).map(b"\n".join)


def _outcome(chunks: list[bytes]) -> tuple[str | None, str | None, int]:
    """What a search comes to: its turn, its error, the number of warnings."""
    talk = Conversation("x", Bounds(line=30, lines=20, unexpected=10))
    exchange = search("startpos", Limit(nodes=1))
    talk.begin(exchange)
    error = None
    try:
        for chunk in chunks:
            talk.feed(chunk)
    except EngineError as problem:
        error = type(problem).__name__
    turn = None if exchange.result is None else exchange.result.turn
    return turn, error, len(talk.take_warnings())


@given(OUTPUT)
def test_no_output_breaks_the_client(output: bytes) -> None:
    """Nothing but an EngineError comes out of it, and a turn only after ``readyok``."""
    turn, _, _ = _outcome([output])
    if turn is not None:
        assert b"readyok" in output
        assert b"bestmove " in output


@given(OUTPUT, st.integers(1, 7))
def test_chunks_do_not_matter(output: bytes, size: int) -> None:
    lines = output.split(b"\n")
    if max(map(len, lines)) > 30:
        return  # of a line that is too long every chunk is a piece
    chunks = [output[at : at + size] for at in range(0, len(output), size)]
    assert _outcome(chunks) == _outcome([output])


def test_values_and_errors_travel_between_processes() -> None:
    result = PlayResult("a", (Info(score=1.5, pv=("a",)),), 0.5)
    assert pickle.loads(pickle.dumps(result)) == result
    for error in (
        EngineRefused("busy", "not now").locate("Test", "go", ["> go"]),
        EngineCrashed("gone", -11).locate("Test", "go", ["> go"]),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
