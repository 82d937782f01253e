"""The example files of turns and games in tests/notation."""

from pathlib import Path

import pytest

from harmonies_core import NotationError, Turn
from harmonies_core.record import read_games

FOLDER = Path(__file__).parent / "notation"


def lines(name):
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("text", lines("valid_turns.txt"))
def test_valid_turn(text):
    assert str(Turn(text)) == text
    assert Turn(text) == Turn(str(Turn(text)))


@pytest.mark.parametrize("text", lines("invalid_turns.txt"))
def test_invalid_turn(text):
    with pytest.raises(NotationError):
        Turn(text)


def test_games():
    games, skipped = read_games("\n".join(lines("games.hgn")))
    first, solo = games
    assert first.tags == {"Event": "two turns, then a damaged game, then one more"}
    assert [str(ply.turn) for ply in first.plies] == [
        "g1,Ta1,La1,Wc3,+17/WMT+21",
        "g4,La1,Lb1,Fc1/WWM",
    ]
    assert first.plies[0].comment == "eval 7200 depth 1"
    final = first.final()
    # TL and W for seat 1; two lone leaves and a lone field for seat 2 (RULES, "Points").
    assert [score.total for score in final.scores()] == [3, 2]
    assert final.centre == ("WMT", "MLR", "WMF", "WWM", "TTR")
    assert final.row == (21, 3, 25, 9, 29)
    assert (final.seat, final.turn, final.phase) == (1, 2, "turn")
    assert solo.final().stacks(1) == {"a1": "M", "b1": "L", "c1": "RR", "a2": "F", "b2": "F"}
    assert solo.final().phase == "chance"
    (bad,) = skipped
    assert bad.line == 7
    assert "L goes on an empty cell, T or TT, a1 holds W" in bad.reason
