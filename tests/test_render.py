"""Positions as text and as SVG, in every state that a position can be in."""

import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

from engine_cli.render.hexes import habitat
from engine_cli.render.labels import describe_score, describe_state
from engine_cli.render.svg import render_svg
from engine_cli.render.text import render_text
from harmonies_core.cards import SpiritScore, builtin_pack, load_pack
from harmonies_core.game import Dealer, Position
from harmonies_core.rules import Rules

EXAMPLES = Path(__file__).parent.parent / "examples"
NAME = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")

SETTINGS = {
    "solo": (1, "A", False, "base"),
    "solo B, spirits": (1, "B", True, "base"),
    "2A": (2, "A", False, "base"),
    "2B, spirits": (2, "B", True, "base"),
    "3A, pulse": (3, "A", True, "pulse"),
    "4B": (4, "B", False, "base"),
}
STATES = ("start", "space taken", "tokens in hand", "chance", "later", "over")

# The board of seat 1 in examples/midgame.hfen.
BOARD = r"""
 ______        ______        ______
/ F    \______/ F    \______/      \
\__a1__/ TR*  \__c1__/      \__e1__/
/ MR^  \__b1__/ MR*  \__d1__/ M    \
\__a2__/ F    \__c2__/      \__e2__/
/ L    \__b2__/      \__d2__/      \
\__a3__/ T    \__c3__/      \__e3__/
/ MR*  \__b3__/      \__d3__/      \
\__a4__/ T    \__c4__/ F    \__e4__/
/ TL*  \__b4__/      \__d4__/      \
\__a5__/      \__c5__/      \__e5__/
"""


@cache
def positions(setting: str) -> dict[str, Position]:
    """A position in every state, from a game played by chance."""
    players, side, spirits, pack = SETTINGS[setting]
    packs = ("base",) if pack == "base" else ("base", pack)
    dealer = Dealer(Rules(players, side, spirits=spirits, packs=packs), seed=5)
    position = dealer.start()
    chance = random.Random(5)
    found = {"start": position.copy()}
    while position.phase != "over":
        if position.phase == "chance":
            found.setdefault("chance", position.copy())
            position.push_chance(dealer.deal(position))
            if position.turn == 4:
                found.setdefault("later", position.copy())
            continue
        position.push_action(chance.choice(position.actions()))
        if position.phase == "turn" and position.space is not None:
            found.setdefault("space taken", position.copy())
            if len(position.in_hand) == 1:
                found.setdefault("tokens in hand", position.copy())
    found["over"] = position
    return found


def position_of(setting: str, state: str) -> Position:
    return positions(setting)[state].copy()


def every_position(test: object) -> object:
    states = pytest.mark.parametrize("state", STATES)
    return pytest.mark.parametrize("setting", SETTINGS)(states(test))


def example(name: str) -> Position:
    text = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()[-1]
    return Position.from_hfen(text)


@every_position
def test_text_of_every_state(setting: str, state: str) -> None:
    position = position_of(setting, state)
    players = position.rules.players
    text = render_text(position)
    assert text == render_text(position)
    assert "\x1b" not in text
    assert text.isascii()
    assert text.endswith("\n")
    assert all(line == line.rstrip() for line in text.splitlines())
    for name in position.rules.cells:
        assert text.count(f"_{name}_") == players
    cubes = sum(len(position.cubes(seat)) for seat in range(1, players + 1))
    assert len(re.findall(r"[WMTLFR][*^]", text)) == cubes
    for seat in range(1, players + 1):
        assert re.search(rf"seat {seat}( \(to move\))?: {position.score(seat).total} points", text)
        for held in position.hand(seat):
            assert f"{held.card.id} {held.card.name[:13]}" in text
    for card in position.row:
        if card is not None:
            assert position.rules.catalogue.cards[card].name in text
    assert ("in hand" in text.partition("spaces")[2]) is bool(position.in_hand)


@every_position
def test_colours_change_nothing_but_colours(setting: str, state: str) -> None:
    position = position_of(setting, state)
    coloured = render_text(position, color=True)
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == render_text(position)


@every_position
def test_svg_of_every_state(setting: str, state: str) -> None:
    position = position_of(setting, state)
    players, cells = position.rules.players, position.rules.cells
    picture = render_svg(position)
    assert picture == render_svg(position)
    root = ET.fromstring(picture)
    assert root.tag == f"{NAME}svg"
    assert len(root.findall(f".//{NAME}polygon")) == players * len(cells)
    boards = root.findall(f".//{NAME}g[@class='board']")
    assert len(boards) == players
    for seat, board in enumerate(boards, start=1):
        stacks, cubes = position.stacks(seat), position.cubes(seat)
        titles = [title.text for title in board.iter(f"{NAME}title")]
        wanted = [f"{cell}, {stacks.get(cell, 'empty')}" for cell in cells]
        for index, cell in enumerate(cells):
            if cell in cubes:
                wanted[index] += f", {cubes[cell]} cube"
        assert titles == wanted
        for kind in ("animal", "spirit"):
            drawn = board.findall(f".//{NAME}g[@class='{kind}-cube']")
            assert len(drawn) == list(cubes.values()).count(kind)
        assert len(board.findall(f".//{NAME}ellipse")) == sum(map(len, stacks.values()))
    assert "nan" not in picture
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert 300 < width < 1500
    assert 300 < height < 3000


def test_board_as_text() -> None:
    lines = [line[:36].rstrip() for line in render_text(example("midgame.hfen")).splitlines()]
    assert "\n".join(lines[4:15]) == BOARD.strip("\n")
    assert lines[3] == "seat 1: 38 points"


def test_boards_beside_each_other_as_far_as_there_is_room() -> None:
    position = example("midgame-side-b.hfen")
    for width, beside in ((80, False), (110, True)):
        lines = render_text(position, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert any(line.count("\\__a1__/") == 2 for line in lines) is beside


def test_text_of_an_offered_pair() -> None:
    text = render_text(example("midgame-spirit-choice.hfen"))
    assert "seat 2 to move, turn 1, a spirit is to be chosen" in text
    assert re.search(r"^offered 38 Stork +BLD: .* building groups, size 2\+ = 6$", text, re.M)


def test_states_in_words() -> None:
    assert describe_state(position_of("2A", "start")) == "seat 1 to move, turn 1"
    assert "in hand" in describe_state(position_of("2A", "tokens in hand"))
    assert "to be dealt: 1 central space" in describe_state(position_of("2A", "chance"))
    over = position_of("4B", "over")
    result = over.result()
    for seat in result.winners:
        assert f"{seat}" in describe_state(over)
    assert str(max(result.totals)) in describe_state(over)
    assert "suns" in describe_state(position_of("solo", "over"))


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (SpiritScore("groups", "F", (2, 2, 10)), "field groups, size 1-2 = 2, 3+ = 10"),
        (SpiritScore("groups", "F", (5,)), "field groups: 5"),
        (SpiritScore("groups", "BLD", (0, 6)), "building groups, size 2+ = 6"),
        (SpiritScore("count", "tree", (0, 4, 4)), "each tree, height 2-3 = 4"),
        (SpiritScore("count", "mountain", (3, 3, 1)), "each mountain, height 1-2 = 3, 3 = 1"),
        (SpiritScore("count", "W", (2,)), "each water: 2"),
        (SpiritScore("count", "tree", (3, 3, 3)), "each tree: 3"),
    ],
)
def test_spirits_in_words(score: SpiritScore, words: str) -> None:
    assert describe_score(score) == words


@pytest.mark.parametrize("pack", ["base", "pulse"])
def test_habitats_as_text(pack: str) -> None:
    for card in builtin_pack(pack).cards:
        drawn = "\n".join(line.plain for line in habitat(card))
        mark = "^" if card.kind == "spirit" else "*"
        stacks = sorted([f"{card.cube_on}{mark}", *(cell.stack for cell in card.others)])
        assert sorted(re.findall(r"[A-Z]+[*^]?", drawn)) == stacks


def test_svg_with_awkward_names(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[pack]\nformat = 1\nname = "own"\ntitle = "Mine"\nversion = "1"\nverified = false\n'
        "mirrors = false\n"
        + "".join(
            f'[[card]]\nid = {number}\nname = "<Fox & \\"Hen\\"> of a very long name {number}"\n'
            'kind = "animal"\npoints = [1, 2, 3, 4, 5]\ncube_on = "BLD"\n'
            'others = [{ at = [0, 3], stack = "MMM" }, { at = [0, -3], stack = "TTL" }]\n'
            for number in range(100, 110)
        ),
        encoding="utf-8",
    )
    position = next(
        start
        for seed in range(100)
        for start in [Position.start(2, packs=["base", load_pack(path)], seed=seed)]
        if any(card is not None and card >= 100 for card in start.row)
    )
    words = " ".join(ET.fromstring(render_svg(position)).itertext())
    assert '<Fox & "Hen"> of a very long name' in words
    assert "Fox &" in render_text(position)
