"""The learned value function: what it sees, and what has to come out of it whatever it learned."""

import pytest
from walk import walk

from harmonies_core import Dealer, Position, Rules
from harmonies_core.search.beam import judgements
from harmonies_core.search.searcher import evaluate
from harmonies_core.values.features import active_features
from harmonies_core.values.weights import default_weights
from oracle.cards import CARDS
from oracle.geometry import all_cells
from oracle.patterns import cube_cells
from oracle.stacks import can_place

CONFIGURATIONS = [
    Rules(players, side, spirits=spirits)
    for players in (1, 2, 3, 4)
    for side in "AB"
    for spirits in (False, True)
]


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=str)
def test_a_token_changes_the_value_as_a_new_look_does(rules: Rules) -> None:
    weights = default_weights()
    for seed in range(6):
        position = walk(rules, seed, rules.players * (2 + 2 * seed))
        pairs = judgements(position, weights)
        assert pairs
        for fast, slow in pairs:
            assert fast == slow  # whole numbers add up to the same in any order


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=str)
def test_features_name_every_occupied_cell_once(rules: Rules) -> None:
    position = walk(rules, 5, rules.players * 6)
    for seat in range(1, rules.players + 1):
        features = active_features(position, seat)
        kinds = [feature for feature in features if feature < 12 * 8]
        assert len(kinds) == len(position.stacks(seat))
        assert len(features) < 288


LACK = 1749  # 5 steps of the next cube's points x 6 colours, then how many colours


def completing(position: Position, seat: int) -> list[tuple[int, str]]:
    """Step of the next cube's points, and colour: every single token that completes a habitat."""
    side, stacks, cubes = position.rules.side, position.stacks(seat), position.cubes(seat)
    found = []
    for held in position.hand(seat):
        card = CARDS[held.card.id]
        if card.kind == "spirit" or held.complete:
            continue
        worth = (0, *card.points)
        increment = worth[held.placed + 1] - worth[held.placed]
        step = sum(increment > bound for bound in (3, 5, 7, 9))
        now = cube_cells(card, side, stacks, cubes)
        for colour in "WMTLFR":
            if any(
                cube_cells(card, side, {**stacks, cell: stacks.get(cell, "") + colour}, cubes) - now
                for cell in all_cells(side)
                if cell not in cubes and can_place(stacks.get(cell, ""), colour)
            ):
                found.append((step, colour))
    return found


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=str)
def test_tokens_that_complete_a_habitat(rules: Rules) -> None:
    for seed in range(8):
        position = walk(rules, seed, rules.players * (2 + 2 * seed))
        for seat in range(1, rules.players + 1):
            wanted = completing(position, seat)
            features = [f - LACK for f in active_features(position, seat) if f >= LACK]
            *single, together = sorted(features)
            assert single == sorted(step * 6 + "WMTLFR".index(colour) for step, colour in wanted)
            assert together - 30 == len({colour for _, colour in wanted})


def mirrored(cell: str) -> str:
    """A cell of side A turned over left to right: a and e, b and d change places."""
    return "edcba"["abcde".index(cell[0])] + cell[1:]


def test_a_mirror_changes_no_value() -> None:
    """Side A is symmetric, and none of the base cards tells left from right."""
    for seed in range(12):
        dealer = Dealer(Rules(), seed)
        plain = dealer.start()
        turned = plain.copy()
        for step in range(12):
            while plain.phase == "turn":
                actions = plain.actions()
                # Cubes change the cell too; a fixed rule picks among what is legal.
                action = actions[(seed * 7 + step * 5 + len(actions)) % len(actions)]
                plain.push_action(action)
                text = str(action)
                if action.cell is not None:
                    text = text.replace(action.cell, mirrored(action.cell))
                turned.push_action(text)
            if plain.is_over():
                break
            refill = dealer.deal(plain)
            plain.push_chance(refill)
            turned.push_chance(refill)
        one, other = evaluate(plain), evaluate(turned)
        assert one == pytest.approx(other, abs=1)


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=str)
def test_a_finished_game_is_worth_its_points(rules: Rules) -> None:
    dealer = Dealer(rules, 3)
    position = dealer.start()
    while not position.is_over():
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
        else:
            position.push(position.turns()[0])
    assert position.is_over()
    assert evaluate(position) == tuple(100 * score.total for score in position.scores())


def test_values_are_of_the_size_of_scores() -> None:
    """Nobody expects less than nothing or more than the best game on record."""
    for seed in range(20):
        position = walk(Rules(), seed, seed)
        for value in evaluate(position):
            assert 0 <= value < 20000


def test_seat_out_of_range() -> None:
    with pytest.raises(ValueError, match="seat: 3 is not a number from 1 to 2"):
        active_features(Position.start(), 3)
