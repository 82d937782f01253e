"""The dealer against a second implementation of docs/notation.md, "How a seed deals"."""

import pytest

from harmonies_core import Dealer, Rules
from oracle.dealing import shuffled, splitmix


def test_splitmix_against_its_published_first_numbers():
    # Reference output for the state 1234567, as tabulated by Vigna's test vectors.
    numbers = splitmix(1234567)
    assert [next(numbers) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("seed", [0, 1, 7, 2026, 2**60 - 1])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_deal_of_a_seed(seed, players):
    bag = shuffled("W" * 23 + "M" * 23 + "T" * 21 + "L" * 19 + "F" * 19 + "R" * 15, seed, 0)
    deck = shuffled(range(1, 33), seed, 1)
    spirits = shuffled(range(33, 43), seed, 2)
    dealer = Dealer(Rules(players, spirits=True), seed)
    position = dealer.start()
    spaces = 3 if players == 1 else 5
    groups = [
        "".join(sorted(bag[3 * i : 3 * i + 3], key="WMTLFR".index)) for i in range(spaces + 1)
    ]
    assert list(position.centre) == groups[:spaces]
    assert list(position.row) == deck[:spaces]
    assert position.pair == tuple(sorted(spirits[:2]))
    position.push(position.turns()[0])
    dealt = dealer.deal(position)
    assert dealt.startswith(groups[spaces])
    if players > 1:
        assert dealt.endswith("s{}.{}".format(*sorted(spirits[2:4])))
