"""The mathematics of tournaments, against published figures and against SciPy."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce
from scipy import optimize, stats

from engine_cli.match.stats.elo import NORMALIZED, elo_of_score, estimate, score_of_elo
from engine_cli.match.stats.outcomes import moments
from engine_cli.match.stats.points import Mean
from engine_cli.match.stats.ratings import Ratings
from engine_cli.match.stats.sprt import Model, Sprt

Counts = tuple[int, int, int, int, int]

# Pairs with 0, ½, 1, 1½, 2 points. The first five: the unit tests of fastchess
# (https://github.com/Disservin/fastchess, app/tests/sprt_test.cpp; WL and DD joined). The last two:
# results of an OpenBench server as published with
# https://github.com/official-clockwork/Clockwork/pull/364.
PUBLISHED_LLR: list[tuple[Counts, float, float, Model, float]] = [
    ((365, 16618, 36029 + 200, 16974, 390), 0, 2, "normalized", 2.25),
    ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, "normalized", 3.01),
    ((0, 0, 0, 0, 5550), 0, 5, "normalized", 111.82),
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, "logistic", -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0, 2, "logistic", -4.98),
    ((398, 4112, 7672, 4336, 430), 0, 3, "normalized", 2.96),
    ((56, 1144, 2546, 1310, 77), 0, 3, "normalized", 2.95),
]

# Elo and normalized Elo with half of their 95 % intervals. The first three: fastchess,
# app/tests/elo_test.cpp; then https://github.com/codedeliveryservice/Reckless/wiki/Progress-Tracking
# and the pull request above.
PUBLISHED_ELO: list[tuple[Counts, float, float, float, float]] = [
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 57.94, 28.28),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, -9.17, 10.96),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ((59, 1751, 4800, 3267, 169), 30.09, 2.56, 56.71, 4.80),
    ((398, 4112, 7672, 4336, 430), 2.95, 2.18, math.nan, math.nan),
    ((56, 1144, 2546, 1310, 77), 7.04, 3.62, math.nan, math.nan),
]

counted = st.tuples(*[st.integers(0, 300)] * 5).filter(lambda c: sum(n > 0 for n in c) > 1)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "llr"), PUBLISHED_LLR)
def test_published_llr(counts: Counts, elo0: float, elo1: float, model: Model, llr: float) -> None:
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, abs=0.006, rel=3e-4)


@pytest.mark.parametrize(("counts", "elo", "error", "normalized", "reach"), PUBLISHED_ELO)
def test_published_elo(
    counts: Counts, elo: float, error: float, normalized: float, reach: float
) -> None:
    found = estimate(counts)
    assert (found.diff, found.error) == (
        pytest.approx(elo, abs=0.006),
        pytest.approx(error, abs=0.006),
    )
    if not math.isnan(normalized):  # not published with the others
        assert found.normalized == pytest.approx(normalized, abs=0.006)
        assert found.normalized_error == pytest.approx(reach, abs=0.006)


def test_published_superiority() -> None:
    """From app/tests/elo_test.cpp of fastchess."""
    assert estimate((332, 433, 457 + 41, 333, 334)).los == pytest.approx(0.0505, abs=5e-5)


def test_bounds_of_wald() -> None:
    test = Sprt(0, 5)
    assert (test.lower, test.upper) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))


def constrained_likelihood(counts: Counts, model: Model, elo: float) -> float:
    """Largest log-likelihood under a hypothesis, by a general optimizer."""
    values = np.arange(5) / 4
    seen = np.array([count or 1e-3 for count in counts])
    shares = seen / seen.sum()

    def gap(p: np.ndarray) -> float:
        mean = p @ values
        if model == "logistic":
            return float(mean - score_of_elo(elo))
        deviation = math.sqrt(max(p @ (values - mean) ** 2, 1e-18))
        return float((mean - 0.5) / deviation - elo / NORMALIZED * math.sqrt(2))

    found = optimize.minimize(
        lambda p: -float(shares @ np.log(p)),
        shares,
        jac=lambda p: -shares / p,
        bounds=[(1e-12, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": gap},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success, found.message
    return -float(found.fun) * float(seen.sum())


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize(
    "counts", [(12, 40, 100, 45, 20), (30, 1, 55, 2, 28), (10, 80, 130, 90, 25)]
)
def test_llr_against_an_optimizer(counts: Counts, model: Model) -> None:
    expected = constrained_likelihood(counts, model, 20) - constrained_likelihood(counts, model, -5)
    assert Sprt(-5, 20, model=model).llr(counts) == pytest.approx(expected, abs=2e-3)


@given(counted)
@settings(max_examples=50)
def test_moments_against_numpy(counts: Counts) -> None:
    sample = np.repeat(np.arange(5) / 4, counts)
    found = moments(counts)
    assert found.mean == pytest.approx(sample.mean())
    assert found.variance == pytest.approx(sample.var())
    assert found.error == pytest.approx(stats.sem(sample, ddof=0))


@given(counted)
@settings(max_examples=50)
def test_interval_and_superiority_against_scipy(counts: Counts) -> None:
    sample = np.repeat(np.arange(5) / 4, counts)
    error = stats.sem(sample, ddof=0)
    low, high = stats.norm.interval(0.95, sample.mean(), error)
    found = estimate(counts)
    assert found.los == pytest.approx(stats.norm.sf(0.5, sample.mean(), error))
    for end, score in ((found.low, low), (found.high, high)):
        if 0 < score < 1:
            assert score_of_elo(end) == pytest.approx(score)
        else:
            assert math.isinf(end)


@given(counted)
@settings(max_examples=50)
def test_llr_turns_round_with_the_players(counts: Counts) -> None:
    forward = Sprt(-3, 7).llr(counts)
    backward = Sprt(-7, 3).llr(counts[::-1])
    assert forward == pytest.approx(-backward, abs=1e-6, rel=1e-6)


def test_no_games_and_games_that_all_end_alike() -> None:
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0
    assert estimate((0, 0, 0, 0, 0)).los == 0.5
    assert estimate((0, 0, 9, 0, 0)).diff == 0
    assert estimate((0, 0, 0, 0, 9)).diff == math.inf
    assert estimate((0, 0, 0, 0, 1)).los == 0.5


@pytest.mark.parametrize("pairs", [1, 5, 60])
def test_interval_of_a_whitewash_against_scipy(pairs: int) -> None:
    exact = stats.binomtest(pairs, pairs).proportion_ci(0.95, "exact")
    won, lost = estimate((0, 0, 0, 0, pairs)), estimate((pairs, 0, 0, 0, 0))
    assert score_of_elo(won.low) == pytest.approx(exact.low)
    assert (won.high, lost.low, lost.high) == (math.inf, -math.inf, pytest.approx(-won.low))


def test_elo_of_score_both_ways() -> None:
    assert elo_of_score(0.76) == pytest.approx(200, abs=1)  # the table of FIDE's handbook, B.02
    for elo in (-700.0, 0.0, 3.5, 200.0):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


@pytest.mark.parametrize(
    "bounds", [(5, 0), (0, 0), (0, math.inf), (math.nan, 1)], ids=["down", "same", "inf", "nan"]
)
def test_bounds_that_make_no_test(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="not less than"):
        Sprt(*bounds)


def test_error_rates_that_make_no_test() -> None:
    with pytest.raises(ValueError, match="alpha is 0"):
        Sprt(0, 5, alpha=0)
    with pytest.raises(ValueError, match=r"beta is 0\.5"):
        Sprt(0, 5, beta=0.5)


def test_false_alarms_are_as_rare_as_promised() -> None:
    """Two equal players, wide bounds: H1 is accepted in about 5 % of runs, H0 in the others.

    The long run with the bounds 0 and 5 is benchmarks/sprt_simulation.py.
    """
    chance = np.array([0.22, 0.06, 0.44, 0.06, 0.22])
    rng = np.random.default_rng(1)
    test = Sprt(0, 100, model="normalized")
    wrong = 0
    for _ in range(200):
        counts = np.zeros(5, dtype=int)
        verdict = None
        while verdict is None:
            counts += rng.multinomial(2, chance)
            verdict = test.decision(counts.tolist())
        wrong += verdict == "H1"
    # 5 % of 200 are 10; the chance of more than 19 is below 1 in 300
    assert wrong <= stats.binom.ppf(0.997, 200, 0.05)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=50))
def test_mean_and_error_against_scipy(values: list[float]) -> None:
    mean = Mean()
    for value in values:
        mean.add(value)
    assert mean.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert mean.error == pytest.approx(stats.sem(values), abs=1e-9, rel=1e-6)


def test_mean_of_little() -> None:
    mean = Mean()
    assert mean.error == math.inf
    mean.add(3)
    assert (mean.mean, mean.error) == (3, math.inf)


def test_ratings_are_those_of_openskill() -> None:
    model = PlackettLuce(tau=0.0)
    teams = [[model.rating()] for _ in range(4)]
    ratings = Ratings(4)
    for ranks in ([1, 2, 3, 4], [2, 1, 3, 3], [4, 3, 2, 1]):
        teams = model.rate(teams, ranks=ranks)
        ratings.add([0, 1, 2, 3], ranks)
    for place in range(4):
        assert ratings[place].mean == pytest.approx(teams[place][0].mu)
        assert ratings[place].deviation == pytest.approx(teams[place][0].sigma)


def test_ratings_find_the_order_of_strength() -> None:
    """Finishing orders drawn from a Plackett-Luce model with known strengths."""
    rng = random.Random(5)
    worth = [4.0, 2.0, 1.0, 0.5]
    ratings = Ratings(4)
    for _ in range(300):
        left, order = list(range(4)), []
        while left:
            order.append(rng.choices(left, [worth[player] for player in left])[0])
            left.remove(order[-1])
        ratings.add(range(4), [order.index(player) + 1 for player in range(4)])
    means = [ratings[player].mean for player in range(4)]
    assert means == sorted(means, reverse=True)
    assert ratings[0].mean - ratings[0].reach > ratings[3].mean + ratings[3].reach


def test_player_with_two_seats_gets_one_rating() -> None:
    ratings = Ratings(2)
    for _ in range(20):
        ratings.add([0, 0, 1, 1], [1, 2, 3, 4])
    assert ratings[0].mean > 25 > ratings[1].mean


@given(counted, st.floats(-200, 199), st.floats(0, 1), st.sampled_from(["normalized", "logistic"]))
def test_any_results_have_a_ratio(counts: Counts, elo0: float, part: float, model: Model) -> None:
    elo1 = elo0 + 1 + part * (199 - elo0)
    assert math.isfinite(Sprt(elo0, min(elo1, 200), model=model).llr(counts))


def test_normalized_bounds_are_not_too_wide() -> None:
    with pytest.raises(ValueError, match="from -200 to 200"):
        Sprt(0, 201)
    assert Sprt(0, 600, model="logistic").llr((0, 0, 0, 0, 9)) > 0


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_whitewash_is_decided_soon(model: Model) -> None:
    test = Sprt(0, 100, model=model)
    assert next(n for n in range(1, 100) if test.decision((0, 0, 0, 0, n))) < 40
    assert next(n for n in range(1, 100) if test.decision((n, 0, 0, 0, 0))) < 40
