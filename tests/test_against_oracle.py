"""Whole random games through the core and the oracle, compared after every action."""

import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harmonies_core import Dealer, Position, Rules
from oracle.game import OracleGame


def core_state(position):
    """The position in the oracle's words."""
    seats = range(1, position.rules.players + 1)
    return {
        "boards": [position.stacks(seat) for seat in seats],
        "animal_cubes": [
            {cell for cell, kind in position.cubes(seat).items() if kind == "animal"}
            for seat in seats
        ],
        "spirit_cubes": [
            {cell for cell, kind in position.cubes(seat).items() if kind == "spirit"}
            for seat in seats
        ],
        "hands": [{held.card.id: held.placed for held in position.hand(seat)} for seat in seats],
        "centre": [tokens or "-" for tokens in position.centre],
        "row": list(position.row),
        "bag": dict(position.bag),
        "unseen": set(position.unseen),
        "seat": position.seat,
        "turn": position.turn,
        "phase": position.phase,
        "in_hand": position.in_hand,
        "taken": position.space,
        "card_taken": position.card_taken,
        "pair": position.pair,
    }


def assert_same(position, game):
    theirs = game.state()
    ours = core_state(position)
    for name, value in ours.items():
        expected = theirs[name]
        if name == "bag":
            expected = {letter: expected.get(letter, 0) for letter in "WMTLFR"}
        elif name in ("boards", "hands"):
            expected = [dict(item) for item in expected]
        elif name in ("animal_cubes", "spirit_cubes"):
            expected = [set(item) for item in expected]
        elif name == "pair" and expected is not None:
            expected = tuple(sorted(expected))
        elif name in ("row", "centre"):
            expected = list(expected)
        assert value == expected, name
    legal = {str(action) for action in position.actions()}
    assert legal == (game.legal_actions() if position.phase in ("turn", "spirit") else set())


def assert_same_scores(position, game):
    for ours, theirs in zip(position.scores(), game.scores(), strict=True):
        assert ours.as_dict() == {name: theirs[name] for name in ours.as_dict()}
    for card in position.rules.catalogue.cards:
        assert set(position.cube_cells(card)) == game.cube_cells(card)


def play_both(players, side, spirits, packs, river, seed, rng):
    """Play a random game through both; return the number of turns."""
    rules = Rules(players, side, spirits=spirits, packs=packs, river=river)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    game = OracleGame(
        players, side, spirits, packs=packs, river=river,
        centre=list(position.centre), row=list(position.row), pair=position.pair,
    )  # fmt: skip
    turns = 0
    eager = rng.random()
    while not position.is_over():
        assert_same(position, game)
        while position.phase in ("turn", "spirit"):
            actions = sorted(str(action) for action in position.actions())
            gains = [action for action in actions if "@" in action]
            action = rng.choice(gains if gains and rng.random() < eager else actions)
            position.push_action(action)
            game.apply(action)
            assert_same(position, game)
        turns += 1
        assert_same_scores(position, game)
        again = Position.from_hfen(position.hfen())
        assert again == position
        assert again.hfen() == position.hfen()
        if position.phase == "chance":
            due, owed = position.pending(), game.chance()
            assert (due.spaces, due.cards, due.pair) == (
                owed["spaces"], owed["cards"], bool(owed["pair"]),
            )  # fmt: skip
            before_row, before_centre = position.row, position.centre
            position.push_chance(dealer.deal(position))
            game.reveal(
                spaces=[
                    new for old, new in zip(before_centre, position.centre, strict=True)
                    if not old and new
                ],
                cards=[
                    new for old, new in zip(before_row, position.row, strict=True)
                    if old is None and new is not None
                ],
                pair=position.pair if due.pair else None,
            )  # fmt: skip
    assert_same(position, game)
    assert_same_scores(position, game)
    assert list(position.result().ranks) == list(game.ranks())
    if players == 1:
        assert position.result().suns == game.suns()
    return turns


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # Shrinking whole games takes minutes and says little: the failing action is known anyway.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    players=st.integers(1, 4),
    side=st.sampled_from("AB"),
    spirits=st.booleans(),
    packs=st.sampled_from([("base",), ("base", "pulse")]),
    river=st.sampled_from(["diameter", "loop"]),
    seed=st.integers(0, 2**60 - 1),
    rng=st.randoms(use_true_random=False),
)
def test_random_games(players, side, spirits, packs, river, seed, rng):
    turns = play_both(players, side, spirits, packs, river, seed, rng)
    # RULES: at most 18 / 12 / 9 turns each, 14 in solo mode.
    assert turns <= {1: 14, 2: 36, 3: 36, 4: 36}[players]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("side", ["A", "B"])
def test_every_configuration(players, side):
    for number, (spirits, packs) in enumerate(
        (spirits, packs) for spirits in (False, True) for packs in (("base",), ("base", "pulse"))
    ):
        play_both(players, side, spirits, packs, "diameter", number, random.Random(number))
