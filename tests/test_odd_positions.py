"""Positions at the edge of what can occur: read back when they can, refused when they cannot."""

import pytest

from harmonies_core import Dealer, Position, PositionError, Rules

FULL = (
    "3Bl:base+pulse TLLF/F1R/FmRW1/RTW/TW1mR/WLL*/LMFM|32,46,47x1,51 "
    "1F*TmM/mRLF*/RMLtL/tRML/1F2/TmMM/FW2|19,27,30,31x2 "
)


def test_a_solo_turn_that_fills_the_board_reads_back():
    text = (
        "1A ttLmRFRT/LFTW/TWFML/MWWW/FMmRFF|1,10,12,27 WWM,WML,- 15,25,31 1 9 g3 "
        "bag:W6M7T6L6F7R7 unseen:2,3,4,5,6,8,9,13,14,16,17,18,19,20,21,23,24,26,28,29,32"
    )
    assert Position.from_hfen(text).hfen() == text


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_position_of_a_game_reads_back_in_mid_turn(players):
    for seed in range(4):
        dealer = Dealer(Rules(players, "AB"[seed % 2], spirits=seed > 1), seed)
        position = dealer.start()
        while not position.is_over():
            if position.phase == "chance":
                position.push_chance(dealer.deal(position))
            for number in range(99):
                if position.phase not in ("turn", "spirit"):
                    break
                actions = position.actions()
                position.push_action(
                    actions[(7 * number + 3 * seed + position.turn) % len(actions)]
                )
                assert Position.from_hfen(position.hfen()) == position


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        (
            "tLFRL/FTW/M*TWW/MWM*/RWFW/LFM*/MWWR|4,9,12,26x3 TTL,-,WLF,TLL,WMT "
            "52,43,45,14,23 3 8 g2:W",
            "player 3: 0 empty cells for 1 tokens in hand",
        ),
        (
            "tLFRL/FTW/M*TWW/MWM*/R1FW/L1L/MWWR|4,9,12,26x2 TTL,WWM,-,TLL,WMT "
            "52,43,45,14,23 2 8 g3",
            "player 3 had 2 empty cells at the end of a round",
        ),
    ],
)
def test_a_game_that_should_have_ended_is_refused(rest, reason):
    with pytest.raises(PositionError, match=reason):
        Position.from_hfen(FULL + rest)


def test_objects_made_behind_the_back_do_not_crash():
    position = Position.__new__(Position)
    with pytest.raises(AttributeError):
        position.hfen()
    with pytest.raises(AttributeError):
        position.scores()


@pytest.mark.parametrize("packs", ["é", [b"g1"], [1], 3, None, ()])
def test_packs_of_the_wrong_kind(packs):
    with pytest.raises(ValueError, match="pack"):
        Rules(packs=packs)


def test_spirits_is_a_truth_value():
    with pytest.raises(ValueError, match="spirits"):
        Rules(spirits="yes")
