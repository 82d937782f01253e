"""Texts of positions, turns and seeds (docs/notation.md), and positions as Python values."""

import copy
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harmonies_core import (
    Action,
    Dealer,
    HarmoniesError,
    NotationError,
    Position,
    PositionError,
    Rules,
    Turn,
)  # fmt: skip

HERE = Path(__file__).parent
START = "2A 5/4/5/4/5|- 5/4/5/4/5|- WMT,LFR,WMT,LFR,WMT 1,2,3,4,5 1 1 -"


def lines(name):
    text = (HERE / "notation" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


VALID = [line for line in lines("valid.hfen") if line]
INVALID = [tuple(line.split("\t")) for line in lines("invalid.txt")]


def test_there_are_examples():
    assert len(VALID) >= 25
    assert len(INVALID) >= 45
    assert all(len(pair) == 2 for pair in INVALID)


@pytest.mark.parametrize("text", VALID)
def test_valid(text):
    position = Position.from_hfen(text)
    assert position.hfen() == text
    assert str(position) == text


@pytest.mark.parametrize(("text", "fragment"), INVALID)
def test_invalid(text, fragment):
    with pytest.raises(PositionError) as caught:
        Position.from_hfen(text)
    message = str(caught.value)
    assert message.startswith(fragment)
    assert "\n" not in message
    assert len(message) < 300


@pytest.mark.parametrize("example", sorted((HERE.parent / "examples").glob("*.hfen")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_examples(example):
    for line in example.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            # The seed of a dealer is no part of the position.
            assert Position.from_hfen(line).hfen() == line.partition(" seed:")[0]


@pytest.mark.parametrize(
    "text",
    ["x" * 2**20, START + " " * 2**20, (START + " ") * 20000, "2A " + "5/" * 2**19,
     START.replace(" 1 1 ", "\r\n1 1 "), START.replace(" ", "\r\n"), START.replace(" ", "\u00a0"),
     START.replace(" ", "\t"), START + "\0", "\ufeff" + START, START.replace("W", "\u0174"),
     START + " seed:" + "9" * 5000, "\ud800", "\n", " ", f"{START}\n{START}"],
    ids=range(16),
)  # fmt: skip
def test_hostile_texts(text):
    with pytest.raises(PositionError) as caught:
        Position.from_hfen(text)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [None, 7, START.encode(), [START], object()])
def test_only_text_is_read(value):
    with pytest.raises(PositionError):
        Position.from_hfen(value)


@given(st.text(max_size=80))
def test_any_text_gives_a_clean_error(text):
    for read in (Position.from_hfen, Turn, Action):
        try:
            read(text)
        except HarmoniesError as error:
            assert "\n" not in str(error)


@given(st.integers(0, len(START) - 1), st.characters(max_codepoint=127), st.booleans())
def test_one_changed_character(at, character, keep):
    text = START[:at] + character + START[at + (not keep) :]
    try:
        position = Position.from_hfen(text)
    except PositionError:
        return
    assert Position.from_hfen(position.hfen()) == position


@pytest.mark.parametrize(("accepted", "printed"), [
    (START.replace("WMT", "TWM"), START),
    (START + " bag:W20M20T18L17F17R13", START),
    (START + " unseen:" + ",".join(map(str, range(6, 33))), START),
    (START.replace("2A", "2A:base"), START),
    (START + " seed:7", START),
    ("2A 5/4/5/4/5|14,13,11 " + START.split(" ", 2)[2],
     "2A 5/4/5/4/5|11,13,14 " + START.split(" ", 2)[2]),
])  # fmt: skip
def test_accepted_besides_the_printed_form(accepted, printed):
    position = Position.from_hfen(accepted)
    assert position.hfen() == printed
    assert position == Position.from_hfen(printed)


def test_fields():
    position = Position.from_hfen(
        "2As W*mmM*rR^1tL/4/5/4/5|2,5x2,38x1 5/4/5/4/5|40 -,WMT,LFR,WFF,MTL 21,3,-,9,29 1 3 g1:WM+"
    )
    assert (position.seat, position.turn, position.phase) == (1, 3, "turn")
    assert position.stacks(1) == {"a1": "W", "a2": "MMM", "a3": "RR", "a5": "TL"}
    assert position.cubes(1) == {"a1": "animal", "a2": "animal", "a3": "spirit"}
    assert [(held.card.id, held.placed) for held in position.hand(1)] == [(2, 0), (5, 2), (38, 1)]
    assert position.centre == ("", "WMT", "LFR", "WFF", "MTL")
    assert position.row == (21, 3, None, 9, 29)
    assert (position.space, position.in_hand, position.card_taken) == (1, "WM", True)
    seen = {"W": 4, "M": 6, "T": 3, "L": 3, "F": 3, "R": 3}
    supply = {"W": 23, "M": 23, "T": 21, "L": 19, "F": 19, "R": 15}
    assert position.bag == {letter: supply[letter] - seen[letter] for letter in supply}
    assert position.unseen == set(range(1, 33)) - {2, 5, 21, 3, 9, 29}
    assert not position.between_turns


def random_position(players, side, spirits, packs, river, seed, steps):
    rng = random.Random(seed)
    rules = Rules(players, side, spirits=spirits, packs=packs, river=river)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    for _ in range(steps):
        if position.is_over():
            break
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
        else:
            actions = position.actions()
            cubes = [action for action in actions if action.kind == "cube"]
            position.push_action(rng.choice(cubes or actions))
    return position


POSITIONS = st.builds(
    random_position, st.integers(1, 4), st.sampled_from("AB"), st.booleans(),
    st.sampled_from([("base",), ("base", "pulse")]), st.sampled_from(["diameter", "loop"]),
    st.integers(0, 2**60 - 1), st.integers(0, 300),
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(POSITIONS)
def test_positions_as_values(position):
    text = position.hfen()
    twins = [
        Position.from_hfen(text), position.copy(), copy.copy(position), copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)), eval(repr(position), {"Position": Position}),
    ]  # fmt: skip
    for twin in twins:
        assert twin == position
        assert twin is not position
        assert hash(twin) == hash(position)
        assert twin.key() == position.key()
        assert twin.hfen() == text
        assert twin.rules == position.rules
        assert twin.scores() == position.scores()
        assert [*map(str, twin.actions())] == [*map(str, position.actions())]
    actions = position.actions()
    if actions:
        for twin in twins:
            twin.push_action(actions[-1])
            assert twin != position
        assert position.hfen() == text
    assert position != text


@pytest.mark.parametrize("text", [
    "end", "s34", "g2", "Wc3", "+17", "17@c3", "-17", "g2,Wc3,Md1,+17,Md1,17@d1", "g2,Wc3,",
    "g2,Wc3,Md1,+17,Md1,17@d1/FMT+21", "s34,g1,Ta1,La1,Wc3/FMT+8s33.41",
    "g3,Ma1,Mb1,Lc2,-9/FMT.FLL.WTR+12", "Wa1/", "127@g4",
])  # fmt: skip
def test_turn_texts(text):
    turn = Turn(text)
    assert str(turn) == text
    assert turn == Turn(turn) == pickle.loads(pickle.dumps(turn)) == eval(repr(turn))
    assert hash(turn) == hash(Turn(text))
    assert turn.open is text.endswith(",")
    assert turn.chance == (text.partition("/")[2] if "/" in text else None)
    assert str(turn.without_chance()) == text.partition("/")[0]
    for action in turn.actions:
        assert Action(str(action)) == action == pickle.loads(pickle.dumps(action))


def test_action_fields():
    found = [
        (a.kind, a.space, a.token, a.cell, a.card)
        for a in map(Action, ["s34", "g2", "Wc3", "+17", "17@c3", "-17", "end"])
    ]
    assert found == [
        ("spirit", None, None, None, 34), ("space", 2, None, None, None),
        ("place", None, "W", "c3", None), ("take", None, None, None, 17),
        ("cube", None, None, "c3", 17), ("discard", None, None, None, 17),
        ("end", None, None, None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [
    "", ",", "g", "g0", "g02", "G2", "Xc3", "wc3", "Wc0", "Wh1", "Wc6", "+0", "+128", "+", "17@",
    "@c3", "17@c9", "end,g1", "end,", "g1,,g2", "g1 ,g2", " g1", "g1\n", "g1/FM", "g1/FMTX",
    "g1,/FMT",
    "g1//", "g1/s33", "g1/s33.34.35", "g1/+", "\u0967@c3", "g\uff11", "g1,end,end", "x" * 2**20,
    ",".join(["g1"] * 100), "g1/" + "+7" * 1000,
], ids=range(36))  # fmt: skip
def test_wrong_turn_texts(text):
    with pytest.raises(NotationError) as caught:
        Turn(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 7, b"g1", ["g1"]])
def test_turns_are_text(value):
    with pytest.raises(NotationError):
        Turn(value)
    with pytest.raises(NotationError):
        Action(value)


# ---- seeds -----------------------------------------------------------------------------------

TABLE = [  # docs/notation.md, "How a seed deals"
    (0, "TLL WLF MTF WTL WWL", (12, 31, 4, 26, 11), (34, 36)),
    (1, "LLF LRR MLF WTF WFR", (32, 5, 28, 26, 11), (33, 40)),
    (2026, "TLR WFR WMR MLF WFR", (2, 7, 13, 12, 10), (35, 36)),
]


@pytest.mark.parametrize(("seed", "centre", "row", "pair"), TABLE)
def test_documented_seeds(seed, centre, row, pair):
    position = Position.start(2, "A", spirits=True, seed=seed)
    assert (" ".join(position.centre), position.row, position.pair) == (centre, row, pair)


def dealt(players, spirits, seed, choices):
    """What is dealt in order: tokens by groups, cards, pairs, however the players choose."""
    rng = random.Random(choices)
    rules = Rules(players, "A", spirits=spirits)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    groups, cards, pairs = list(position.centre), list(position.row), [position.pair]
    while not position.is_over():
        if position.phase != "chance":
            actions = position.actions()
            position.push_action(rng.choice(actions))
            continue
        main, _, pair = dealer.deal(position).partition("s")
        position.push_chance(main + ("s" + pair if pair else ""))
        tokens, *new = main.split("+")
        groups += [group for group in tokens.split(".") if group]
        cards += map(int, new)
        pairs += [pair] if pair else []
    return groups, cards, pairs


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("spirits", [False, True])
def test_the_deal_does_not_depend_on_choices(players, spirits):
    for seed in (0, 11):
        first = dealt(players, spirits, seed, 0)
        assert first == dealt(players, spirits, seed, 0)
        for choices in range(1, 6):
            for ours, theirs in zip(first, dealt(players, spirits, seed, choices), strict=True):
                n = min(len(ours), len(theirs))
                assert n
                assert ours[:n] == theirs[:n]


def test_dealer_copies_go_on_alike():
    dealer = Dealer(Rules(2), 5)
    position = dealer.start()
    position.push(position.turns()[7])
    twin = dealer.copy()
    text = position.hfen()
    assert dealer.deal(position) == twin.deal(position)
    assert position.hfen() == text
    # Dealt already: the dealer is not at this position's place any more.
    with pytest.raises(PositionError):
        dealer.deal(position)


@pytest.mark.parametrize("seed", [-1, 2**60, 1.0, "1", None, True])
def test_wrong_seeds(seed):
    with pytest.raises(PositionError, match=r"^seed: "):
        Dealer(Rules(2), seed)
    with pytest.raises(PositionError, match=r"^seed: "):
        Position.start(2, seed=seed)
