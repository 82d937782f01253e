"""Bare landscapes against the 120 boards of an independent implementation, whole and exact."""

import json
from pathlib import Path

import pytest

from harmonies_core import PositionError, Rules
from harmonies_core.landscape import cube_cells, landscape_points, spirit_points

DATA = Path(__file__).parent / "data" / "boards.json"
BOARDS = json.loads(DATA.read_text(encoding="utf-8"))["boards"]
CATEGORIES = ("trees", "mountains", "fields", "buildings", "water")


@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_board(number):
    board = BOARDS[number]
    rules = Rules(2, board["side"])
    points = landscape_points(rules, board["cells"])
    assert points == {name: board[name] for name in CATEGORIES}
    if "water_loop_mode" in board:
        loop = Rules(2, board["side"], river="loop")
        assert landscape_points(loop, board["cells"])["water"] == board["water_loop_mode"]
    for card, expected in board["spirits"].items():
        assert spirit_points(rules, int(card), board["cells"]) == expected
    for card in range(1, 43):
        cells = set(cube_cells(rules, card, board["cells"]))
        expected = set(board["cube_cells"].get(str(card), ()))
        assert cells == expected, card
        assert not cube_cells(rules, card, board["cells"], expected)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda rules: landscape_points(rules, {"f1": "W"}), "'f1' is not a cell of side A"),
        (lambda rules: landscape_points(rules, {"a1": "WW"}), "a1: 'WW' is no legal stack"),
        (lambda rules: landscape_points(rules, {3: "W"}), "3 is not a cell"),
        (lambda rules: spirit_points(rules, 17, {}), "no spirit 17"),
        (lambda rules: cube_cells(rules, 99, {}), "no card 99"),
        (lambda rules: cube_cells(rules, 1, {}, ["z9"]), "'z9' is not a cell"),
    ],
)
def test_what_is_refused(call, reason):
    with pytest.raises(PositionError, match=reason):
        call(Rules())
