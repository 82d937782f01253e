"""Lines of an engine as values, whatever they hold."""

import pytest

from engine_cli.client import Info, Limit
from engine_cli.client.framing import Cut, LineBuffer
from engine_cli.client.info import parse_info
from engine_cli.client.option import Option, parse_option


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
