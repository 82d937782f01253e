"""Reading a card pack from a file, and what is said about one that is wrong."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmonies_core.cards import Card, HabitatCell, Pack, SpiritScore, load_pack
from harmonies_core.errors import HarmoniesError, PackError

HEADER = {
    "format": "1",
    "name": '"mine"',
    "title": '"My pack"',
    "version": '"0.3"',
    "verified": "false",
    "mirrors": "true",
}
ANIMAL = {
    "id": "101",
    "name": '"Newt"',
    "kind": '"animal"',
    "points": "[3, 8]",
    "cube_on": '"W"',
    "others": '[{ at = [1, 0], stack = "L" }, { at = [0, 1], stack = "TL" }]',
}
SPIRIT = {
    "id": "102",
    "name": '"Moon Hare"',
    "kind": '"spirit"',
    "cube_on": '"F"',
    "others": "[]",
    "score": '{ by = "groups", of = "F", points = [0, 6] }',
}


def table(values: dict[str, str | None]) -> str:
    return "".join(f"{key} = {value}\n" for key, value in values.items() if value is not None)


def pack_text(header=HEADER, *cards) -> str:
    """TOML text; a value of None leaves the key out."""
    entries = "".join("[[card]]\n" + table(card) for card in cards or (ANIMAL, SPIRIT))
    return "[pack]\n" + table(header) + entries


def load(folder: Path, text: str | bytes) -> Pack:
    file = folder / "mypack.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_pack(file)


def problem(folder: Path, text: str | bytes) -> str:
    """Return the message about a bad pack, without the folder."""
    with pytest.raises(PackError) as caught:
        load(folder, text)
    message = str(caught.value)
    assert message.startswith(str(folder / "mypack.toml: "))
    assert message.isprintable()
    return message.removeprefix(f"{folder}{os.sep}")


def test_good_pack(tmp_path):
    others = (HabitatCell(1, 0, "L"), HabitatCell(0, 1, "TL"))
    newt = Card(101, "Newt", "animal", (3, 8), "W", others, None, "mine", True)
    score = SpiritScore("groups", "F", (0, 6))
    hare = Card(102, "Moon Hare", "spirit", (), "F", (), score, "mine", True)
    expected = Pack("mine", "My pack", "0.3", False, True, (newt, hare))
    assert load(tmp_path, pack_text()) == expected
    assert load(tmp_path, pack_text(HEADER, SPIRIT, ANIMAL)) == expected
    assert load(tmp_path, b"\xef\xbb\xbf" + pack_text().encode()) == expected
    assert load(tmp_path, pack_text().replace("\n", "\r\n")) == expected
    assert load_pack(str(tmp_path / "mypack.toml")) == expected


def test_the_example_in_the_documentation(tmp_path):
    guide = Path(__file__).parents[1] / "docs" / "packs.md"
    example = guide.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    pack = load(tmp_path, example)
    assert (pack.name, [card.name for card in pack.cards]) == ("pond", ["Newt", "Moon Hare"])


def test_limits_that_are_still_good(tmp_path):
    ring = [(3, 0), (0, 3), (-3, 3), (-3, 0), (0, -3), (3, -3)]
    cells = ", ".join(f'{{ at = [{q}, {r}], stack = "BLD" }}' for q, r in ring)
    first = {**ANIMAL, "id": "1", "points": "[1, 2, 3, 4, 200]", "others": f"[{cells}]"}
    last = {**SPIRIT, "id": "127", "name": '"Ö"'}
    pack = load(tmp_path, pack_text({**HEADER, "name": f'"{"a" * 32}"'}, first, last))
    assert [card.id for card in pack.cards] == [1, 127]
    assert len(pack.cards[0].others) == 6
    assert pack.cards[0].cubes == 5


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"format": "2"}, "[pack]: format: 2 is not known to this version (expected 1)"),
        ({"format": "true"}, "[pack]: format: expected an integer, not true or false"),
        ({"format": None}, '[pack]: missing key "format"'),
        ({"title": None}, '[pack]: missing key "title"'),
        ({"author": '"me"'}, '[pack]: unknown key "author" (expected format, name, '),
        ({"titel": '"x"'}, '[pack]: unknown key "titel" (did you mean "title"?)'),
        ({"verified": "1"}, "[pack]: verified: expected true or false, not an integer"),
        ({"mirrors": '"no"'}, "[pack]: mirrors: expected true or false, not a text"),
        ({"version": "0.3"}, "[pack]: version: expected a text, not a decimal number"),
        ({"version": "2026-01-01"}, "[pack]: version: expected a text, not a date or time"),
        ({"title": '" "'}, "[pack]: title: is empty"),
        ({"title": '"x "'}, '[pack]: title: "x " begins or ends with a space'),
        ({"title": '"a\\tb"'}, '[pack]: title: "a\\tb" has a character that cannot be printed'),
        ({"title": f'"{"x" * 61}"'}, "[pack]: title: 61 characters (expected at most 60)"),
        ({"name": '"Mine"'}, '[pack]: name: "Mine" is not a pack name (expected a to z, then '),
        ({"name": '"9mine"'}, '[pack]: name: "9mine" is not a pack name'),
        ({"name": f'"{"a" * 33}"'}, f'[pack]: name: "{"a" * 33}" is not a pack name'),
    ],
)
def test_bad_header(tmp_path, change, expected):
    message = problem(tmp_path, pack_text({**HEADER, **change}))
    assert message.startswith("mypack.toml: " + expected)


NEWT = "card 101 (Newt): "


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"id": None}, '[[card]] number 1: missing key "id"'),
        ({"id": "0"}, "[[card]] number 1: id: 0 is out of range (expected 1 to 127)"),
        ({"id": "128"}, "[[card]] number 1: id: 128 is out of range (expected 1 to 127)"),
        ({"id": '"7"'}, "[[card]] number 1: id: expected an integer, not a text"),
        ({"id": "1" * 30}, "[[card]] number 1: id: the number is out of range (expected 1 to 127)"),
        ({"id": "0x" + "f" * 9000}, "[[card]] number 1: id: the number is out of range"),
        ({"name": None}, 'card 101: missing key "name"'),
        ({"name": '""'}, "card 101: name: is empty"),
        ({"name": '"1-2"'}, 'card 101: name: "1-2" is not a name (expected at least one letter)'),
        ({"name": '"a\\u0000"'}, 'card 101: name: "a\\x00" has a character that cannot be printed'),
        ({"kind": None}, NEWT + 'missing key "kind"'),
        (
            {"kind": '"plant"'},
            NEWT + 'kind: "plant" is not a kind of card (expected one of animal, spirit)',
        ),
        ({"points": None}, NEWT + 'missing key "points"'),
        ({"pionts": "[1]"}, NEWT + 'unknown key "pionts" (did you mean "points"?)'),
        ({"points": "3"}, NEWT + "points: expected a list of integers, not an integer"),
        ({"points": "[]"}, NEWT + "points: 0 entries (expected 1 to 5)"),
        ({"points": "[1, 2, 3, 4, 5, 6]"}, NEWT + "points: 6 entries (expected 1 to 5)"),
        ({"points": "[1, 2.5]"}, NEWT + "points[1]: expected an integer, not a decimal number"),
        ({"points": "[true]"}, NEWT + "points[0]: expected an integer, not true or false"),
        ({"points": "[0, 4]"}, NEWT + "points[0]: 0 is out of range (expected 1 to 200)"),
        ({"points": "[4, 201]"}, NEWT + "points[1]: 201 is out of range (expected 1 to 200)"),
        ({"points": "[4, 4]"}, NEWT + "points: [4, 4] must grow from entry to entry"),
        ({"points": "[4, 9, 8]"}, NEWT + "points: [4, 9, 8] must grow from entry to entry"),
        ({"score": "{}"}, NEWT + "score: not allowed here: only a spirit has one"),
        ({"cube_on": None}, NEWT + 'missing key "cube_on"'),
        ({"cube_on": '"RR"'}, NEWT + 'cube_on: "RR" is not a stack (expected one of W, F, L, '),
        ({"others": None}, NEWT + 'missing key "others"'),
        ({"others": '"L"'}, NEWT + "others: expected a list, not a text"),
        ({"others": '["L"]'}, NEWT + "others[0]: expected a table, not a text"),
    ],
)
def test_bad_card(tmp_path, change, expected):
    message = problem(tmp_path, pack_text(HEADER, {**ANIMAL, **change}))
    assert message.startswith("mypack.toml: " + expected)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (
            '{ at = [0, 1], stack = "TX" }',
            'stack: "TX" is not a stack (expected one of W, F, L, TL, TTL, M, MM, MMM, T, TT, R, '
            "BLD)",
        ),
        ('{ at = [0, 1], stack = "w" }', 'stack: "w" is not a stack'),
        ("{ at = [0, 1], stack = 3 }", "stack: expected a text, not an integer"),
        ('{ stack = "W" }', None),
        ('{ at = [0, 1], stack = "W", top = 1 }', None),
        ('{ at = [0], stack = "W" }', "at: 1 entries (expected 2)"),
        ('{ at = [0, 1, 2], stack = "W" }', "at: 3 entries (expected 2)"),
        ('{ at = "b3", stack = "W" }', "at: expected a list of integers, not a text"),
        ('{ at = [0, 0], stack = "W" }', "at: [0, 0] is the cube's own cell"),
        ('{ at = [4, -2], stack = "W" }', "at[0]: 4 is out of range (expected -3 to 3)"),
        ('{ at = [2, 2], stack = "W" }', "at: [2, 2] is more than 3 cells away from the cube"),
        ('{ at = [-2, -2], stack = "W" }', "at: [-2, -2] is more than 3 cells away from the cube"),
        ('{ at = [1, 0], stack = "W" }', "at: [1, 0] is the same cell as others[0]"),
    ],
)
def test_bad_habitat(tmp_path, cell, expected):
    others = f'[{{ at = [1, 0], stack = "L" }}, {cell}]'
    message = problem(tmp_path, pack_text(HEADER, {**ANIMAL, "others": others}))
    place = f"mypack.toml: {NEWT}others[1]"
    if expected is not None:
        assert message.startswith(f"{place}.{expected}")
    elif "top" in cell:
        assert message == place + ': unknown key "top" (expected at, stack)'
    else:
        assert message == place + ': missing key "at"'


def test_too_many_cells(tmp_path):
    cells = ", ".join(f'{{ at = [{q}, 1], stack = "W" }}' for q in range(-3, 4))
    message = problem(tmp_path, pack_text(HEADER, {**ANIMAL, "others": f"[{cells}]"}))
    assert message == f"mypack.toml: {NEWT}others: 7 cells (expected at most 6)"


HARE = "card 102 (Moon Hare): "


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"score": None}, 'missing key "score"'),
        ({"score": "4"}, "score: expected a table, not an integer"),
        ({"points": "[4]"}, "points: not allowed here: a spirit has a score instead"),
        ({"cubes": "2"}, 'unknown key "cubes" (did you mean "cube_on"?)'),
        ({"score": '{ by = "groups", of = "F" }'}, 'score: missing key "points"'),
        (
            {"score": '{ by = "group", of = "F", points = [1] }'},
            'score.by: "group" is not a way of scoring (expected one of groups, count)',
        ),
        (
            {"score": '{ by = "groups", of = "L", points = [1] }'},
            'score.of: "L" is not a thing to score (expected one of F, W, BLD, tree, mountain)',
        ),
        (
            {"score": '{ by = "groups", of = "F", points = [0, 0] }'},
            "score.points: expected at least one value above 0",
        ),
        (
            {"score": '{ by = "groups", of = "F", points = [-1] }'},
            "score.points[0]: -1 is out of range (expected 0 to 200)",
        ),
        (
            {"score": '{ by = "groups", of = "F", points = [] }'},
            "score.points: 0 entries (expected 1 to 25)",
        ),
        (
            {"score": '{ by = "count", of = "W", points = [1, 2] }'},
            "score.points: 2 entries (expected 1)",
        ),
        (
            {"score": '{ by = "count", of = "tree", points = [1, 2] }'},
            "score.points: 2 entries (expected 3)",
        ),
    ],
)
def test_bad_spirit(tmp_path, change, expected):
    message = problem(tmp_path, pack_text(HEADER, {**SPIRIT, **change}))
    assert message == f"mypack.toml: {HARE}{expected}"


def test_two_cards_with_one_id(tmp_path):
    text = pack_text(HEADER, ANIMAL, {**SPIRIT, "id": "101"})
    message = problem(tmp_path, text)
    assert message == "mypack.toml: card 101 (Moon Hare): id: also used by Newt"


def test_two_cards_with_one_name(tmp_path):
    text = pack_text(HEADER, SPIRIT, {**ANIMAL, "name": '"moon-hare"'})
    message = problem(tmp_path, text)
    assert message == "mypack.toml: card 101 (moon-hare): name: also used by card 102"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'missing key "pack"'),
        ("pack = 3", "[pack]: expected a table, not an integer"),
        ("[pack]\n" + table(HEADER), 'missing key "card"'),
        ("card = []\n[pack]\n" + table(HEADER), "card: expected at least one [[card]] table"),
        ("card = 1\n[pack]\n" + table(HEADER), "card: expected at least one [[card]] table"),
        (
            "card = [7]\n[pack]\n" + table(HEADER),
            "[[card]] number 1: expected a table, not an integer",
        ),
        ("[cards]\n" + pack_text(), 'unknown key "cards" (did you mean "card"?)'),
        ("x = " + "[" * 100_000, "not valid TOML: nested too deeply"),
        (b"a = 1\nb = '\xff'", "not UTF-8 text (at line 2)"),
    ],
)
def test_bad_file(tmp_path, text, expected):
    assert problem(tmp_path, text) == "mypack.toml: " + expected


def test_toml_error_names_the_line(tmp_path):
    message = problem(tmp_path, "[pack]\nname = \n")
    assert message.startswith("mypack.toml: not valid TOML: ")
    assert "line 2" in message


def test_integer_that_python_refuses(tmp_path):
    assert problem(tmp_path, "x = " + "1" * 5000).startswith("mypack.toml: not valid TOML: ")


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "missing.toml"
    with pytest.raises(PackError) as caught:
        load_pack(missing)
    assert str(caught.value) == f"{missing}: no such file"
    with pytest.raises(PackError) as caught:
        load_pack(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder, expected a file"
    with pytest.raises(PackError, match="cannot be read"):
        load_pack("a\0b")
    with pytest.raises(PackError, match="is larger than 1 MB"):
        load(tmp_path, b"#" * 1_000_001)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_pipe_is_refused_rather_than_waited_for(tmp_path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(PackError) as caught:
        load_pack(pipe)
    assert str(caught.value) == f"{pipe}: is a pipe or device, expected a file"


def test_pack_errors_are_harmonies_errors_and_value_errors():
    assert issubclass(PackError, HarmoniesError)
    assert issubclass(HarmoniesError, ValueError)


@given(st.binary(max_size=200))
def test_nothing_but_a_pack_error(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(data)
    with pytest.raises(PackError):
        load_pack(file)


toml_values = st.recursive(
    st.sampled_from(["1", "-1", "2.5", "true", '"W"', '"animal"', '"spirit"', "1979-05-27"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(
            st.sampled_from(["at", "stack", "by", "of", "points"]), inner, max_size=3
        ).map(lambda d: "{" + ", ".join(f"{k} = {v}" for k, v in d.items()) + "}")
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted({*ANIMAL, *SPIRIT})), toml_values, st.sampled_from([ANIMAL, SPIRIT]))
def test_any_value_in_any_place(tmp_path_factory, key, value, card):
    file = tmp_path_factory.getbasetemp() / "value.toml"
    file.write_text(pack_text(HEADER, {**card, key: value}), encoding="utf-8")
    try:
        pack = load_pack(file)
    except PackError as error:
        assert str(error).isprintable()
    else:
        assert pack.name == "mine"
        assert replace(pack, cards=()) == Pack("mine", "My pack", "0.3", False, True, ())
