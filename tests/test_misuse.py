"""What is not allowed raises the right error, names the rule, and changes nothing."""

import pytest

from harmonies_core import (
    Action,
    Dealer,
    HarmoniesError,
    IllegalActionError,
    NotationError,
    PackError,
    Position,
    PositionError,
    Rules,
    RulesError,
    Turn,
    perft,
)  # fmt: skip

EMPTY = "5/4/5/4/5|-"
CENTRE = "WMT,LFR,WWT,LLF,MMR"
START = f"2A {EMPTY} {EMPTY} {CENTRE} 1,2,3,4,5 1 2 -"
BUSY = f"2A WF*mmM1tR/4/5/4/5|10,16x1 {EMPTY} {CENTRE} 1,2,3,4,5 1 2 -"
FULL = f"2A 5/4/5/4/5|10,11,12,13 {EMPTY} {CENTRE} 1,2,3,4,5 1 2 -"
DONE = f"2A tR*tR*3/4/5/4/5|10,12x2 {EMPTY} {CENTRE} 1,2,3,4,5 1 2 -"
SPIRITS = f"2As {EMPTY} {EMPTY} {CENTRE} 1,2,3,4,5 1 1 s33.41"
SPIRIT_DONE = f"2As W^4/4/5/4/5|33x1 5/4/5/4/5|34 {CENTRE} 1,2,3,4,5 1 2 -"
SOLO = f"1A {EMPTY} WMT,LFR,- 1,2,3 1 2 - bag:W9M9T9L9F9R9"
DEAL = f"2A {EMPTY} {EMPTY} -,LFR,WWT,LLF,MMR -,2,3,4,5 1 2 deal"
OVER = "1A 5/4/5/4/5|- -,-,- -,-,- 1 5 over bag:"

ILLEGAL = [
    (START, "end", "three tokens"),
    (START, "g1,end", "three tokens"),
    (START, "g1,Wa1,Ma2,end", "three tokens"),
    (START, "g1,La1", "hand"),
    (START, "g1,Wa1,Wa2", "hand"),
    (START, "Wa1", "no space has been taken"),
    (START, "g1,g2", "space 1 has been taken"),
    (START, "g1,g1", "space 1 has been taken"),
    (START, "g1,Wf1", "f1 is not a cell of side A"),
    (START, "g1,Wg4", "g4 is not a cell of side A"),
    (START, "g1,Wa1,Ma1", "a1 holds W"),
    (START, "g1,Ma1,Ta1", "a1 holds M"),
    (START, "g4,La1,La1", "a1 holds L"),
    (START, "g6", "no space 6"),
    (START, "+6", "card 6 is not in the row"),
    (START, "+33", "card 33 is not in the row"),
    (START, "+1,+2", "a card has been taken"),
    (START, "+1,+1", "a card has been taken"),
    (START, "1@a1", "card 1 is not held"),
    (START, "+1,1@a1", "habitat of card 1"),
    (START, "-1", "solo"),
    (START, "g1,Wa1,Ma2,Ta3,-1", "solo"),
    (START, "s33", "no spirit is to be chosen"),
    (START, "g1,Wa1,Ma2,Ta3,Wa4", "hand"),
    (BUSY, "g1,Ma2", "a2 carries a cube"),
    (BUSY, "g1,Ma3", "a3 holds MMM"),
    (BUSY, "g1,Ta5", "a5 holds TR"),
    (BUSY, "g2,Ra3", "a3 holds MMM"),
    (BUSY, "16@a2", "a2 carries a cube"),
    (BUSY, "10@c3", "habitat of card 10"),
    (BUSY, "10@g4", "g4 is not a cell"),
    (FULL, "+1", "4 uncompleted cards"),
    (DONE, "12@a3", "card 12 has no cube left"),
    (SPIRIT_DONE, "33@a2", "card 33 has no cube left"),
    (SPIRIT_DONE, "s34", "no spirit is to be chosen"),
    (SPIRITS, "g1", "a spirit is chosen first"),
    (SPIRITS, "+1", "a spirit is chosen first"),
    (SPIRITS, "end", "a spirit is chosen first"),
    (SPIRITS, "s34", "spirit 34 is not offered"),
    (SPIRITS, "s33,s41", "no spirit is to be chosen"),
    (SOLO, "g3", "space 3 is empty"),
    (SOLO, "g4", "no space 4"),
    (SOLO, "-1", "three tokens"),
    (SOLO, "g1,-1", "three tokens"),
    (SOLO, "g1,Wa1,Ma2,Ta3,-9", "card 9 is not in the row"),
    (SOLO, "+1,g1,Wa1,Ma2,Ta3,-2", "a card has been taken"),
    (SOLO, "g1,Wa1,Ma2,Ta3,-2,+1", "last action"),
    (SOLO, "g1,Wa1,Ma2,Ta3,-2,-1", "last action"),
    (DEAL, "g2", "deal"),
    (DEAL, "end", "deal"),
    (OVER, "g1", "over"),
    (OVER, "end", "over"),
]


@pytest.mark.parametrize(("text", "turn", "rule"), ILLEGAL)
def test_illegal_turns(text, turn, rule):
    position = Position.from_hfen(text)
    before = position.hfen()
    key = position.key()
    for play in (position.push, position.canonical, lambda t: position.push(Turn(t))):
        with pytest.raises(IllegalActionError) as caught:
            play(turn)
        assert rule in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (position.hfen(), position.key()) == (before, key)
    # The same action by action: the last one fails and changes nothing.
    *first, last = turn.split(",")
    for action in first:
        position.push_action(action)
    between = position.hfen()
    assert last not in map(str, position.actions())
    with pytest.raises(IllegalActionError) as caught:
        position.push_action(last)
    assert rule in str(caught.value)
    assert position.hfen() == between


@pytest.mark.parametrize("turn", [
    "", "garbage", "g1,", "g1,,Wa1", "G1", "g1,Xa1", "Wz9", "end,end", "g1;Wa1", "g1 Wa1",
    "x" * 10**6,
    "g1,Wa1/", "g1/ABC", "\u2603", "g1,Wa1,Ma2,Ta3/WMT+6+", None, 3, b"g1", ["g1"],
], ids=range(19))  # fmt: skip
def test_garbage(turn):
    position = Position.from_hfen(START)
    if turn in ("g1,", "g1,Wa1/"):  # well-formed; the first is a beginning, the second too early
        if turn.endswith("/"):
            with pytest.raises(HarmoniesError):
                position.copy().push(turn + "WMT")
        return
    for play in (position.push, position.canonical, position.push_action):
        with pytest.raises(NotationError):
            play(turn)
        assert position.hfen() == START


FINISHED = "g1,Wa1,Ma2,Ta3"


@pytest.mark.parametrize(("text", "chance"), [
    (DEAL, "WMT"), (DEAL, "+6"), (DEAL, ""), (DEAL, "WMT.WMT+6"), (DEAL, "WMT+6+7"),
    (DEAL, "WMT+2"), (DEAL, "WMT+33"), (DEAL, "WMT+43"), (DEAL, "WMT+6s33.34"),
    (START, "WMT"), (OVER, "WMT"), (SPIRITS, "s34.35"), (START, ""),
])  # fmt: skip
def test_wrong_chance(text, chance):
    position = Position.from_hfen(text)
    before = position.hfen()
    with pytest.raises(IllegalActionError):
        position.push_chance(chance)
    assert position.hfen() == before


@pytest.mark.parametrize("chance", ["WM+6", "XYZ", "WMT+", "WMT +6", "wmt+6", None, 5, "W" * 10**6])
def test_garbage_chance(chance):
    position = Position.from_hfen(DEAL)
    with pytest.raises(NotationError):
        position.push_chance(chance)
    assert position.hfen() == DEAL


@pytest.mark.parametrize("ending", ["/WMT.WMT", "/WMT+6", "/+6", "/", "/WMTs33.34"])
def test_chance_after_a_turn_is_all_or_nothing(ending):
    position = Position.from_hfen(START)
    with pytest.raises(IllegalActionError):
        position.push(FINISHED + ending)
    assert position.hfen() == START
    position.push(FINISHED + "/LLF")
    assert (position.seat, position.phase, position.centre[0]) == (2, "turn", "LLF")


def test_chance_before_the_turn_is_over():
    position = Position.from_hfen(START)
    with pytest.raises(IllegalActionError):
        position.push("g1,Wa1/LLF")
    assert position.hfen() == START


def test_tokens_that_the_bag_does_not_have():
    text = "1A 5/4/5/4/5|- -,-,- 1,2,3 1 2 deal bag:W2M4F4"
    position = Position.from_hfen(text)
    for chance in ("WWW.MMM.FFF", "WMM.WMM.WFF", "RMM.FFF.WWM"):
        with pytest.raises(IllegalActionError, match="bag"):
            position.push_chance(chance)
        assert position.hfen() == text
    position.push_chance("WMM.WMM.FFF")
    assert position.bag == {"W": 0, "M": 0, "T": 0, "L": 0, "F": 1, "R": 0}


@pytest.mark.parametrize("pair", ["33.33", "33.41", "7.34", "34.43", "34.99"])
def test_wrong_spirit_pairs(pair):
    position = Position.from_hfen(SPIRITS)
    position.push("s33," + FINISHED)
    before = position.hfen()
    if pair == "33.41":
        pair = "33.42"  # 41 was put away, but only the record knows; 33 is kept in sight
    with pytest.raises(IllegalActionError):
        position.push_chance("WMTs" + pair)
    assert position.hfen() == before
    position.push_chance("WMTs34.35")
    assert position.pair == (34, 35)


@pytest.mark.parametrize("more", [
    {"players": 0}, {"players": 5}, {"players": "2"}, {"players": 2.0}, {"players": True},
    {"side": "C"}, {"side": "a"}, {"side": ""}, {"river": "long"}, {"packs": ()},
])  # fmt: skip
def test_wrong_rules(more):
    with pytest.raises(RulesError):
        Rules(**{"players": 2, "side": "A"} | more)
    with pytest.raises(RulesError):
        Position.start(**{"players": 2, "side": "A"} | more)


def test_unknown_packs():
    with pytest.raises((PackError, RulesError), match="moon"):
        Rules(2, packs=("base", "moon"))
    with pytest.raises((PackError, RulesError)):
        Rules(2, packs=("base", "base"))


@pytest.mark.parametrize("seat", [0, 3, -1, "1", None, 1.0, 2**70])
def test_wrong_seats(seat):
    position = Position.from_hfen(START)
    for ask in (position.stacks, position.cubes, position.hand, position.empties, position.score):
        with pytest.raises(PositionError):
            ask(seat)


@pytest.mark.parametrize("card", [0, -1, 43, 128, 2**70, "5", None])
def test_wrong_cards(card):
    with pytest.raises(PositionError):
        Position.from_hfen(START).cube_cells(card)


@pytest.mark.parametrize("cell", ["", "a0", "a6", "b5", "f1", "A1", "a", "a11"])
def test_neighbours_of_no_cell(cell):
    with pytest.raises(ValueError, match=r"."):
        Rules(2, "A").neighbours(cell)


@pytest.mark.parametrize("depth", [-1, 10, 1.5, "1", None, True])
def test_wrong_depth(depth):
    with pytest.raises(PositionError, match=r"^depth"):
        perft(Position.from_hfen(START), depth)


def test_wrong_positions_for_a_dealer():
    dealer = Dealer(Rules(2), 1)
    dealer.start()
    with pytest.raises(PositionError):
        dealer.deal(Position.from_hfen(START))
    with pytest.raises(PositionError):
        dealer.deal(Position.from_hfen(DEAL))
    with pytest.raises(PositionError, match="rules"):
        dealer.deal(Position.from_hfen("1A 5/4/5/4/5|- -,-,- 1,2,3 1 2 deal bag:W2M4F4"))


def test_positions_are_not_made_directly():
    with pytest.raises(TypeError):
        Position()


def test_values_do_not_change():
    action = Action("g1")
    with pytest.raises(AttributeError):
        action.code = 5
    turn = Turn("g1")
    for name in ("codes", "chance", "open"):
        with pytest.raises(AttributeError):
            setattr(turn, name, None)
    position = Position.from_hfen(START)
    position.bag["W"] = 0
    position.stacks(1)["a1"] = "W"
    position.cubes(1)["a1"] = "animal"
    position.actions().clear()
    assert position.hfen() == START
    score = position.score(1)
    with pytest.raises(AttributeError):
        score.trees = 5
