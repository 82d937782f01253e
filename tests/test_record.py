"""Game records: written, read back, replayed, damaged."""

import random

import pytest

from harmonies_core import Dealer, NotationError, Position, Rules, Turn
from harmonies_core.record import Game, Ply, format_games, read_games


def play(seed, players=2, spirits=False):
    """A whole random game."""
    rng = random.Random(seed)
    dealer = Dealer(Rules(players, spirits=spirits), seed)
    position = dealer.start()
    game = Game(position.copy(), [], {"Event": 'a "test" \\ game', "Seed": str(seed)})
    while not position.is_over():
        words = []
        before = position.copy()
        while True:
            action = str(rng.choice(position.actions()))
            position.push_action(action)
            if action == "end":
                break
            words.append(action)
        text = ",".join(words)
        if position.phase == "chance":
            chance = dealer.deal(position)
            position.push_chance(chance)
            text += "/" + chance
        before.push(text)
        assert before == position
        game.plies.append(Ply(Turn(text), "eval 100 depth 1" if rng.random() < 0.5 else ""))
    return game, position


@pytest.mark.parametrize(("players", "spirits"), [(1, False), (2, True), (3, False), (4, True)])
def test_a_record_reads_back(players, spirits):
    game, position = play(5, players, spirits)
    (again,), skipped = read_games(format_games([game]))
    assert not skipped
    assert again == game
    assert again.final() == position
    totals, cubes = position.result().totals, position.result().cubes
    assert again.result() == " ".join(f"{t}/{c}" for t, c in zip(totals, cubes, strict=True))
    assert len(list(again.positions())) == len(game.plies) + 1


def test_a_damaged_game_costs_only_itself():
    text = format_games([play(seed)[0] for seed in range(3)])
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("[Event")]
    broken = next(i for i in range(starts[1], len(lines)) if lines[i].startswith("2.1 "))
    lines[broken] = "2.1 g9,Wa1"
    games, skipped = read_games("\r\n".join(lines))
    assert [game.tags["Seed"] for game in games] == ["0", "2"]
    assert [item.line for item in skipped] == [starts[1] + 1]
    assert f"line {broken + 1}" in skipped[0].reason
    assert "no space 9" in skipped[0].reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("1.2 ", "1.1 "), "turn 1.1, expected 1.2"),
        (lambda text: text.replace('[Result "', '[Result "9'), "tag Result"),
        (lambda text: text.replace("[Position", "[Posture"), "no tag Position"),
        (lambda text: text.replace('[Seed "0"]', '[Seed "0"]\n[Seed "1"]'), "tag Seed twice"),
        (lambda text: text.replace('[Seed "0"]', "Seed 0"), "line 2"),
        (lambda text: text.replace('"2A ', '"2C '), "tag Position: rules"),
    ],
)
def test_damage_is_named(change, reason):
    games, skipped = read_games(change(format_games([play(0)[0]])))
    assert not games
    assert reason in skipped[0].reason


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "{}", "1.1 g1", "[", "[A"])
def test_nonsense_gives_no_game(text):
    games, skipped = read_games(text)
    assert not games
    assert len(skipped) == bool(text.strip())


def test_what_cannot_be_written():
    game = Game(Position.start(), [], {"Event": "two\nlines"})
    with pytest.raises(NotationError, match="Event"):
        format_games([game])
    turn = Position.start().turns()[0]
    with pytest.raises(NotationError, match="comment"):
        format_games([Game(Position.start(), [Ply(turn, "}")])])
