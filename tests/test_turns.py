"""All turns of a position against the oracle's walk through every order; canonical order."""

import itertools
import random

import pytest

from harmonies_core import Dealer, Position, Rules, StoppedError, Turn, perft
from oracle.game import OracleGame
from oracle.turns import all_turn_results

CENTRE = "WMT,TLL,FRW,LFR"


def core_key(position):
    """What oracle.turns.state_key says, read from the core."""
    seat = position.seat
    cubes = position.cubes(seat)
    return (
        frozenset(position.stacks(seat).items()),
        frozenset(cell for cell, kind in cubes.items() if kind == "animal"),
        frozenset(cell for cell, kind in cubes.items() if kind == "spirit"),
        frozenset((held.card.id, held.placed) for held in position.hand(seat)),
        tuple(group or "-" for group in position.centre),
        position.space,
        position.in_hand,
        position.row,
        position.card_taken,
        position.pair,
    )


def oracle_keys(game):
    # Which card was discarded is told by the row.
    return {(*key[:9], key[10]) for key in all_turn_results(game)}


def before_the_end(position, turn):
    """The position in which this turn has done everything but end."""
    after = position.copy()
    if str(turn) != "end":
        after.push(f"{turn},")
    return after


def reach(players, side, spirits, seed, empties, packs=("base",)):
    """Play at random in both until a turn begins with few empty cells, or the first turn."""
    rng = random.Random(seed)
    rules = Rules(players, side, spirits=spirits, packs=packs)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    game = OracleGame(
        players, side, spirits, packs=packs,
        centre=list(position.centre), row=list(position.row), pair=position.pair,
    )  # fmt: skip
    while not position.is_over():
        ready = position.phase == "turn" and position.between_turns
        if ready and position.empties(position.seat) <= empties:
            return position, game, rng
        if position.phase == "chance":
            row, centre, due = position.row, position.centre, position.pending()
            position.push_chance(dealer.deal(position))
            game.reveal(
                spaces=[new for old, new in zip(centre, position.centre, strict=True)
                        if not old and new],
                cards=[new for old, new in zip(row, position.row, strict=True)
                       if old is None and new is not None],
                pair=position.pair if due.pair else None,
            )  # fmt: skip
            continue
        actions = sorted(map(str, position.actions()))
        good = [action for action in actions if "@" in action] or [
            action for action in actions if action[0] == "+"
        ]
        action = rng.choice(good or actions)
        position.push_action(action)
        game.apply(action)
    return None


CASES = [
    (players, side, spirits, seed)
    for seed in range(4)
    for players, side, spirits in [
        (1, "A", False), (1, "B", True), (2, "A", True), (2, "B", False), (3, "A", False),
        (4, "B", True),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("players", "side", "spirits", "seed"), CASES)
def test_every_turn_once(players, side, spirits, seed):
    found = None
    for more in range(50):
        found = reach(players, side, spirits, seed + 1000 * more, 5 if players < 4 else 10)
        if found:
            break
    position, game, rng = found
    while len(position.turns()) > 1500:
        # Too many for the walk through every order: only the rest after a random action.
        actions = sorted(str(action) for action in position.actions() if action.kind != "end")
        spaces = [action for action in actions if action[0] == "g"]
        action = rng.choice(spaces or actions)
        position.push_action(action)
        game.apply(action)
    before = position.hfen()
    turns = position.turns()
    results = [core_key(before_the_end(position, turn)) for turn in turns]
    assert len(set(results)) == len(results) == len(turns)
    assert set(results) == oracle_keys(game)
    assert position.hfen() == before
    assert perft(position, 1) == len(turns)
    texts = set()
    for turn in turns:
        assert Turn(str(turn)) == turn
        texts.add(str(turn))
        assert position.canonical(turn) == turn
        ended = position.copy()
        ended.push(turn)
        assert ended.phase in ("chance", "over", "turn", "spirit")
        assert (ended.seat, ended.turn) != (position.seat, position.turn)
    assert len(texts) == len(turns)
    # Each walk of the oracle, in whatever order it went, is legal and has one canonical text.
    for key, actions in list(all_turn_results(game).items())[::17]:
        if not actions:
            continue
        ordered = position.canonical(",".join(actions))
        assert core_key(before_the_end(position, ordered)) == (*key[:9], key[10])
        assert sorted(map(str, ordered.actions)) == sorted(actions)


def test_first_turn_with_a_spirit_choice():
    # From mid-turn, because a whole first turn has too many ends for the oracle.
    position = Position.start(1, "A", spirits=True, seed=3)
    game = OracleGame(
        1, "A", True, centre=list(position.centre), row=list(position.row), pair=position.pair
    )
    turns = position.turns()
    assert {str(turn.actions[0]) for turn in turns} == {f"s{spirit}" for spirit in position.pair}
    for action in (f"s{position.pair[0]}", "g1", f"{position.centre[0][0]}c3"):
        position.push_action(action)
        game.apply(action)
    results = [core_key(before_the_end(position, turn)) for turn in position.turns()]
    assert len(results) == len(set(results))
    assert set(results) == oracle_keys(game)


def hand_made(player, first, row="6,7,8,9,14"):
    return Position.from_hfen(f"2A {player} 5/4/5/4/5|- {first},{CENTRE} {row} 1 2 -")


RAY = "W4/M3/5/4/5|2"
HEDGEHOG = "tLrR3/tL3/5/4/4rR*|10,11,12x1,13"

INTERLEAVED = [
    # Ray: W beside two M. The cube goes down before one of them grows.
    pytest.param(RAY, "MMM", "6,7,8,9,14", "g1,Ma2,2@a1,Ma2,Ma2", ["2@a1"], id="before-growth"),
    # Hedgehog: its last cube frees the slot for the fifth card.
    pytest.param(
        HEDGEHOG, "WWF", "1,2,3,4,5", "g1,Wc1,Wc2,Fc3,12@a2,+5", ["12@a2", "+5"], id="slot-freed"
    ),
    # Frog: W beside L, taken and built and settled in one turn.
    pytest.param(
        "5/4/5/4/5|-", "WLF", "1,2,3,4,5", "g1,Wa1,Lb1,Fe5,+5,5@a1", ["+5", "5@a1"],
        id="card-of-this-turn",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("player", "first", "row", "text", "special"), INTERLEAVED)
def test_interleavings(player, first, row, text, special):
    position = hand_made(player, first, row)
    key = core_key(before_the_end(position, text))
    position.push_action("g1")
    rest = text.removeprefix("g1,")
    same = [t for t in position.turns() if core_key(before_the_end(position, t)) == key]
    assert [str(turn) for turn in same] == [rest]
    assert set(special) <= set(map(str, same[0].actions))


KINDS = ["s", "g", "token", "+", "@", "-"]


def rank(action):
    """The ranking of docs/notation.md, "Turns"."""
    if "@" in action:
        card, _, cell = action.partition("@")
        return (KINDS.index("@"), int(card), cell)
    if action[0] in "WMTLFR":
        return (KINDS.index("token"), "WMTLFR".index(action[0]), action[1:])
    return (KINDS.index(action[0]), int(action[1:]), "")


def legal_orders(position, actions):
    """All legal orders, first one first under the ranking."""
    found = []
    for order in itertools.permutations(sorted(actions, key=rank)):
        after = position.copy()
        try:
            for action in order:
                after.push_action(action)
        except ValueError:
            continue
        text = ",".join(order)
        if text not in found:
            found.append(text)
    return found


@pytest.mark.parametrize(("player", "first", "row", "text", "special"), INTERLEAVED)
def test_canonical_is_the_first_legal_order(player, first, row, text, special):
    position = hand_made(player, first, row)
    orders = legal_orders(position, text.split(","))
    assert len(orders) > 1 or "Ma2" in orders[0]  # the Ray leaves no other order
    assert orders[0] == text
    assert {str(position.canonical(order)) for order in orders} == {text}
    ends = set()
    for order in orders:
        after = position.copy()
        after.push(order)
        ends.add(after.hfen())
    assert len(ends) == 1


def test_canonical_of_random_turns():
    rng = random.Random(5)
    checked = 0
    for seed in range(12):
        found = reach(2, "AB"[seed % 2], False, seed, 12)
        if found is None:
            continue
        position = found[0]
        position.push_action("g1")
        turns = position.turns()
        with_cubes = [turn for turn in turns if "@" in str(turn)] or list(turns[:5])
        for turn in rng.sample(with_cubes, min(3, len(with_cubes))):
            actions = [str(action) for action in turn.actions]
            if len(actions) > 6:
                continue
            orders = legal_orders(position, actions)
            assert orders[0] == str(turn)
            assert {str(position.canonical(order)) for order in orders} == {str(turn)}
            checked += 1
    assert checked > 10


def test_chance_and_openness_survive_canonical():
    position = hand_made("5/4/5/4/5|-", "WLF", "1,2,3,4,5")
    assert str(position.canonical("+5,g1,Fe5,Wa1,Lb1,")) == "g1,Wa1,Lb1,Fe5,+5,"
    assert str(position.canonical("g1,Fe5,Wa1,Lb1/WWW")) == "g1,Wa1,Lb1,Fe5/WWW"


def test_turns_is_a_sequence():
    position = Position.start(1, seed=4)
    position.push_action("g1")
    turns = position.turns()
    assert list(turns) == [turns[i] for i in range(len(turns))]
    assert turns[-1] == turns[len(turns) - 1]
    assert list(turns[2:5]) == [turns[2], turns[3], turns[4]]
    with pytest.raises(IndexError):
        turns[len(turns)]


def test_no_turns_when_it_is_not_a_players_move():
    position = Position.start(2, seed=4)
    position.push(
        "g1," + ",".join(f"{t}{c}1" for t, c in zip(position.centre[0], "ace", strict=True))
    )
    assert position.phase == "chance"
    assert len(position.turns()) == 0
    assert perft(position) == 0
    assert perft(position, 0) == 1


# One token to place, no card to take; then a turn with four or three empty cells.
SHORT = (
    "1A W*FFFF/FFFF/FFFFF/FFFF/F4|5x1 -,-,- -,-,- 1 3 g1:W bag:W3M3L3 unseen:",
    "1A WWWWW/WWWW/5/FFFF/FFFFF|- -,FFT,- -,-,- 1 3 g1:W bag:W3M3L3 unseen:",
)


@pytest.mark.parametrize("text", SHORT)
def test_perft_two_by_hand(text):
    position = Position.from_hfen(text)
    total = 0
    for turn in position.turns():
        after = position.copy()
        after.push(turn)
        if after.phase == "chance":
            after.push_chance(Dealer.for_position(position, 9).deal(after))
        total += len(after.turns())
    assert total
    assert perft(position, 2, 9) == total


def test_perft_can_be_stopped():
    position = Position.from_hfen(SHORT[0])
    asked = []

    def stop_at_the_third():
        asked.append(None)
        return len(asked) == 3

    with pytest.raises(StoppedError, match="perft was stopped"):
        perft(position, 2, stop=stop_at_the_third)
    assert len(asked) == 3
    assert perft(position, 2, stop=lambda: False) == perft(position, 2)


def test_perft_counts_one_token_by_hand():
    # One W and three empty cells, no cards: three turns.
    position = Position.from_hfen(
        "1A FFFFF/FFFF/FFFFF/FF2/LLLL1|- -,-,- -,-,- 1 3 g1:W bag:W3M3L3 unseen:"
    )
    assert [str(turn) for turn in sorted(position.turns(), key=str)] == ["Wd3", "Wd4", "We5"]
    assert perft(position) == 3
    # Two cells are left empty then, which ends the game.
    assert perft(position, 2) == 0
