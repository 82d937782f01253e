"""The independent rules implementation in ``oracle`` against the data and the rules text.

Every expected value comes from a file in ``data`` or is derived by hand from the rules.
"""

import json
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from oracle import patterns, results, scoring, stacks
from oracle.cards import CARDS, PACKS, SPIRITS, animals_of
from oracle.game import IllegalAction, OracleGame
from oracle.geometry import all_cells, from_axial, groups, neighbours, to_axial
from oracle.positions import arrange, move_on_to
from oracle.rivers import river_length, river_points
from oracle.tokens import TOKEN_COUNTS
from oracle.turns import all_turn_results

DATA = Path(__file__).parent / "data"


def load(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


VECTORS = load("score_vectors.json")
BOARDS = load("boards.json")["boards"]
FINALS = load("finals.json")["games"]
MIDGAME = load("midgame.json")["positions"]
LANDSCAPES = ("trees", "mountains", "fields", "buildings", "water")

CENTRE = ["WMT", "LFR", "WMT", "LFR", "WMT"]
ROW = [1, 2, 3, 4, 5]


# ---- helpers -----------------------------------------------------------------------------------


def new_game(players=2, side="A", spirits=False, centre=None, row=None, pair=None, **more):
    size = 3 if players == 1 else 5
    centre = CENTRE[:size] if centre is None else centre
    row = ROW[:size] if row is None else row
    return OracleGame(players, side, spirits, centre=centre, row=row, pair=pair, **more)


def deal(game, rng=None):
    """Reveal whatever is due: the first of everything, or a random choice."""
    due = game.chance()
    bag = list("".join(token * count for token, count in game.bag.items()))
    deck = sorted(game.unseen)
    spirits = sorted(SPIRITS - game.seen_spirits)
    if rng is not None:
        for pile in (bag, deck, spirits):
            rng.shuffle(pile)
    tokens = "".join(bag[: 3 * due["spaces"]])
    game.reveal(
        spaces=[tokens[i : i + 3] for i in range(0, len(tokens), 3)],
        cards=deck[: due["cards"]],
        pair=tuple(spirits[:2]) if due["pair"] else None,
    )


def play(game, *actions):
    for action in actions:
        game.apply(action)


def first_space(game):
    return min(action for action in game.legal_actions() if action.startswith("g"))


def lay_on_empty_cells(game):
    """Take a space and put its tokens on three empty cells."""
    game.apply(first_space(game))
    empty = [cell for cell in all_cells(game.side) if cell not in game.player.cells]
    for token, cell in zip(game.in_hand, empty, strict=False):
        game.apply(token + cell)


def short_turn(game):
    """The shortest turn there is; ends it and leaves the dealing to the caller."""
    if game.phase == "spirit":
        game.apply(min(game.legal_actions()))
    lay_on_empty_cells(game)
    game.apply("end")


def board_with_empty_cells(side, empty):
    """Water and mountains, one token to a cell, all but the last cells covered."""
    cells = all_cells(side)[: len(all_cells(side)) - empty]
    return {cell: "WM"[index % 2] for index, cell in enumerate(cells)}


def takes_of_cards(game):
    return {action for action in game.legal_actions() if action.startswith("+")}


def cubes_of(game):
    return {action for action in game.legal_actions() if "@" in action}


# ---- geometry ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "count", "last"), [("A", 23, "e5"), ("B", 25, "g4")])
def test_cells(side, count, last):
    cells = all_cells(side)
    assert len(cells) == len(set(cells)) == count
    assert cells[-1] == last


@pytest.mark.parametrize("case", VECTORS["neighbours"], ids=lambda case: case["at"])
def test_neighbours(case):
    assert sorted(neighbours(case["at"], case["side"])) == case["expected"]


def test_neighbours_are_in_the_order_of_the_loop_walk():
    # c is an even column, b an odd one (half a cell lower): N, NW, SW, S, SE, NE.
    assert neighbours("c3", "A") == ["c2", "b2", "b3", "c4", "d3", "d2"]
    assert neighbours("b2", "A") == ["b1", "a2", "a3", "b3", "c3", "c2"]


@pytest.mark.parametrize("side", ["A", "B"])
def test_neighbourhood_is_mutual_and_axial(side):
    for cell in all_cells(side):
        q, r = to_axial(cell)
        assert from_axial(q, r, side) == cell
        around = {
            from_axial(q + i, r + j, side)
            for i, j in [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
        }
        assert set(neighbours(cell, side)) == around - {None}
        assert all(cell in neighbours(other, side) for other in neighbours(cell, side))


def test_groups():
    assert sorted(map(sorted, groups({"a1", "b1", "c3", "e5"}, "A"))) == [
        ["a1", "b1"],
        ["c3"],
        ["e5"],
    ]


# ---- stacks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case", VECTORS["stacking"], ids=lambda case: f"{case['stack']}+{case['place']}"
)
def test_stacking(case):
    assert stacks.can_place(case["stack"], case["place"]) is case["legal"]


def test_the_fourteen_legal_stacks():
    reached = {""}
    for _ in range(4):
        reached |= {
            stack + token
            for stack in reached
            for token in TOKEN_COUNTS
            if stacks.can_place(stack, token)
        }
    assert reached - {""} == {
        *("W", "F", "L", "TL", "TTL", "M", "MM", "MMM"),
        *("T", "TT", "R", "RR", "TR", "MR"),
    }


def test_kinds_of_stacks():
    assert {s for s in stacks.LEGAL_STACKS if stacks.is_building(s)} == {"TR", "MR", "RR"}
    assert {s for s in stacks.LEGAL_STACKS if stacks.tree_height(s)} == {"L", "TL", "TTL"}
    assert {s for s in stacks.LEGAL_STACKS if stacks.mountain_height(s)} == {"M", "MM", "MMM"}


# ---- cards and habitats ------------------------------------------------------------------------


@pytest.mark.parametrize("case", VECTORS["patterns"], ids=lambda case: case["category"])
def test_patterns(case):
    if case["category"] == "stack_matches":
        stack = case["cells"][case["at"]]
        assert stacks.stack_matches(stack, case["required"]) is case["expected"]
    else:
        cells = patterns.cube_cells(case["card"], case["side"], case["cells"])
        assert sorted(cells) == case["expected"]


def test_the_card_table():
    assert len(CARDS) == 52
    assert animals_of(("base",)) == set(range(1, 33))
    assert animals_of(("base", "pulse")) == set(range(1, 33)) | set(range(43, 53))
    assert set(range(33, 43)) == SPIRITS
    assert all(CARDS[spirit].cubes == 1 for spirit in SPIRITS)
    assert CARDS[5].cubes == 5  # Frog 2/4/6/10/15


def test_the_pulse_table():
    assert [(card.id, card.name, card.points) for card in PACKS["pulse"]] == [
        (43, "Piranha", (6, 13)),
        (44, "Axolotl", (7, 16)),
        (45, "Robin", (4, 10, 17)),
        (46, "Seagull", (5, 11)),
        (47, "Tiger", (3, 10, 16)),
        (48, "Chameleon", (4, 8, 15)),
        (49, "Camel", (4, 9, 16)),
        (50, "Yak", (7, 16)),
        (51, "Panda", (5, 13)),
        (52, "Beetle", (5, 12)),
    ]


@pytest.mark.parametrize(
    ("card", "cells"),
    [
        # From c3 (-1, 0) is b2, (-1, 1) b3, (-2, 1) a3, (0, 1) c4, (1, 0) d3.
        (43, {"c3": "W", "b3": "TTL", "a3": "F"}),
        (44, {"c3": "W", "b2": "TL", "b3": "MM"}),
        (45, {"c3": "MR", "b2": "M", "b3": "L"}),
        (46, {"c3": "TR", "b3": "F", "a3": "W"}),
        (47, {"c3": "L", "b3": "M", "a3": "W"}),
        (48, {"c3": "L", "b2": "W", "c4": "F"}),
        (49, {"c3": "M", "b2": "RR", "c4": "F"}),
        (50, {"c3": "MM", "b2": "F", "d3": "W"}),
        (51, {"c3": "F", "b2": "M", "b3": "TTL"}),
        (52, {"c3": "F", "b2": "M", "d3": "TR"}),
    ],
)
def test_pulse_habitats(card, cells):
    assert patterns.cube_cells(card, "A", cells) == {"c3"}
    for cell in cells:
        assert patterns.cube_cells(card, "A", cells | {cell: "T"}) == set()


@pytest.mark.parametrize("card", PACKS["base"], ids=lambda card: card.name)
def test_no_base_habitat_is_chiral(card):
    with_mirrors = replace(card, mirrors=True)
    assert patterns.orientations(card) == patterns.orientations(with_mirrors)


def test_both_mirror_images_of_a_pulse_habitat_count():
    # Piranha from c3: TTL to the south-west on b3, then a field one turn to either side.
    printed = {"c3": "W", "b3": "TTL", "a3": "F"}
    mirror = {"c3": "W", "b3": "TTL", "b4": "F"}
    straight = {"c3": "W", "b3": "TTL", "a4": "F"}
    assert patterns.cube_cells(43, "A", printed) == {"c3"}
    assert patterns.cube_cells(43, "A", mirror) == {"c3"}
    assert patterns.cube_cells(43, "A", straight) == set()
    one_handed = replace(CARDS[43], mirrors=False)
    assert patterns.cube_cells(one_handed, "A", printed) == {"c3"}
    assert patterns.cube_cells(one_handed, "A", mirror) == set()


def test_only_the_cube_cell_must_be_free_of_cubes():
    cells = {"a1": "W", "b1": "L", "a2": "W"}  # Frog: W beside L
    assert patterns.cube_cells(5, "A", cells) == {"a1", "a2"}
    assert patterns.cube_cells(5, "A", cells, {"a1", "b1"}) == {"a2"}


def test_habitats_want_exact_stacks():
    assert patterns.cube_cells(26, "A", {"a1": "M", "a2": "F"}) == {"a1"}  # Meerkat: M beside F
    assert patterns.cube_cells(26, "A", {"a1": "MM", "a2": "F"}) == set()
    assert patterns.cube_cells(17, "A", {"a1": "TL", "a2": "R"}) == set()  # Boar: TL beside BLD
    for building in ("TR", "MR", "RR"):
        assert patterns.cube_cells(17, "A", {"a1": "TL", "a2": building}) == {"a1"}


# ---- scoring: the data -------------------------------------------------------------------------


@pytest.mark.parametrize("case", VECTORS["score"], ids=lambda case: case["category"])
def test_score_vectors(case):
    side, cells, category = case["side"], case["cells"], case["category"]
    expected = case["expected"]
    if category == "building_colours_ok":
        assert scoring.building_has_three_colours(case["at"], side, cells) is expected
    elif category.startswith("spirit"):
        assert scoring.spirit_points(int(category[6:]), side, cells) == expected
    elif category == "all":
        points = scoring.landscape(side, cells)
        assert points | {"landscapes_total": sum(points.values())} == expected
    else:
        assert scoring.landscape(side, cells)[category] == expected
    if "expected_loop" in case:
        assert scoring.landscape(side, cells, "loop")[category] == case["expected_loop"]


@pytest.mark.parametrize("case", VECTORS["rivers"], ids=lambda case: "".join(case["blue"]))
def test_rivers(case):
    assert river_length(case["blue"], "A") == case["length"]
    cells = dict.fromkeys(case["blue"], "W")
    assert scoring.landscape("A", cells)["water"] == case["points"]
    assert scoring.landscape("A", cells, "loop")["water"] == case["points_loop_mode"]


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_boards(board):
    side, cells = board["side"], board["cells"]
    assert scoring.landscape(side, cells) == {name: board[name] for name in LANDSCAPES}
    for spirit, points in board["spirits"].items():
        assert scoring.spirit_points(int(spirit), side, cells) == points
    found = {str(card.id): sorted(patterns.cube_cells(card, side, cells)) for card in PACKS["base"]}
    assert {card: where for card, where in found.items() if where} == board["cube_cells"]
    if side == "A":
        assert scoring.landscape(side, cells, "loop")["water"] == board["water_loop_mode"]


@pytest.mark.parametrize(
    ("game", "player"),
    [
        pytest.param(game, player, id=f"{game['game']}-{player['player']}")
        for game in FINALS
        for player in game["players"]
    ],
)
def test_finals(game, player):
    spirit = player["spirit"]
    hand = {card["id"]: card["placed"] for card in [*player["animal_cards"], spirit]}
    scores = scoring.board_scores(game["side"], player["cells"], hand, player["cube_cells"])
    assert scores == player["expected"] | {"cubes": sum(hand.values())}
    for card in player["animal_cards"]:
        assert scoring.animal_points(card["id"], card["placed"]) == card["points"]
    assert scoring.spirit_points(spirit["id"], game["side"], player["cells"]) == spirit["points"]


@pytest.mark.parametrize("position", MIDGAME, ids=lambda position: position["position"])
def test_midgame(position):
    pair = tuple(position["players"][0]["spirit_choices"]) or None
    game = new_game(
        side=position["side"],
        spirits=True,
        centre=position["central"],
        row=position["row"],
        pair=pair,
    )
    for seat, player in enumerate(position["players"], start=1):
        hand = {
            card["id"]: CARDS[card["id"]].cubes - card["remaining"]
            for card in [*player["active"], *player["done"]]
        }
        on_spirit = sum(hand[card] for card in hand if card in SPIRITS)
        cubes = player["cube_cells"]  # which of them is the spirit's is not recorded
        arrange(game, seat, player["cells"], hand, cubes[on_spirit:], cubes[:on_spirit])
        assert game.players[seat - 1].empty_cells(game.side) == player["empty_cells"]
        assert sorted(game.players[seat - 1].uncompleted()) == sorted(
            card["id"] for card in player["active"]
        )
        scores = dict(game.scores()[seat - 1])
        assert scores.pop("cubes") == len(cubes)
        assert scores == player["score_if_ended_now"]
    assert game.bag == position["bag_plus_hand"]
    assert sum(game.bag.values()) == position["bag_left_total"]
    assert game.phase == ("spirit" if pair else "turn")


# ---- scoring: the rules text -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "points"),
    [(0, 0), (1, 0), (2, 2), (3, 5), (4, 8), (5, 11), (6, 15), (7, 19), (8, 23), (12, 39)],
)
def test_river_points(length, points):
    assert river_points(length) == points


def test_an_empty_board():
    assert scoring.landscape("A", {}) == dict.fromkeys(LANDSCAPES, 0)
    assert scoring.landscape("B", {}) == dict.fromkeys(LANDSCAPES, 0) | {"water": 5}


def test_a_corner_cut_off_by_water_is_an_island():
    assert scoring.landscape("B", {"a2": "W", "b1": "W"})["water"] == 10
    flooded = dict.fromkeys(all_cells("B"), "W")
    assert scoring.landscape("B", flooded)["water"] == 0


def test_mountains_need_a_mountain_beside_them():
    assert scoring.landscape("A", {"a1": "MMM", "a2": "MR"})["mountains"] == 0
    assert scoring.landscape("A", {"a1": "MMM", "a2": "M"})["mountains"] == 8


def test_building_colours():
    # c3 touches c2, b2, b3, c4, d3, d2. Its own tokens and empty cells do not count.
    around = {"c3": "TR", "c2": "R", "b2": "RR"}
    assert scoring.landscape("A", around | {"b3": "L"})["buildings"] == 0
    assert scoring.landscape("A", around | {"b3": "L", "c4": "TL"})["buildings"] == 0
    assert scoring.landscape("A", around | {"b3": "L", "c4": "TT"})["buildings"] == 5
    assert scoring.landscape("A", around | {"c3": "R", "b3": "L", "c4": "TT"})["buildings"] == 0


@pytest.mark.parametrize(
    ("spirit", "cells", "points"),
    [
        (33, {"a1": "F", "c1": "F", "c2": "F", "e1": "F", "e2": "F", "e3": "F"}, 2 + 2 + 10),
        (34, {"a1": "F", "c1": "F", "c2": "F", "e1": "F", "e2": "F", "e3": "F"}, 15),
        (35, {"a1": "L", "a2": "TL", "a3": "TTL", "a4": "TT", "a5": "T"}, 8),
        (36, {"a1": "L", "a2": "TL", "a3": "TTL", "a4": "TT", "a5": "T"}, 7),
        (37, {"a1": "TR", "a2": "MR", "a3": "R", "a4": "RR"}, 8),
        (38, {"a1": "TR", "a2": "MR", "a3": "R", "a4": "RR"}, 6),
        (39, {"a1": "M", "c1": "MM", "e1": "MMM", "e3": "MR"}, 8),
        (40, {"a1": "M", "c1": "MM", "e1": "MMM", "e3": "MR"}, 7),
        (41, {"a1": "W", "c1": "W", "c2": "W"}, 7),
        (42, {"a1": "W", "c1": "W", "c2": "W"}, 6),
    ],
)
def test_spirits(spirit, cells, points):
    assert scoring.spirit_points(spirit, "A", cells) == points


def test_cards_score_placed_cubes_and_spirits_only_with_their_cube():
    cells = {"a1": "W", "b1": "L"}
    points = scoring.board_scores("A", cells, {5: 1, 4: 0, 42: 0}, {"a1"})
    assert points["animals"] == 2
    assert points["spirit"] == 0
    assert points["cubes"] == 1
    points = scoring.board_scores("A", cells, {5: 0, 42: 1}, {"a1"})
    assert points["animals"] == 0
    assert points["spirit"] == 2
    assert points["total"] == 1 + 2  # the L and the spirit


# ---- set-up ------------------------------------------------------------------------------------


def test_a_new_game():
    state = new_game().state()
    assert state["centre"] == CENTRE
    assert state["row"] == ROW
    assert state["bag"] == {"W": 20, "M": 20, "T": 18, "L": 17, "F": 17, "R": 13}
    assert state["unseen"] == set(range(6, 33))
    assert (state["seat"], state["turn"], state["phase"]) == (1, 1, "turn")
    assert (state["in_hand"], state["taken"], state["card_taken"]) == ("", None, False)
    assert state["pair"] is None
    assert state["boards"] == [{}, {}]
    assert state["hands"] == [{}, {}]


def test_central_spaces_are_sorted():
    assert new_game(centre=["TMW", "RFL", "WWM", "LTM", "FRF"]).centre == [
        "WMT",
        "LFR",
        "WWM",
        "MTL",
        "FFR",
    ]


def test_the_first_actions():
    assert new_game().legal_actions() == {
        "g1",
        "g2",
        "g3",
        "g4",
        "g5",
        "+1",
        "+2",
        "+3",
        "+4",
        "+5",
    }
    assert new_game(players=1).legal_actions() == {"g1", "g2", "g3", "+1", "+2", "+3"}


def test_pulse_cards_are_in_the_deck_only_with_their_pack():
    with pytest.raises(ValueError, match="row"):
        new_game(row=[1, 2, 3, 4, 43])
    game = new_game(row=[1, 2, 3, 4, 43], packs=("base", "pulse"))
    assert game.unseen == set(range(5, 33)) | set(range(44, 53))


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"side": "C"},
        {"centre": CENTRE[:4]},
        {"centre": ["WM", *CENTRE[1:]]},
        {"centre": ["XXX", *CENTRE[1:]]},
        {"row": [1, 1, 2, 3, 4]},
        {"row": [1, 2, 3, 4]},
        {"row": [1, 2, 3, 4, 33]},
        {"pair": (33, 34)},
        {"spirits": True, "pair": (33, 33)},
        {"spirits": True, "pair": (1, 33)},
    ],
    ids=str,
)
def test_impossible_games(wrong):
    with pytest.raises(ValueError, match=r"."):
        new_game(**wrong)


# ---- a turn ------------------------------------------------------------------------------------


def test_taking_and_placing_tokens():
    game = new_game(centre=["WTT", *CENTRE[1:]])
    game.apply("g1")
    assert game.state()["centre"][0] == "-"
    assert (game.taken, game.in_hand) == (1, "WTT")
    anywhere = {token + cell for token in "WT" for cell in all_cells("A")}
    cards = {"+1", "+2", "+3", "+4", "+5"}
    assert game.legal_actions() == anywhere | cards
    game.apply("Tc3")
    assert game.in_hand == "WT"
    assert game.legal_actions() == (anywhere | cards) - {"Wc3"}
    game.apply("Tc3")
    assert game.in_hand == "W"
    assert "end" not in game.legal_actions()
    game.apply("Wa1")
    assert game.legal_actions() == cards | {"end"}
    assert game.state()["boards"][0] == {"c3": "TT", "a1": "W"}
    assert game.taken == 1


def test_the_card_may_come_at_any_time_but_once():
    game = new_game()
    game.apply("+3")
    assert game.row == [1, 2, None, 4, 5]
    assert game.players[0].hand == {3: 0}
    assert game.card_taken
    assert game.legal_actions() == {"g1", "g2", "g3", "g4", "g5"}
    lay_on_empty_cells(game)
    assert game.legal_actions() == {"end"}
    game.apply("end")
    assert game.chance() == {"spaces": 1, "cards": 1, "pair": False}
    assert game.row == [1, 2, None, 4, 5]


def test_four_uncompleted_cards_are_the_limit():
    game = new_game()
    arrange(game, 1, {}, {10: 0, 11: 0, 12: 0})
    assert takes_of_cards(game) == {"+1", "+2", "+3", "+4", "+5"}
    game = new_game()
    arrange(game, 1, {}, {10: 0, 11: 0, 12: 0, 13: 0})
    assert takes_of_cards(game) == set()


def test_completed_cards_do_not_count():
    game = new_game()  # Hedgehog 12 has two cubes
    arrange(game, 1, {"a1": "TR", "b1": "TR"}, {10: 0, 11: 0, 12: 2, 13: 0}, {"a1", "b1"})
    assert takes_of_cards(game) == {"+1", "+2", "+3", "+4", "+5"}


def test_a_card_completed_this_turn_has_freed_its_slot():
    game = new_game()  # Hedgehog: a building between two TL; one of its two cubes is left
    cells = {"e5": "RR", "a1": "TL", "a2": "RR", "b1": "TL"}
    arrange(game, 1, cells, {10: 0, 11: 0, 12: 1, 13: 0}, {"e5"})
    assert takes_of_cards(game) == set()
    play(game, "12@a2")
    assert takes_of_cards(game) == {"+1", "+2", "+3", "+4", "+5"}
    assert game.players[0].hand[12] == 2
    play(game, "+5")
    assert takes_of_cards(game) == set()


def test_the_spirit_counts_as_a_card_until_its_cube_lies():
    # Ram 39: MMM beside MM.
    game = new_game(spirits=True)
    cells = {"a1": "MMM", "a2": "MM"}
    arrange(game, 1, cells, {10: 0, 11: 0, 12: 0, 39: 0})
    assert game.phase == "turn"
    assert takes_of_cards(game) == set()
    play(game, "39@a1")
    assert takes_of_cards(game) == {"+1", "+2", "+3", "+4", "+5"}
    state = game.state()
    assert state["spirit_cubes"] == [{"a1"}, set()]
    assert state["animal_cubes"] == [set(), set()]
    assert state["hands"][0] == {10: 0, 11: 0, 12: 0, 39: 1}
    assert "39@a1" not in game.legal_actions()


def test_a_cube_before_its_habitat_is_built_over():
    # Ray 2: W between two M. The cube stays when one M grows.
    game = new_game(centre=["MMM", *CENTRE[1:]], row=[10, 11, 12, 13, 14])
    arrange(game, 1, {"a1": "W", "b1": "M"}, {2: 0})
    assert cubes_of(game) == set()
    play(game, "g1", "Ma2")
    assert cubes_of(game) == {"2@a1"}
    before = game.copy()
    play(game, "2@a1", "Ma2", "Ma2")
    assert game.players[0].cells["a2"] == "MMM"
    assert game.players[0].animal_cubes == {"a1"}
    assert game.scores()[0]["animals"] == 4
    play(before, "Ma2", "Ma2")
    assert cubes_of(before) == set()


def test_cubes_come_before_the_space_and_use_any_card_again():
    game = new_game(row=[10, 11, 12, 13, 14])
    arrange(game, 1, {"a1": "W", "b1": "L", "a2": "W"}, {5: 0})
    assert cubes_of(game) == {"5@a1", "5@a2"}
    play(game, "5@a2", "5@a1")
    assert game.players[0].hand == {5: 2}
    assert game.scores()[0]["animals"] == 4
    assert cubes_of(game) == set()
    assert game.cube_cells(5) == set()


def test_nothing_goes_on_a_cell_with_a_cube():
    # Meerkat 26: M beside F.
    game = new_game(centre=["MMR", *CENTRE[1:]], row=[10, 11, 12, 13, 14])
    arrange(game, 1, {"a1": "M", "a2": "F"}, {26: 0})
    play(game, "g1")
    assert {"Ma1", "Ra1"} <= game.legal_actions()
    play(game, "26@a1")
    assert not {"Ma1", "Ra1"} & game.legal_actions()


def test_cube_cells_asks_about_cards_not_held():
    game = new_game()
    arrange(game, 1, {"a1": "W", "b1": "L"})
    assert game.cube_cells(5) == {"a1"}
    assert cubes_of(game) == set()


@pytest.mark.parametrize(
    "action",
    ["", "x", "end", "g6", "g0", "G1", "Wa1", "+6", "-1", "5@a1", "s33", "g1 ", "+", "@", "s"],
)
def test_illegal_actions_change_nothing(action):
    game = new_game()
    before = game.state()
    with pytest.raises(IllegalAction):
        game.apply(action)
    assert game.state() == before


def test_copies_are_independent():
    game = new_game()
    arrange(game, 1, {"a1": "W", "b1": "L"}, {10: 0})
    before = game.state()
    twin = game.copy()
    play(twin, "+5", "5@a1", "g1", "We1", "Me2", "Te3", "end")
    deal(twin)
    assert game.state() == before


# ---- spirits -----------------------------------------------------------------------------------


def test_the_spirit_choice_is_forced_first_and_leaves_the_card_action():
    game = new_game(spirits=True, pair=(41, 33))
    assert game.phase == "spirit"
    assert game.state()["pair"] == (33, 41)
    assert game.legal_actions() == {"s33", "s41"}
    play(game, "s41")
    state = game.state()
    assert (state["phase"], state["pair"]) == ("turn", None)
    assert state["hands"] == [{41: 0}, {}]
    assert takes_of_cards(game) == {"+1", "+2", "+3", "+4", "+5"}
    assert not any(action.startswith("s") for action in game.legal_actions())


def test_each_seat_gets_its_pair_before_its_first_turn():
    game = new_game(players=3, spirits=True, pair=(33, 41))
    short_turn(game)
    assert game.phase == "chance"
    assert game.legal_actions() == set()
    assert game.chance() == {"spaces": 1, "cards": 0, "pair": True}
    with pytest.raises(IllegalAction):
        game.reveal(spaces=["WWW"], pair=(33, 34))  # 33 was dealt
    with pytest.raises(IllegalAction):
        game.reveal(spaces=["WWW"])
    game.reveal(spaces=["WWW"], pair=(34, 38))
    assert (game.seat, game.phase, game.pair) == (2, "spirit", (34, 38))
    short_turn(game)
    game.reveal(spaces=["MMM"], pair=(35, 36))
    short_turn(game)
    assert game.chance() == {"spaces": 1, "cards": 0, "pair": False}
    game.reveal(spaces=["TTT"])
    assert (game.seat, game.turn, game.phase) == (1, 2, "turn")


def test_a_first_pair_may_be_dealt_later():
    game = new_game(spirits=True)
    assert game.chance() == {"spaces": 0, "cards": 0, "pair": True}
    game.reveal(pair=(39, 40))
    assert game.legal_actions() == {"s39", "s40"}


# ---- refilling ---------------------------------------------------------------------------------


def test_refills():
    game = new_game()
    play(game, "+2", "g4", "La1", "Fa2", "Ra3", "end")
    assert (game.seat, game.turn, game.phase) == (2, 1, "chance")
    state = game.state()
    assert (state["taken"], state["in_hand"], state["card_taken"]) == (None, "", False)
    game.reveal(spaces=["RWF"], cards=[32])
    assert game.centre == ["WMT", "LFR", "WMT", "WFR", "WMT"]
    assert game.row == [1, 32, 3, 4, 5]
    assert game.bag == {"W": 19, "M": 20, "T": 18, "L": 17, "F": 16, "R": 12}
    assert game.unseen == set(range(6, 32))
    assert game.phase == "turn"
    assert game.chance() == {"spaces": 0, "cards": 0, "pair": False}


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"spaces": ["WWW"]},
        {"cards": [32]},
        {"spaces": ["WW"], "cards": [32]},
        {"spaces": ["WWX"], "cards": [32]},
        {"spaces": ["WWW", "WWW"], "cards": [32]},
        {"spaces": ["WWW"], "cards": [1]},
        {"spaces": ["WWW"], "cards": [2]},
        {"spaces": ["WWW"], "cards": [33]},
        {"spaces": ["WWW"], "cards": [31, 32]},
        {"spaces": ["WWW"], "cards": [32], "pair": (33, 34)},
        {"spaces": ["RRR"], "cards": [32]},
    ],
    ids=str,
)
def test_wrong_refills_change_nothing(wrong):
    game = new_game()
    arrange(game, 2, dict.fromkeys(all_cells("A")[:11], "R"))  # 2 of 15 R are left in the bag
    assert game.bag["R"] == 2
    play(game, "+2", "g4", "La1", "Fa2", "Ra3", "end")
    before = game.state()
    with pytest.raises(IllegalAction):
        game.reveal(**wrong)
    assert game.state() == before


def test_the_row_stays_short_when_the_deck_is_empty():
    game = new_game()
    game.unseen = {32}
    play(game, "+4")
    lay_on_empty_cells(game)
    play(game, "end")
    assert game.chance()["cards"] == 1
    deal(game)
    assert game.row == [1, 2, 3, 32, 5]
    play(game, "+1")
    lay_on_empty_cells(game)
    play(game, "end")
    assert game.chance() == {"spaces": 1, "cards": 0, "pair": False}
    deal(game)
    assert game.row == [None, 2, 3, 32, 5]
    assert takes_of_cards(game) == {"+2", "+3", "+32", "+5"}
    short_turn(game)
    assert game.chance()["cards"] == 0


# ---- the end of the game -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seat"), [(n, seat) for n in (2, 3, 4) for seat in range(1, n + 1)]
)
def test_a_full_board_ends_the_game_with_the_round(players, seat):
    game = new_game(players=players)
    arrange(game, seat, board_with_empty_cells("A", 5))
    move_on_to(game, 1, 7)
    for now in range(1, players + 1):
        assert (game.seat, game.turn, game.phase) == (now, 7, "turn")
        short_turn(game)  # the full board is left with 2 empty cells
        if now < players:
            assert game.phase == "chance"
            assert game.chance() == {"spaces": 1, "cards": 0, "pair": False}
            deal(game)
    assert (game.phase, game.seat, game.turn) == ("over", 1, 8)
    assert game.legal_actions() == set()
    assert game.chance() == {"spaces": 0, "cards": 0, "pair": False}
    assert game.centre[0] == "-"  # nothing is refilled after the end
    with pytest.raises(IllegalAction):
        game.reveal(spaces=["WWW"])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("side", ["A", "B"])
def test_three_empty_cells_end_nothing(players, side):
    game = new_game(players=players, side=side)
    arrange(game, 1, board_with_empty_cells(side, 6))
    move_on_to(game, 1, 7)
    for _ in range(players):
        short_turn(game)
        assert game.phase == "chance"
        deal(game)
    assert game.players[0].empty_cells(side) == 3
    assert (game.seat, game.turn, game.phase) == (1, 8, "turn")


def test_three_empty_cells_may_stay_three():
    """Stacking leaves the empty cells as they are: 3 before, 3 after, the game goes on."""
    game = new_game(centre=["MMM", *CENTRE[1:]])
    arrange(game, 2, board_with_empty_cells("A", 3))
    move_on_to(game, 2, 7)
    hills = [cell for cell, stack in game.player.cells.items() if stack == "M"]
    play(game, "g1", "M" + hills[0], "M" + hills[0], "M" + hills[1], "end")
    assert (game.seat, game.turn, game.phase) == (1, 8, "chance")


def test_the_row_is_not_refilled_after_the_end():
    game = new_game()
    arrange(game, 2, board_with_empty_cells("A", 3))
    move_on_to(game, 2, 7)
    play(game, "+3")
    short_turn(game)
    assert game.phase == "over"
    assert game.row == [1, 2, None, 4, 5]


@pytest.mark.parametrize(("players", "rounds"), [(2, 18), (3, 12), (4, 9)])
def test_an_empty_bag_ends_the_game_after_36_turns(players, rounds):
    game = new_game(players=players)
    for number in range(1, 37):
        assert game.phase == "turn"
        assert sum(game.bag.values()) == 105 - 3 * (number - 1)
        assert "-" not in game.centre
        short_turn(game)
        for player in game.players:
            player.cells.clear()  # so that only the bag can end the game
        if number < 36:
            assert game.phase == "chance"
            assert game.chance()["spaces"] == 1
            deal(game)
    assert sum(game.bag.values()) == 0
    assert (game.phase, game.seat, game.turn) == ("over", 1, rounds + 1)


def test_a_space_stays_empty_with_fewer_than_three_tokens_in_the_bag():
    """It cannot come to this before the last seat by the rules of set-up; the rule stands."""
    game = new_game()
    game.bag = dict.fromkeys("WMTLFR", 0) | {"W": 2}
    short_turn(game)
    assert (game.seat, game.phase) == (2, "turn")
    assert game.centre[0] == "-"
    assert "g1" not in game.legal_actions()
    short_turn(game)
    assert game.phase == "over"


# ---- solo --------------------------------------------------------------------------------------


def test_solo_spaces_are_emptied_and_refilled():
    game = new_game(players=1)
    short_turn(game)
    assert game.centre == ["-", "-", "-"]
    assert (game.seat, game.turn, game.phase) == (1, 2, "chance")
    assert game.chance() == {"spaces": 3, "cards": 0, "pair": False}
    assert sum(game.bag.values()) == 111
    game.reveal(spaces=["WWW", "MMM", "TTT"])
    assert game.centre == ["WWW", "MMM", "TTT"]
    assert sum(game.bag.values()) == 102
    assert game.phase == "turn"


def test_solo_discard():
    game = new_game(players=1)
    discards = {"-1", "-2", "-3"}
    assert not discards & game.legal_actions()
    game.apply("g1")
    play(game, "Wa1", "Ma2")
    assert not discards & game.legal_actions()
    play(game, "Ta3")
    assert game.legal_actions() == {"end", "+1", "+2", "+3"} | discards
    took = game.copy()
    took.apply("+1")
    assert took.legal_actions() == {"end"}
    game.apply("-2")
    assert game.legal_actions() == {"end"}
    assert game.row == [1, None, 3]
    assert game.players[0].hand == {}
    assert not game.card_taken
    game.apply("end")
    assert game.chance() == {"spaces": 3, "cards": 1, "pair": False}
    assert 2 not in game.unseen
    deal(game)
    assert game.row == [1, 4, 3]
    lay_on_empty_cells(game)
    assert "-4" in game.legal_actions()  # once a turn, not once a game


def test_a_discard_closes_the_turn_for_cubes_too():
    game = new_game(players=1, row=[10, 11, 12])
    arrange(game, 1, {"e4": "W", "e5": "L"}, {5: 0})
    lay_on_empty_cells(game)
    assert "5@e4" in game.legal_actions()
    game.apply("-10")
    assert game.legal_actions() == {"end"}


def test_only_solo_players_discard():
    game = new_game()
    lay_on_empty_cells(game)
    assert game.legal_actions() == {"end", "+1", "+2", "+3", "+4", "+5"}


def test_solo_lasts_fourteen_turns_at_most():
    game = new_game(players=1)
    for number in range(1, 15):
        assert (game.turn, game.phase) == (number, "turn")
        assert sum(group != "-" for group in game.centre) == (3 if number < 14 else 1)
        short_turn(game)
        game.players[0].cells.clear()  # so that only the bag can end the game
        if number < 14:
            assert game.chance()["spaces"] == (3 if number < 13 else 1)
            if number == 12:
                assert sum(game.bag.values()) == 12
            deal(game)
            if number == 12:
                assert sum(game.bag.values()) == 3
            if number == 13:
                assert game.centre[1:] == ["-", "-"]
                assert {a for a in game.legal_actions() if a[0] == "g"} == {"g1"}
    assert game.phase == "over"


def test_a_full_solo_board_ends_the_game_at_once():
    game = new_game(players=1)
    arrange(game, 1, board_with_empty_cells("A", 5))
    short_turn(game)
    assert (game.phase, game.seat, game.turn) == ("over", 1, 2)
    assert game.centre == ["-", "LFR", "WMT"]  # what is left stays where it is
    assert game.ranks() == [1]


def test_solo_with_spirits():
    game = new_game(players=1, spirits=True, pair=(33, 42))
    assert game.legal_actions() == {"s33", "s42"}
    short_turn(game)
    assert game.chance() == {"spaces": 3, "cards": 0, "pair": False}


@pytest.mark.parametrize(
    ("points", "count"),
    [
        (0, 0),
        (39, 0),
        (40, 1),
        (69, 1),
        (70, 2),
        (89, 2),
        (90, 3),
        (109, 3),
        (110, 4),
        (129, 4),
        (130, 5),
        (139, 5),
        (140, 6),
        (149, 6),
        (150, 7),
        (159, 7),
        (160, 8),
        (300, 8),
    ],
)
def test_suns_for_points(points, count):
    assert results.suns(points, "B", True, 35) == count


def test_suns_for_side_and_spirit():
    assert results.suns(130, "A", True, 33) == 7  # the printed example: Lion
    assert results.suns(130, "B", True, 33) == 6
    assert results.suns(130, "A", False, None) == 8
    assert results.suns(130, "B", False, None) == 7
    for spirit in (33, 34, 37, 38, 41):
        assert results.suns(130, "A", True, spirit) == 7
    for spirit in (35, 36, 39, 40, 42):
        assert results.suns(130, "A", True, spirit) == 6


def test_suns_of_a_game():
    assert new_game(players=1).suns() == 3
    assert new_game(players=1, side="B").suns() == 2
    game = new_game(players=1, spirits=True, pair=(34, 35))
    game.apply("s34")
    assert game.suns() == 2  # chosen, not placed
    with pytest.raises(ValueError, match="solo"):
        new_game().suns()


# ---- the winner --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "ranks"),
    [
        ([(90, 3), (80, 9)], [1, 2]),
        ([(80, 3), (80, 4)], [2, 1]),
        ([(80, 4), (80, 4)], [1, 1]),
        ([(80, 4), (90, 0), (80, 4)], [2, 1, 2]),
        ([(80, 4), (80, 4), (70, 9)], [1, 1, 3]),
        ([(80, 4), (80, 5), (80, 5), (81, 0)], [4, 2, 2, 1]),
    ],
)
def test_ranks(seats, ranks):
    assert results.ranks([{"total": total, "cubes": cubes} for total, cubes in seats]) == ranks


def test_a_spirit_cube_breaks_a_tie():
    # Ram 39 gives 8 for MMM beside MM, on top of 7 + 3; the other seat has 18 without a cube:
    # a TTL (7), a TTL (7), a TL (3) and an L (1).
    game = new_game(spirits=True)
    arrange(game, 1, {"a1": "TTL", "a2": "TTL", "a3": "TL", "a4": "L"}, {35: 0})
    arrange(game, 2, {"a1": "MMM", "a2": "MM"}, {39: 1}, (), {"a1"})
    scores = game.scores()
    assert [score["total"] for score in scores] == [18, 18]
    assert [score["cubes"] for score in scores] == [0, 1]
    assert game.ranks() == [2, 1]


def test_the_river_mode_of_a_game():
    # Three cells of water in a triangle: shortest paths 2, loop 3.
    for mode, points in [("diameter", 2), ("loop", 5)]:
        game = new_game(river=mode)
        arrange(game, 1, {"a4": "W", "a5": "W", "b4": "W"})
        assert game.scores()[0]["water"] == points


# ---- all turns ---------------------------------------------------------------------------------


def flat_board(empty):
    """Side A covered with 10 W and F besides, which nothing can be put on, but for some cells."""
    covered = [cell for cell in all_cells("A") if cell not in empty]
    return {cell: "W" if index < 10 else "F" for index, cell in enumerate(covered)}


def check_sequences(game, found):
    for actions in found.values():
        twin = game.copy()
        play(twin, *actions, "end")


def test_all_turns_are_counted_by_board_and_card():
    # On three empty cells WWW and FFF lie in 1 way, WWF and WFF in 3; then no card or one of 5.
    game = new_game(centre=["WWW", "FFF", "WWF", "WFF", "WWF"])
    arrange(game, 1, flat_board({"c1", "c3", "c5"}))
    found = all_turn_results(game)
    assert len(found) == (1 + 1 + 3 + 3 + 3) * 6
    check_sequences(game, found)


def test_all_turns_of_a_solo_game_count_discards():
    # No card, one of 3 taken, or one of 3 discarded.
    game = new_game(players=1, centre=["WWW", "FFF", "WWF"])
    arrange(game, 1, flat_board({"c1", "c3", "c5"}))
    found = all_turn_results(game)
    assert len(found) == (1 + 1 + 3) * 7
    check_sequences(game, found)


def test_all_turns_with_a_spirit_to_choose():
    game = new_game(centre=["WWW", "FFF", "WWF", "WFF", "WWF"], spirits=True, pair=(35, 36))
    arrange(game, 1, flat_board({"c1", "c3", "c5"}))
    found = all_turn_results(game)
    assert len(found) == (1 + 1 + 3 + 3 + 3) * 6 * 2
    check_sequences(game, found)


def ray_board():
    """W on a1, M on b1, and a2, e1, e5 empty: Ray has its habitat while a2 and b1 are both M."""
    cells = dict.fromkeys(all_cells("A"), "F") | {"a1": "W", "b1": "M"}
    return {cell: stack for cell, stack in cells.items() if cell not in ("a2", "e1", "e5")}


def test_all_turns_with_a_cube_before_a_stack_grows():
    # MMM over a2, e1, e5 (3 each) and b1 (2 more): 20 - 1 boards. The first M may always be the
    # one on a2, so the cube can be had on every board with a2 covered, 10 of them.
    game = new_game(centre=["MMM"] * 5, row=[6, 8, 9, 10, 11])
    arrange(game, 1, ray_board(), {2: 0, 1: 0, 4: 0, 5: 0})
    found = all_turn_results(game)
    assert len(found) == 5 * (19 + 10)
    check_sequences(game, found)


def test_all_turns_with_a_card_taken_into_a_freed_slot():
    # As above, but the cube is the last of its card: with it, no card or one of 5.
    game = new_game(centre=["MMM"] * 5, row=[6, 8, 9, 10, 11])
    arrange(game, 1, ray_board(), {2: 2, 1: 0, 4: 0, 5: 0}, {"c1", "c2"})
    found = all_turn_results(game)
    assert len(found) == 5 * (19 + 10 * 6)
    check_sequences(game, found)


def test_all_turns_go_on_from_the_middle_of_a_turn():
    game = new_game(centre=["WWW", "FFF", "WWF", "WFF", "WWF"])
    arrange(game, 1, flat_board({"c1", "c3", "c5"}))
    play(game, "+1", "g3", "Wc5")
    before = game.state()
    found = all_turn_results(game)
    assert len(found) == 2  # W and F on c1 and c3
    assert game.state() == before


def test_all_turns_need_a_turn():
    game = new_game()
    short_turn(game)
    assert game.phase == "chance"
    with pytest.raises(ValueError, match="no turn"):
        all_turn_results(game)


# ---- random games ------------------------------------------------------------------------------


def tokens_in_sight(game):
    counted = Counter({token: count for token, count in game.bag.items() if count})
    counted.update(game.in_hand)
    counted.update("".join(group for group in game.centre if group != "-"))
    for player in game.players:
        counted.update("".join(player.cells.values()))
    return counted


@pytest.mark.parametrize(
    ("players", "side", "spirits", "packs"),
    [
        (1, "A", False, ("base",)),
        (1, "B", True, ("base", "pulse")),
        (2, "A", True, ("base",)),
        (2, "B", False, ("base", "pulse")),
        (3, "A", True, ("base", "pulse")),
        (4, "B", True, ("base",)),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_hold_together(players, side, spirits, packs, seed):
    rng = random.Random(seed)
    game = new_game(players=players, side=side, spirits=spirits, packs=packs)
    ends = 0
    while game.phase != "over":
        if game.phase == "chance":
            deal(game, rng)
            continue
        action = rng.choice(sorted(game.legal_actions()))
        before = game.turn, game.seat
        game.apply(action)
        if action == "end":
            ends += 1
            assert (game.turn, game.seat) != before
        if players > 1:
            assert tokens_in_sight(game) == TOKEN_COUNTS
        for player in game.players:
            assert set(player.cells.values()) <= stacks.LEGAL_STACKS
            assert not player.animal_cubes & player.spirit_cubes
            assert len(player.cubes) == sum(player.hand.values())
            assert len(player.uncompleted()) <= 4
    assert ends == (game.turn - 1) * players  # all have had the same number of turns
    fullest = min(player.empty_cells(side) for player in game.players)
    assert fullest <= 2 or sum(game.bag.values()) < 3
    assert min(game.ranks()) == 1
