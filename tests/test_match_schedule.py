"""Which games are played, with which deals, and how results are counted."""

import itertools
import math
from collections import Counter

import pytest

from engine_cli.match.config import Engine, RulesChoice, Tournament
from engine_cli.match.limits import Limits
from engine_cli.match.outcome import Outcome, SeatOutcome
from engine_cli.match.schedule import Schedule, ScheduleError
from engine_cli.match.standings import Standings
from engine_cli.match.stats.sprt import Sprt


def tournament(
    engines: int, players: int, format: str = "round-robin", **values: int
) -> Tournament:
    named = tuple(Engine(f"e{n}", limits=Limits(nodes=1)) for n in range(engines))
    return Tournament(named, format, RulesChoice(players=players), **values)


@pytest.mark.parametrize(
    ("engines", "players", "format", "lineups"),
    [
        (2, 2, "match", [(0, 1)]),
        (3, 2, "round-robin", [(0, 1), (0, 2), (1, 2)]),
        (4, 2, "gauntlet", [(0, 1), (0, 2), (0, 3)]),
        (3, 3, "round-robin", [(0, 1, 2)]),
        (4, 3, "round-robin", [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        (4, 3, "gauntlet", [(0, 1, 2), (0, 1, 3), (0, 2, 3)]),
        (2, 4, "match", [(0, 0, 1, 1)]),
        (2, 3, "match", [(0, 0, 1), (0, 1, 1)]),
        (3, 4, "round-robin", [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]),
        (3, 1, "round-robin", [(0,), (1,), (2,)]),
    ],
)
def test_lineups(engines: int, players: int, format: str, lineups: list[tuple[int, ...]]) -> None:
    assert list(Schedule(tournament(engines, players, format)).lineups) == lineups


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("engines", [2, 3, 5])
def test_groups_are_one_deal_in_all_rotations(engines: int, players: int) -> None:
    schedule = Schedule(tournament(engines, players, rounds=3))
    games = list(schedule)
    assert len(games) == len(schedule) == 3 * len(schedule.lineups) * players
    assert [game.index for game in games] == list(range(len(games)))
    assert len({game.id for game in games}) == len(games)
    for _, group in itertools.groupby(games, lambda game: game.index // players):
        first, *rest = group
        for number, game in enumerate(rest, 1):
            assert game.seed == first.seed
            assert game.seats == first.seats[number:] + first.seats[:number]
    deals = Counter(game.seed for game in games)
    if players == 1:  # all engines play the same deals
        assert set(deals.values()) == {engines}
    else:
        assert set(deals.values()) == {players}
    for seat in range(players):  # every engine has every seat equally often
        assert len(set(Counter(game.seats[seat] for game in games).values())) == 1
    assert all(0 <= seed < 2**60 for seed in deals)


def test_schedule_follows_from_the_seed_alone() -> None:
    one, again, other = (list(Schedule(tournament(4, 3, seed=seed))) for seed in (1, 1, 2))
    assert one == again
    assert {game.seed for game in one}.isdisjoint({game.seed for game in other})


def test_more_rounds_only_add_games() -> None:
    few, many = (list(Schedule(tournament(4, 3, rounds=rounds))) for rounds in (2, 5))
    assert many[: len(few)] == few


@pytest.mark.parametrize(
    ("engines", "players", "format", "words"),
    [(1, 2, "round-robin", "at least two"), (3, 2, "match", "two engines, not 3")],
)
def test_what_makes_no_schedule(engines: int, players: int, format: str, words: str) -> None:
    with pytest.raises(ScheduleError, match=words):
        Schedule(tournament(engines, players, format))


# -- counting -------------------------------------------------------------------------------


def seat(engine: int, points: int, rank: int, fault: str = "") -> SeatOutcome:
    return SeatOutcome(engine, points, 1, rank, (points, 0, 0, 0, 0, 0, 0), 9, 90, 1.0, 9, 2, fault)


def outcome(index: int, *seats: SeatOutcome, end: str = "normal") -> Outcome:
    return Outcome(index, seats, "", end, None, "2026-01-01 00:00:00", 5)


def pair(number: int, first: tuple[int, int], second: tuple[int, int]) -> list[Outcome]:
    """Two games on one deal; the points of engines 0 and 1 in each."""

    def ranks(a: int, b: int) -> tuple[int, int]:
        return (1, 1) if a == b else ((1, 2) if a > b else (2, 1))

    (a, b), (c, d) = first, second
    return [
        outcome(2 * number, seat(0, a, ranks(a, b)[0]), seat(1, b, ranks(a, b)[1])),
        outcome(2 * number + 1, seat(1, d, ranks(c, d)[1]), seat(0, c, ranks(c, d)[0])),
    ]


PAIRS = [
    pair(0, (90, 80), (70, 70)),  # 1½ points for engine 0, margin 5
    pair(1, (60, 90), (90, 60)),  # 1 point, margin 0
    pair(2, (50, 60), (70, 90)),  # 0 points, margin -15
]


def standings(rounds: int = 3, sprt: Sprt | None = None) -> Standings:
    both = tournament(2, 2, rounds=rounds)
    return Standings(both, Schedule(both), sprt)


def test_figures_of_a_small_match() -> None:
    found = standings()
    for game in itertools.chain(*PAIRS):
        found.add(game)
    first, second = found.engines
    met = found.pairs[0, 1]
    assert (first.wins, first.draws, first.losses) == (2, 1, 3) == (met.wins, met.draws, met.losses)
    assert (second.wins, second.draws, second.losses) == (3, 1, 2)
    assert met.groups == [1, 0, 1, 1, 0]
    assert met.margin.mean == pytest.approx((5 + 0 - 15) / 3)
    # margins 5, 0, -15: sample variance 325/3
    assert met.margin.error == pytest.approx(math.sqrt(325 / 3 / 3))
    assert first.points.mean == pytest.approx((80 + 75 + 60) / 3)
    assert first.score.mean == pytest.approx(2.5 / 6)
    assert first.categories["trees"].mean == first.points.mean


@pytest.mark.parametrize("order", list(itertools.permutations(range(6)))[::37])
def test_order_of_arrival_does_not_matter(order: tuple[int, ...]) -> None:
    games = list(itertools.chain(*PAIRS))
    straight, mixed = standings(), standings()
    for game in games:
        straight.add(game)
    for place in order:
        mixed.add(games[place])
    assert mixed.engines == straight.engines
    assert mixed.pairs == straight.pairs


def test_what_lies_beyond_a_gap_waits_and_counts_at_the_end() -> None:
    found = standings()
    for game in (*PAIRS[0], PAIRS[1][1], *PAIRS[2]):
        found.add(game)
    assert (found.finished, found.counted) == (5, 2)
    found.close_gaps()
    assert found.counted == 5
    assert found.pairs[0, 1].groups == [1, 0, 0, 1, 0]  # the second pair is not whole


def test_a_game_counts_once() -> None:
    found = standings()
    found.add(PAIRS[0][0])
    with pytest.raises(ValueError, match="game 0 was played twice"):
        found.add(PAIRS[0][0])


def test_forfeits_count_as_losses_and_not_as_points() -> None:
    found = standings(1)
    found.add(outcome(0, seat(0, 5, 2, "crash"), seat(1, 3, 1), end="crash"))
    found.add(outcome(1, seat(1, 80, 2), seat(0, 90, 1)))
    first = found.engines[0]
    assert (first.wins, first.losses, first.finished) == (1, 1, 1)
    assert first.points.mean == 90
    assert first.faults == {"crash": 1}
    assert found.pairs[0, 1].groups == [0, 0, 1, 0, 0]


def test_decision_depends_on_the_schedule_not_on_arrival() -> None:
    test = Sprt(0, 200, alpha=0.2, beta=0.2)
    games = [game for n in range(40) for game in pair(n, (90, 80), (90, 80))]
    straight, mixed = standings(40, test), standings(40, test)
    for game in games:
        straight.add(game)
    for start in range(0, 80, 8):
        for game in reversed(games[start : start + 8]):
            mixed.add(game)
    assert straight.decision == "H1"
    assert 0 < straight.counted < 80
    assert (mixed.counted, mixed.llr, mixed.engines) == (
        straight.counted,
        straight.llr,
        straight.engines,
    )
    assert straight.llr >= test.upper


def test_three_seats_by_rank() -> None:
    three = tournament(3, 3, rounds=1)
    schedule = Schedule(three)
    found = Standings(three, schedule)
    for game in schedule:
        # engine 0 always first, 1 and 2 share the second place
        seats = [seat(engine, 90 - 10 * (engine > 0), 1 + (engine > 0)) for engine in game.seats]
        found.add(outcome(game.index, *seats))
    assert [tally.rank.mean for tally in found.engines] == [1, 2, 2]
    assert [tally.wins for tally in found.engines] == [3, 0, 0]
    assert [tally.score.mean for tally in found.engines] == pytest.approx([1, 0.25, 0.25])
    assert found.pairs[1, 2].score.mean == 0.5
    assert found.ratings is not None
    assert found.ratings[0].mean > found.ratings[1].mean


def test_solo_engines_are_compared_on_the_same_deals() -> None:
    solo = tournament(2, 1, rounds=2)
    found = Standings(solo, Schedule(solo))
    for index, points in enumerate((80, 70, 100, 94)):
        found.add(outcome(index, seat(index % 2, points, 1)))
    assert found.pairs[0, 1].margin.mean == 8
    assert found.pairs[0, 1].margin.error == pytest.approx(2)
    assert found.engines[0].points.mean == 90
