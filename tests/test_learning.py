"""Learning from self-play: targets, gradients, steps, runs that go on exactly, matches."""

import hashlib
import json
import math
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import pytest

from harmonies_core import Position, Rules
from harmonies_core.errors import WeightsError
from harmonies_core.learning.average import mean_network
from harmonies_core.learning.evaluation import mirrored, rank, score
from harmonies_core.learning.gradient import sample_gradient
from harmonies_core.learning.match import play_match
from harmonies_core.learning.run import Evaluation, Run
from harmonies_core.learning.selfplay import Games, Plan, play_games
from harmonies_core.learning.settings import Budget, Configuration, Settings, Width
from harmonies_core.learning.trainer import Trainer
from harmonies_core.learning.workers import Stopped, Workers
from harmonies_core.search.base import expected_points
from harmonies_core.values.network import Weights, pack_weights
from harmonies_core.values.weights import load_weights

NARROW: Width = (1, 1, 1, 1)
STYLES = {"net": 1, "hand": 1, "now": 1, "rush": 1}
NET = Trainer(5, 100).weights()
SHAPE = json.loads(pack_weights([NET] * 4, {}).split(b"\n", 2)[1])["shape"]
FEATURES, H1, HEADS, H2, OUTPUTS = SHAPE
EMPTIES = 416  # the first of 26 features that name the number of empty cells
TINY = Settings(
    "A", 3, memory=400, warmup=6, chunk=4, evaluate_every=8, deals=2, batch=32,
    width=NARROW, match_width=NARROW,
)  # fmt: skip


def plan(*mixture: tuple[Rules, int], **changes: Any) -> Plan:
    rest = {
        "styles": STYLES, "width": NARROW, "decay": 0.7, "whim": 0.2, "others": 0.3, **changes
    }  # fmt: skip
    return Plan(list(mixture or [(Rules(), 1)]), **rest)


def games(count: int = 3, seed: int = 1, warm: bool = False) -> Games:
    return play_games(plan(), NET, seed, 0, count, warm)


# The network, written a second time ----------------------------------------------------------


def layers(parameters: bytes) -> list[Any]:
    """W1, b1, and W2, b2, W3, b3 of every head, in double precision."""
    flat = np.frombuffer(parameters, dtype=np.float32).astype(float)
    shapes = [(FEATURES, H1), (H1,), *HEADS * [(H1, H2), (H2,), (OUTPUTS, H2), (OUTPUTS,)]]
    cuts = np.cumsum([math.prod(shape) for shape in shapes])
    assert cuts[-1] == flat.size
    parts = np.split(flat, cuts[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]


def leaky(x: Any) -> Any:
    return np.where(x > 0, x, 0.1 * x)


def empties(active: tuple[int, ...]) -> int:
    (count,) = {row - EMPTIES for row in active if EMPTIES <= row < EMPTIES + 26}
    return count


def predict(parameters: list[Any], active: tuple[int, ...]) -> Any:
    """Outputs; the head changes every six cells that are filled."""
    first = 2 + 4 * min(empties(active) // 6, HEADS - 1)
    w1, b1, w2, b2, w3, b3 = parameters[:2] + parameters[first : first + 4]
    inputs = np.bincount(active, minlength=FEATURES)
    return w3 @ leaky(leaky(inputs @ w1 + b1) @ w2 + b2) + b3


def test_predictions_of_self_play() -> None:
    """What the network said during the games, in points: rounded, it differs by hundredths."""
    moments = games().moments()
    assert len(moments) > 50
    for _, _, _, guess, *_, active in moments:
        assert guess == pytest.approx(10 * predict(layers(NET), active)[0], abs=0.05)


def test_outputs_of_the_learner() -> None:
    for *_, target, final, active in games(1).moments()[::5]:
        outputs, _ = sample_gradient(NET, active, empties(active), target / 10, final / 10)
        assert outputs == pytest.approx(predict(layers(NET), active), abs=1e-4)


def test_gradient_by_differences() -> None:
    *_, active = games(1).moments()[7]
    target, final = 3.5, 6.25
    _, found = sample_gradient(NET, active, empties(active), target, final)
    gradient = np.frombuffer(found, dtype=np.float32)
    exact = np.concatenate([part.ravel() for part in layers(NET)])
    first = predict(layers(NET), active)[0]

    def loss(flat: Any) -> Any:
        shapes = [part.shape for part in layers(NET)]
        cuts = np.cumsum([math.prod(shape) for shape in shapes])[:-1]
        parts = [p.reshape(s) for p, s in zip(np.split(flat, cuts), shapes, strict=True)]
        y, error = predict(parts, active)
        return (y - target) ** 2 / 2 + (error - abs(first - final)) ** 2 / 20

    rng = np.random.default_rng(1)
    first_layer = FEATURES * H1
    used = [row * H1 + column for row in active[::9] for column in rng.integers(0, H1, 2)]
    unused = next(row for row in range(FEATURES) if row not in active) * H1
    chosen = [*used, unused, *rng.integers(first_layer, exact.size, 150), exact.size - 1]
    for i in chosen:
        step = np.zeros_like(exact)
        step[i] = 1e-6
        slope = (loss(exact + step) - loss(exact - step)) / 2e-6
        assert gradient[i] == pytest.approx(slope, rel=1e-2, abs=1e-4), i


def test_weight_decay_is_apart_from_the_gradient() -> None:
    """Every parameter loses rate times decay of itself, whatever its gradient."""
    played = games(1)
    before = np.frombuffer(NET, dtype=np.float32)
    moved = []
    for shrink in (0.0, 2.0):
        trainer = Trainer(5, 1)
        trainer.remember(played)
        trainer.learn(1, 1, 0.01, 0.0, shrink)
        moved.append(np.frombuffer(trainer.weights(), dtype=np.float32))
    assert moved[0] - moved[1] == pytest.approx(0.01 * 2 * before, abs=1e-6)


def test_first_step_of_adam() -> None:
    """With both moments corrected, the first step is the rate along the sign of the gradient."""
    played = games(1)
    trainer = Trainer(5, 1)
    trainer.remember(played)
    assert trainer.filled == 1
    *_, target, final, active = played.moments()[-1]
    _, found = sample_gradient(NET, active, empties(active), target / 10, final / 10)
    gradient = np.frombuffer(found, dtype=np.float32)
    trainer.learn(1, 1, 0.01, 0.0)
    moved = np.frombuffer(trainer.weights(), dtype=np.float32)
    before = np.frombuffer(NET, dtype=np.float32)
    wanted = before - 0.01 * gradient / (np.abs(gradient) + 1e-7)
    np.testing.assert_allclose(moved, wanted, atol=1e-5)
    assert not np.array_equal(moved, before)


def test_learning_lowers_the_error() -> None:
    trainer = Trainer(5, 1000)
    trainer.remember(games(4))
    first = trainer.learn(1, 256, 1e-3)
    trainer.learn(150, 64, 1e-3)
    assert trainer.learn(1, 256, 1e-3) < first / 3
    assert trainer.steps == 152


# Targets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("decay", [0.0, 0.7, 1.0])
def test_targets(players: int, decay: float) -> None:
    played = play_games(plan((Rules(players, "B"), 1), decay=decay), NET, 8, 0, 3).moments()
    assert any(moment[4] is not None for moment in played)
    step = decay ** (1 / players)
    for _, group in groupby(played, key=lambda moment: moment[:2]):
        rows = list(group)
        ends = {round(points + final, 3) for _, _, points, _, _, _, final, _ in rows}
        assert len(ends) == 1
        end = ends.pop()
        assert end == round(end)

        def value(i: int, rows: list[Any] = rows, end: float = end) -> float:
            if rows[i][4] is not None:
                return float(rows[i][4])
            if i + 1 == len(rows):
                return end
            expected = rows[i + 1][2] + rows[i + 1][3]
            return step * value(i + 1) + (1 - step) * float(expected)

        for i, row in enumerate(rows):
            assert row[2] + row[5] == pytest.approx(value(i), abs=0.01)


def test_warm_games_teach_what_came() -> None:
    for _, _, _, _, instead, target, final, _ in games(2, warm=True).moments():
        assert instead is not None or target == final


def test_only_the_network_is_learned_from() -> None:
    """In a game of two with another style on one seat there are the moments of one seat."""
    against = plan(others=1.0, styles={"rush": 1})
    seats = {moment[:2] for moment in play_games(against, NET, 1, 0, 8).moments()}
    assert sorted(game for game, _ in seats) == list(range(8))
    assert {seat for _, seat in seats} == {0, 1}


def test_mixture() -> None:
    mixed = plan((Rules(1), 1), (Rules(3), 0), (Rules(4, spirits=True), 1), others=0.0)
    seats: dict[int, int] = {}
    for game, seat, *_ in play_games(mixed, NET, 1, 0, 12).moments():
        seats[game] = max(seats.get(game, 0), seat + 1)
    assert set(seats.values()) == {1, 4}


# The same again ------------------------------------------------------------------------------


def test_games_do_not_depend_on_each_other() -> None:
    alone = play_games(plan(), NET, 9, 2, 1).moments()
    assert [m for m in play_games(plan(), NET, 9, 0, 4).moments() if m[0] == 2] == alone
    assert play_games(plan(), NET, 10, 2, 1).moments() != alone


def finish(run: Run, budget: Budget) -> tuple[bytes, bytes | None, list[Any]]:
    for _ in run.train(budget):
        pass
    return run.state()[1], run.best, [timeless(e) for e in run.evaluations]


def timeless(evaluation: Evaluation) -> Evaluation:
    return replace(evaluation, seconds=0.0)


@pytest.fixture(scope="module")
def whole() -> tuple[bytes, bytes | None, list[Any]]:
    """A run of 14 games in one thread."""
    return finish(Run(TINY, Workers()), Budget(14))


def test_threads_change_nothing(whole: Any) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert finish(Run(TINY, Workers(pool)), Budget(14)) == whole


def test_another_seed_is_another_run() -> None:
    runs = [finish(Run(replace(TINY, seed=seed), Workers()), Budget(1)) for seed in (3, 4)]
    assert runs[0][0] != runs[1][0]
    assert runs[0][1] != runs[1][1]


def test_evaluations_at_intervals(whole: Any) -> None:
    evaluations = whole[2]
    assert [e.games for e in evaluations] == [0, 8, 14]
    assert evaluations[0].best is None
    assert evaluations[0].promoted
    for e in evaluations[1:]:
        assert e.promoted == (e.best.win > 0.5)


def test_going_on_after_every_record(whole: Any) -> None:
    """A run that is put away after each record, through JSON, ends as one that was not."""
    data, state = Run(TINY, Workers()).state()
    for _ in range(100):
        run = Run(TINY, Workers())
        run.restore(json.loads(json.dumps(data)), state)
        record = next(run.train(Budget(14)), None)
        if record is None:
            break
        if getattr(record, "warm", 1.0) < 1:  # the warm-up begins anew
            rest: Iterator[Any] = run.train(Budget(14))
            while getattr(next(rest), "games", 0) == 0 and not run.evaluations:
                pass
        data, state = run.state()
    assert (state, run.best, [timeless(e) for e in run.evaluations]) == whole
    assert run.plans == [14]


def test_longer() -> None:
    run = Run(TINY, Workers())
    finish(run, Budget(8))
    finish(run, Budget(12))
    assert run.games == 12
    assert run.plans == [8, 12]
    finish(run, Budget(4))
    assert run.games == 12


def test_stopped_leaves_the_state() -> None:
    stop = threading.Event()
    run = Run(TINY, Workers(stopped=stop.is_set))
    rounds = run.train(Budget(14))
    while run.games < 4:
        next(rounds)
    before = run.state()
    stop.set()
    with pytest.raises(Stopped):
        next(rounds)
    assert run.state() == before


def test_a_lost_network_is_an_error() -> None:
    trainer = Trainer(1, 50)
    trainer.remember(games(1))
    state = bytearray(trainer.state())
    parameters = state.index(trainer.weights())
    state[parameters : parameters + len(NET)] = np.full(len(NET) // 4, 1e30, np.float32).tobytes()
    with pytest.raises(ArithmeticError, match="smaller steps"):
        Trainer.restore(bytes(state)).learn(2, 8)


# What is refused -----------------------------------------------------------------------------


def test_state_of_a_trainer() -> None:
    trainer = Trainer(1, 50)
    trainer.remember(games(1))
    trainer.learn(2, 8)
    state = trainer.state()
    again = Trainer.restore(state)
    assert (again.capacity, again.filled, again.steps) == (50, trainer.filled, 2)
    assert again.learn(3, 8) == trainer.learn(3, 8)
    assert again.state() == trainer.state()


def test_wrong_states() -> None:
    trainer = Trainer(1, 50)
    trainer.remember(games(1))
    state = trainer.state()
    numbers = 8 * 8
    for wrong in (
        b"", state[:100], state[:-1], state + b"\0", bytes(8) + state[8:],
        state[:24] + b"\xff" * 8 + state[32:],          # capacity
        state[:40] + (50).to_bytes(8, "little") + state[48:],   # where the next one goes
        state[:-2] + b"\xff\xff",                               # a feature
        state[:numbers],
    ):  # fmt: skip
        with pytest.raises(WeightsError, match="state of the training"):
            Trainer.restore(wrong)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"side": "C"}, "side"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"memory": 5}, "memory"),
        ({"batch": 0}, "batch"),
        ({"decay": 1.5}, "decay"),
        ({"decay": math.nan}, "decay"),
        ({"first_rate": 0.0}, "first_rate"),
        ({"last_rate": 0.5}, "last_rate"),
        ({"ratio": math.inf}, "ratio"),
        ({"deals": 1}, "deals"),
        ({"width": (1, 0, 1, 1)}, "^width"),
        ({"match_width": (7, 1, 1, 1)}, "^match_width"),
        ({"mixture": ()}, "mixture"),
        ({"mixture": (Configuration(5, False, 1),)}, "players"),
        ({"mixture": (Configuration(2, False, 0),)}, "shares"),
        ({"mixture": (Configuration(2, False, 40000),) * 2}, "65,536"),
        ({"styles": (("chess", 1),)}, "chess"),
        ({"styles": (("net", 1), ("net", 2))}, "twice"),
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, Any], wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        replace(TINY, **changes)


def test_budgets() -> None:
    assert Budget(games=200, minutes=2).done(50, 90) == 0.75
    for wrong in ({}, {"games": 0}, {"minutes": 0}, {"minutes": math.nan}):
        with pytest.raises(ValueError, match=r"games|minutes"):
            Budget(**wrong)


def test_step_size() -> None:
    # Without a look-ahead the size where it would begin does not matter.
    never = Settings("A", 1, first_rate=0.5, look_rate=0.05, last_rate=0.1, look_after=80)
    with pytest.raises(ValueError, match=r"last_rate: 0\.1 is larger than look_rate, 0\.05"):
        replace(never, look=(4, 2))
    settings = replace(never, look=(4, 2), look_rate=0.3)
    rates = [settings.rate(done) for done in (0, 0.5, 1, 2)]
    assert rates == pytest.approx([0.5, 0.3, 0.1, 0.1])
    # A training of 100 games, 20 of them with look-ahead; one that ends where it would begin;
    # one that ends before; one without.
    rates = [settings.rate(done, settings.begun(100)) for done in (0, 0.4, 0.8, 0.9, 1)]
    assert rates == pytest.approx([0.5, 0.4, 0.3, 0.2, 0.1])
    assert settings.rate(1, settings.begun(80)) == pytest.approx(0.3)
    assert settings.rate(1, settings.begun(60)) == pytest.approx(0.1)
    assert never.rate(0.5, never.begun(100)) == pytest.approx(0.3)


def test_arguments_of_the_core() -> None:
    trainer = Trainer(1, 10)
    with pytest.raises(ValueError, match="empty"):
        trainer.learn(1)
    trainer.remember(games(1))
    for wrong in ((0, 1, 0.1), (1, 0, 0.1), (1, 1, -1.0), (1, 1, math.nan)):
        with pytest.raises(ValueError, match="is not a number"):
            trainer.learn(*wrong)
    with pytest.raises(ValueError, match="capacity"):
        Trainer(1, 0)
    with pytest.raises(ValueError, match="not the weights"):
        play_games(plan(), b"", 1, 0, 1)
    with pytest.raises(ValueError, match="games"):
        play_games(plan(), NET, 1, 0, -1)
    with pytest.raises(ValueError, match="1 players for 2 seats"):
        play_match(Rules(), [("hand", None, NARROW)], 1, 0, 1)
    with pytest.raises(ValueError, match="parameters"):
        play_match(Rules(), [("net", None, NARROW)] * 2, 1, 0, 1)
    with pytest.raises(ValueError, match="no feature"):
        sample_gradient(NET, [FEATURES], 0, 0, 0)


# Matches -------------------------------------------------------------------------------------


def test_a_player_against_itself() -> None:
    """The same game is played with both seatings, so nobody wins a deal."""
    player = ("hand", None, NARROW)
    groups = mirrored("A", player, player, 5, Workers())
    assert len(groups) == 5
    for (a, b), (c, d) in groups:
        assert (a, b) == (d, c)
    result = score(groups)
    assert (result.win, result.win_error, result.margin, result.margin_error) == (0.5, 0, 0, 0)


def test_hand_made_beats_a_blank_network() -> None:
    blank = ("net", bytes(len(NET)), NARROW)
    result = score(mirrored("B", ("hand", None, NARROW), blank, 10, Workers()))
    assert result.win > 0.6
    assert result.margin > 0


def test_score_by_hand() -> None:
    groups = [[(10, 5), (8, 8)], [(4, 6), (3, 9)], [(7, 1), (5, 2)]]
    result = score(groups)
    # Deals: 0.75, 0 and 1 won; margins 2.5, -4 and 4.5.
    assert result.win == pytest.approx(1.75 / 3)
    assert result.win_error == pytest.approx(np.std([0.75, 0, 1], ddof=1) / math.sqrt(3))
    assert result.points == pytest.approx(37 / 6)
    assert result.margin == pytest.approx(1)
    assert result.margin_error == pytest.approx(np.std([2.5, -4, 4.5], ddof=1) / math.sqrt(3))


def test_rank() -> None:
    learned = Trainer(2, 3000)
    learned.remember(games(10, warm=True))
    learned.learn(50, 64)
    standings = rank("A", [bytes(len(NET)), NET, learned.weights()], NARROW, 2, Workers())
    assert sorted(standing.number for standing in standings) == [0, 1, 2]
    wins = [standing.win for standing in standings]
    assert wins == sorted(wins, reverse=True)
    assert sum(wins) == pytest.approx(1.5)  # every game has one winner or two halves
    assert [s.number for s in rank("A", [NET], NARROW, 4, Workers())] == [0]


def test_rank_plays_no_deal_of_a_promotion(monkeypatch: pytest.MonkeyPatch) -> None:
    played: set[tuple[int, int]] = set()

    def play_match(
        rules: Any, players: Any, seed: int, first: int, count: int, **_: Any
    ) -> list[list[tuple[int, int]]]:
        played.update((seed, deal) for deal in range(first, first + count))
        return [[(1, 0), (0, 1)]] * count

    monkeypatch.setattr("harmonies_core.learning.evaluation.play_match", play_match)
    player = ("net", NET, NARROW)
    for match in range(100):  # as many rounds of matches as a long training has
        mirrored("A", player, player, 200, Workers(), 200 * match)
    promotions, played = played, set()
    rank("A", [NET, NET, NET], NARROW, 800, Workers())
    assert len(played) == 800
    assert not played & promotions


# Weights files -------------------------------------------------------------------------------

OTHER = Trainer(6, 100).weights()
FILE = pack_weights([NET, OTHER, OTHER, NET], {"version": "1"})


def test_weights_file() -> None:
    weights = Weights.from_bytes(FILE, "x")
    kinds = [(side, spirits) for side in ("A", "B") for spirits in (False, True)]
    assert [weights.parameters(*kind) for kind in kinds] == [NET, OTHER, OTHER, NET]
    assert weights.header["version"] == "1"
    assert weights.header["networks"] == ["A", "A spirits", "B", "B spirits"]


def test_weights_file_with_one_network_a_side() -> None:
    """Files from before there were networks for spirits."""
    header = json.loads(FILE.split(b"\n", 2)[1])
    del header["networks"]
    header["sha256"] = hashlib.sha256(NET + OTHER).hexdigest()
    old = b"harmonies-weights 1\n" + json.dumps(header).encode() + b"\n" + NET + OTHER
    weights = Weights.from_bytes(old, "x")
    for spirits in (False, True):
        assert weights.parameters("A", spirits) == NET
        assert weights.parameters("B", spirits) == OTHER


@pytest.mark.parametrize("spirits", [False, True])
@pytest.mark.parametrize("side", ["A", "B"])
def test_every_kind_of_game_has_its_network(side: str, spirits: bool) -> None:
    """A blank network expects no points to come, another one does."""
    blank = bytes(len(NET))
    kinds = [("A", False), ("A", True), ("B", False), ("B", True)]
    parameters = [blank if kind == (side, spirits) else NET for kind in kinds]
    weights = Weights.from_bytes(pack_weights(parameters, {}))
    for kind in kinds:
        position = Position.start(2, kind[0], spirits=kind[1])
        now = [score.total for score in position.scores()]
        assert (expected_points(position, weights) == now) == (kind == (side, spirits))


def body_with(value: float) -> bytes:
    floats = np.frombuffer(NET, dtype=np.float32).copy()
    floats[77] = value
    return pack_weights([NET, NET, floats.tobytes(), NET], {})


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"", "not a weights file"),
        (b"harmonies-weights 2\n" + FILE.split(b"\n", 1)[1], "not a weights file"),
        (b"harmonies-weights 1\n", "no JSON"),
        (b"harmonies-weights 1\n[]\n", "no JSON object"),
        (b"harmonies-weights 1\n{}\n", "features"),
        (FILE.replace(b'"features": 2', b'"features": 0', 1), "features"),
        (FILE.replace(b'"shape": [', b'"shape": [1, ', 1), "shape"),
        (FILE.replace(b'"B spirits"', b'"B solo"', 1), "for networks"),
        (FILE[:-1], "bytes of parameters"),
        (FILE + b"\0", "bytes of parameters"),
        (FILE[:-1] + bytes([FILE[-1] ^ 1]), "damaged"),
        (body_with(math.nan), "finite"),
        (body_with(-math.inf), "finite"),
    ],
)
def test_wrong_weights_files(data: bytes, wanted: str, tmp_path: Any) -> None:
    with pytest.raises(WeightsError, match=wanted) as caught:
        Weights.from_bytes(data, "net.weights")
    assert str(caught.value).startswith("net.weights: ")
    file = tmp_path / "net.weights"
    file.write_bytes(data)
    with pytest.raises(WeightsError, match=wanted):
        load_weights(file)


def test_no_weights_file(tmp_path: Any) -> None:
    with pytest.raises(WeightsError, match="none"):
        load_weights(tmp_path / "none")
    with pytest.raises(ValueError, match="bytes of parameters"):
        pack_weights([NET[1:], NET, NET, NET], {})


def test_searched_candidates_become_samples() -> None:
    """Every target is what the look-ahead expects; none claims to know the end."""
    net = Trainer(1, 400).weights()
    plain = Settings("A", 1, mixture=(Configuration(2, False, 1),), others=0, whim=0)
    looking = replace(plain, look=(4, 2), look_after=0)
    games = play_games(looking.plan(), net, 1, 0, 1)
    searched = [moment for moment in games.moments() if moment[6] < -1000]
    played = [moment for moment in games.moments() if moment[6] >= -1000]
    turns = max(len([m for m in played if m[1] == seat]) for seat in (0, 1))
    assert len(searched) > turns
    assert all(-200 < target < 200 for *_, target, _, _ in searched)
    assert play_games(looking.plan(), net, 1, 0, 1).moments() == games.moments()


def test_lambda_falls_until_the_look_ahead_begins() -> None:
    """Targets in self-play: the value is a mixture, so they tell lambda where it is 0 or 1."""
    settings = Settings("A", 1, decay=1.0, last_decay=0.0, look_after=10, whim=0)
    net = Trainer(1, 400).weights()
    for done, certain in ((0, True), (5, False), (10, False)):
        played = play_games(settings.plan(done), net, 1, 0, 1).moments()
        own = [m for m in played if m[4] is None and m[6] >= -1000]
        assert own
        assert all((m[5] == pytest.approx(m[6], abs=1e-3)) for m in own) == certain


def test_look_ahead_begins_after_so_many_games() -> None:
    settings = Settings("A", 1, look=(4, 2), look_after=10)
    net = Trainer(1, 400).weights()
    before = play_games(settings.plan(9), net, 1, 0, 1)
    after = play_games(settings.plan(10), net, 1, 0, 1)
    assert not any(moment[6] < -1000 for moment in before.moments())
    assert any(moment[6] < -1000 for moment in after.moments())


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "."])
def test_only_regular_files_are_weights(name: str) -> None:
    with pytest.raises(WeightsError, match=r"no regular file|is a directory"):
        load_weights(name)


def test_mean_network() -> None:
    first, second = (np.array(x, np.float32) for x in ([1, -2, 1e-3], [2, 4, 3e-3]))
    mean = np.frombuffer(mean_network([first.tobytes(), second.tobytes()]), np.float32)
    assert mean == pytest.approx([1.5, 1, 2e-3])
    net = bytes(np.linspace(-1, 1, 99, dtype=np.float32))
    assert mean_network([net, net, net]) == net
