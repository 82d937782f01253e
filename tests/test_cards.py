"""The cards: the shipped packs and the catalogue."""

import json
import math
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmonies_core.cards import (
    BUILTIN_PACKS,
    Card,
    Catalogue,
    HabitatCell,
    Pack,
    SpiritScore,
    builtin_pack,
)
from harmonies_core.errors import NotationError, PackError

CARDS_JSON = Path(__file__).parent / "data" / "cards.json"

# Spirit points as printed in the rules, by id.
SPIRITS = {
    33: ("groups", "F", (2, 2, 10)),
    34: ("groups", "F", (5,)),
    35: ("count", "tree", (0, 4, 4)),
    36: ("count", "tree", (3, 3, 1)),
    37: ("groups", "BLD", (4,)),
    38: ("groups", "BLD", (0, 6)),
    39: ("count", "mountain", (0, 4, 4)),
    40: ("count", "mountain", (3, 3, 1)),
    41: ("groups", "W", (0, 7)),
    42: ("count", "W", (2,)),
}

PULSE = [
    (43, "Piranha", (6, 13), "W", {(-1, 1): "TTL", (-2, 1): "F"}),
    (44, "Axolotl", (7, 16), "W", {(-1, 0): "TL", (-1, 1): "MM"}),
    (45, "Robin", (4, 10, 17), "BLD", {(-1, 0): "M", (-1, 1): "L"}),
    (46, "Seagull", (5, 11), "BLD", {(-1, 1): "F", (-2, 1): "W"}),
    (47, "Tiger", (3, 10, 16), "L", {(-1, 1): "M", (-2, 1): "W"}),
    (48, "Chameleon", (4, 8, 15), "L", {(-1, 0): "W", (0, 1): "F"}),
    (49, "Camel", (4, 9, 16), "M", {(-1, 0): "BLD", (0, 1): "F"}),
    (50, "Yak", (7, 16), "MM", {(-1, 0): "F", (1, 0): "W"}),
    (51, "Panda", (5, 13), "F", {(-1, 0): "M", (-1, 1): "TTL"}),
    (52, "Beetle", (5, 12), "F", {(-1, 0): "M", (1, 0): "BLD"}),
]


# The shipped packs ---------------------------------------------------------------------------


def test_base_pack_equals_the_reference_table():
    reference = json.loads(CARDS_JSON.read_text(encoding="utf-8"))["cards"]
    pack = builtin_pack("base")
    assert [card.id for card in pack.cards] == [entry["id"] for entry in reference]
    assert len(pack.cards) == 42
    for card, entry in zip(pack.cards, reference, strict=True):
        assert card.name == entry["name"]
        assert card.kind == entry["kind"]
        assert card.points == tuple(entry.get("points", ()))
        assert card.cube_on == entry["cube_on"]
        cells = [HabitatCell(*cell["at"], cell["stack"]) for cell in entry["others"]]
        assert list(card.others) == cells


def test_base_pack_header():
    pack = builtin_pack("base")
    assert (pack.name, pack.verified, pack.mirrors) == ("base", True, False)
    assert {(card.pack, card.mirrors) for card in pack.cards} == {("base", False)}


def test_spirit_scores():
    spirits = {card.id: card for card in builtin_pack("base").cards if card.kind == "spirit"}
    assert {n: c.score for n, c in spirits.items()} == {
        n: SpiritScore(*score) for n, score in SPIRITS.items()
    }
    assert {card.cubes for card in spirits.values()} == {1}


def test_animals_have_a_cube_for_each_value_and_no_score():
    animals = [card for card in builtin_pack("base").cards if card.kind == "animal"]
    assert {card.score for card in animals} == {None}
    assert {card.name for card in animals if card.cubes == 5} == {"Frog", "Ladybug"}
    assert {card.cubes for card in animals} == {2, 3, 4, 5}


def test_pulse_pack_equals_the_rules():
    pack = builtin_pack("pulse")
    assert (pack.name, pack.verified, pack.mirrors) == ("pulse", False, True)
    found = [
        (c.id, c.name, c.points, c.cube_on, {(o.q, o.r): o.stack for o in c.others})
        for c in pack.cards
    ]
    assert found == PULSE
    assert {(c.kind, c.score, c.pack, c.mirrors) for c in pack.cards} == {
        ("animal", None, "pulse", True)
    }


def rotate(q: int, r: int) -> tuple[int, int]:
    """Turn by 60 degrees clockwise."""
    return -r, q + r


def mirror(q: int, r: int) -> tuple[int, int]:
    """Exchange left and right."""
    return -q, q + r


def plane(q: int, r: int) -> tuple[float, float]:
    """Centre of a flat-top hexagon, x to the right and y down."""
    return 1.5 * q, math.sqrt(3) * (r + q / 2)


@given(st.integers(-3, 3), st.integers(-3, 3))
def test_rotation_and_mirror_are_what_their_names_say(q, r):
    x, y = plane(q, r)
    assert plane(*mirror(q, r)) == pytest.approx((-x, y))
    sine, cosine = math.sin(math.pi / 3), math.cos(math.pi / 3)
    assert plane(*rotate(q, r)) == pytest.approx((cosine * x - sine * y, sine * x + cosine * y))


def orientations(cells: frozenset[tuple[int, int, str]]) -> set[frozenset[tuple[int, int, str]]]:
    found = set()
    for _ in range(6):
        cells = frozenset((*rotate(q, r), stack) for q, r, stack in cells)
        found.add(cells)
    return found


def is_chiral(card: Card) -> bool:
    cells = frozenset((o.q, o.r, o.stack) for o in card.others)
    mirrored = frozenset((*mirror(q, r), stack) for q, r, stack in cells)
    return orientations(cells) != orientations(mirrored)


@pytest.mark.parametrize("card", builtin_pack("base").cards, ids=lambda card: card.name)
def test_no_base_habitat_differs_from_its_mirror_image(card):
    assert not is_chiral(card)


def test_pulse_has_habitats_that_differ_from_their_mirror_image():
    chiral = {card.name for card in builtin_pack("pulse").cards if is_chiral(card)}
    assert chiral == {name for _, name, *_ in PULSE} - {"Yak", "Beetle"}


def test_builtin_packs_are_read_once():
    assert all(builtin_pack(name) is builtin_pack(name) for name in BUILTIN_PACKS)


def test_unknown_builtin_pack():
    with pytest.raises(PackError, match=r'^no card pack "spirit" comes with .*base, pulse\)$'):
        builtin_pack("spirit")


# The catalogue -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue([builtin_pack("pulse"), builtin_pack("base")])


def test_catalogue_contents(catalogue):
    assert catalogue.packs == ("base", "pulse")
    assert list(catalogue.cards) == list(range(1, 53))
    assert [c.id for c in catalogue.animals] == [*range(1, 33), *range(43, 53)]
    assert [c.id for c in catalogue.spirits] == list(range(33, 43))
    assert len(catalogue) == 52


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("17", 17),
        ("1", 1),
        ("52", 52),
        ("boar", 17),
        ("Boar", 17),
        ("BOAR", 17),
        ("Arctic Fox", 29),
        ("arctic-fox", 29),
        ("arctic_fox", 29),
        ("ArcticFox", 29),
        (" fennec  fox ", 23),
        ("piranha", 43),
    ],
)
def test_find(catalogue, text, number):
    assert catalogue.find(text) is catalogue.cards[number]


@pytest.mark.parametrize(
    "text", ["", " ", "0", "017", "53", "128", "-17", "+17", "1 7", "1-7", "17.0", "\u0661", "fox"]
)
def test_find_nothing(catalogue, text):
    with pytest.raises(NotationError):
        catalogue.find(text)


def test_find_suggests_what_comes_close(catalogue):
    with pytest.raises(NotationError) as caught:
        catalogue.find("artic fox")
    assert str(caught.value) == (
        'no card "artic fox" in the packs base, pulse; did you mean Arctic Fox?'
    )


@given(st.text(max_size=80))
def test_find_raises_nothing_else(text):
    catalogue = Catalogue([builtin_pack("base")])
    try:
        assert catalogue.find(text) in catalogue.cards.values()
    except NotationError as error:
        assert str(error).isprintable()


def test_catalogue_does_not_change(catalogue):
    with pytest.raises(AttributeError):
        catalogue.packs = ()
    with pytest.raises(AttributeError):
        del catalogue.cards
    with pytest.raises(TypeError):
        catalogue.cards[1] = catalogue.cards[2]
    with pytest.raises(FrozenInstanceError):
        catalogue.cards[1].points = (100,)


def test_catalogues_with_the_same_packs_are_equal(catalogue):
    same = Catalogue([builtin_pack("base"), builtin_pack("pulse")])
    assert catalogue == same
    assert hash(catalogue) == hash(same)
    assert catalogue != Catalogue([builtin_pack("base")])
    assert catalogue != "base pulse"


def test_catalogue_can_be_pickled(catalogue):
    assert pickle.loads(pickle.dumps(catalogue)) == catalogue


def test_catalogue_of_nothing():
    with pytest.raises(PackError, match=r"^a catalogue needs at least one card pack$"):
        Catalogue([])


def small_pack(name: str, card_id: int, card_name: str) -> Pack:
    card = Card(card_id, card_name, "animal", (1, 2), "W", (), None, name, False)
    return Pack(name, "Small", "1", False, False, (card,))


def test_packs_that_share_a_name():
    with pytest.raises(PackError, match=r'^two card packs are named "mine"$'):
        Catalogue([small_pack("mine", 60, "Newt"), small_pack("mine", 61, "Carp")])


def test_packs_that_share_an_id():
    with pytest.raises(PackError) as caught:
        Catalogue([builtin_pack("base"), small_pack("mine", 17, "Newt")])
    assert str(caught.value) == 'packs "base" and "mine" both have a card 17 (Boar and Newt)'


def test_packs_that_share_a_card_name():
    with pytest.raises(PackError) as caught:
        Catalogue([builtin_pack("base"), small_pack("mine", 60, "arctic-fox")])
    assert str(caught.value) == (
        'packs "base" and "mine" both have a card named arctic-fox (29 and 60)'
    )
