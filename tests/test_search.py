"""Every algorithm: a legal turn whatever is asked, the same turn again, and a good one."""

import os
import subprocess
import sys
import threading

import pytest
from walk import walk

from harmonies_core import Position, Rules, Turn
from harmonies_core.errors import PositionError
from harmonies_core.search.base import expected_points
from harmonies_core.search.searcher import (
    ALGORITHMS,
    Limit,
    Line,
    StopFlag,
    make_searcher,
    search,
)

CONFIGURATIONS = [
    Rules(players, side, spirits=spirits)
    for players in (1, 2, 3, 4)
    for side in "AB"
    for spirits in (False, True)
]
THINKERS = [name for name in ALGORITHMS if name != "random"]


def is_whole(position: Position, turn: Turn) -> bool:
    after = position.copy()
    after.push(turn)
    return after.between_turns or after.phase != "turn" or after.seat != position.seat


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=str)
def test_turns_are_legal_in_every_configuration(rules: Rules, algorithm: str) -> None:
    for seed in range(4):
        position = walk(rules, seed, rules.players * 4 * seed, middle=seed == 2)
        if position.phase not in ("spirit", "turn"):
            continue
        lines = search(position, Limit(nodes=4000), algorithm=algorithm, multipv=3)
        for line in lines:
            assert is_whole(position, line.turn)
            assert "/" not in str(line.turn)
            assert len(line.seats) == rules.players
            assert sum(line.wdl) == 1000
            assert min(line.wdl) >= 0
        texts = [str(line.turn) for line in lines]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("nodes", [1, 2, 10, 100])
def test_a_tiny_limit_still_gives_a_turn(algorithm: str, nodes: int) -> None:
    position = walk(Rules(), 8, 6)
    (line,) = search(position, Limit(nodes=nodes), algorithm=algorithm)
    assert is_whole(position, line.turn)


@pytest.mark.parametrize("algorithm", THINKERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_node_limit_holds(algorithm: str, threads: int) -> None:
    """To within the few landscapes that a thread values between two looks at the limit."""
    for nodes in (3_000, 60_000, 200_000):
        searcher = make_searcher(algorithm, threads=threads)
        (line,) = search(walk(Rules(), 8, 6), Limit(nodes=nodes), searcher=searcher)
        assert line.nodes <= nodes + 400 * threads


def test_more_rounds_are_looked_at_with_more_time() -> None:
    """Turns looked at: one's own and those of both seats until one's next and next but one."""
    position = walk(Rules(), 8, 6)
    seen = [search(position, Limit(nodes=n))[0].seldepth for n in (100, 60_000, 400_000)]
    assert seen[0] == 1
    assert seen[1] == 3
    assert seen[2] >= 5


def test_where_time_allows_the_game_is_played_to_its_end() -> None:
    """Further than three rounds of two seats, but no turn without three tokens to refill with."""
    position = walk(Rules(), 8, 14)
    (line,) = search(position, Limit(nodes=400_000))
    assert 1 + 2 * 3 < line.seldepth <= 1 + sum(position.bag.values()) // 3


def test_nothing_is_looked_at_after_the_last_turn() -> None:
    position = walk(Rules(), 8, 99)
    (line,) = search(position, Limit(nodes=400_000))
    position.push(line.turn)
    assert position.is_over()
    assert line.seldepth == 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_search_that_is_stopped_before_it_begins(algorithm: str) -> None:
    stop = StopFlag()
    stop.set()
    position = walk(Rules(), 9, 8)
    (line,) = search(position, algorithm=algorithm, stop=stop)
    assert is_whole(position, line.turn)


def told(lines: list[Line]) -> list[tuple[object, ...]]:
    """All but the time."""
    return [(x.turn, x.seats, x.sd, x.wdl, x.depth, x.seldepth, x.nodes) for x in lines]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_nodes_and_seed_give_the_same_answer(algorithm: str) -> None:
    searcher = make_searcher(algorithm, seed=5)
    for seed in range(3):
        position = walk(Rules(), seed, 2 + 5 * seed)
        searcher.forget()
        first = search(position, Limit(nodes=20_000), searcher=searcher, multipv=4)
        searcher.forget()
        again = search(position, Limit(nodes=20_000), searcher=searcher, multipv=4)
        fresh = search(position, Limit(nodes=20_000), algorithm=algorithm, seed=5, multipv=4)
        assert told(first) == told(again) == told(fresh)


@pytest.mark.parametrize("algorithm", THINKERS)
def test_what_was_searched_before_is_no_danger(algorithm: str) -> None:
    """Memory that is kept between turns must not leak into another game's rules."""
    searcher = make_searcher(algorithm)
    for rules in (Rules(), Rules(side="B"), Rules(4, spirits=True), Rules(1), Rules()):
        for turns in (0, 3, 6):
            position = walk(rules, 1, turns * rules.players)
            (line,) = search(position, Limit(nodes=6000), searcher=searcher)
            assert is_whole(position, line.turn)


@pytest.mark.parametrize("algorithm", THINKERS)
def test_the_last_turn_is_worth_exactly_its_points(algorithm: str) -> None:
    """The opponent has ended the game: one's own last turn is simply the most points."""
    checked = 0
    for seed in range(40):
        position = last_turn(seed)
        if position is None:
            continue
        checked += 1
        (line,) = search(position, Limit(nodes=50_000), algorithm=algorithm)
        after = position.copy()
        after.push(line.turn)
        assert after.is_over()
        assert line.seats[position.seat - 1] == 100 * after.scores()[position.seat - 1].total
        best = max(total_after(position, turn) for turn in position.turns())
        assert total_after(position, line.turn) >= best - 1
    assert checked >= 5


def last_turn(seed: int) -> Position | None:
    """A position in which seat 2 plays the last turn of the game, if the walk leads to one."""
    position = None
    for turns in range(9, 40, 2):
        position = walk(Rules(), seed, turns)
        if position.seat == 2 and position.phase == "turn" and position.empties(1) <= 2:
            return position if position.empties(2) <= 7 else None
    return None


def total_after(position: Position, turn: Turn) -> int:
    after = position.copy()
    after.push(turn)
    return after.scores()[position.seat - 1].total


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_given_turns_are_all_there_is(algorithm: str) -> None:
    position = walk(Rules(), 4, 10)
    turns = [position.turns()[i] for i in (0, 7, 50)]
    lines = search(position, Limit(nodes=5000), algorithm=algorithm, multipv=9, searchmoves=turns)
    ends = {end(position, turn) for turn in turns}
    assert {end(position, line.turn) for line in lines} == ends


def end(position: Position, turn: Turn) -> str:
    after = position.copy()
    after.push(turn)
    return after.hfen()


def test_half_a_turn_cannot_be_asked_for() -> None:
    position = Position.start()
    with pytest.raises(PositionError, match="is not a whole turn"):
        search(position, searchmoves=[Turn("g1")])


@pytest.mark.parametrize("algorithm", ["expectimax", "mcts"])
def test_threads_share_the_work(algorithm: str) -> None:
    position = walk(Rules(), 2, 4)
    searcher = make_searcher(algorithm, threads=3)
    (line,) = search(position, Limit(nodes=30_000), searcher=searcher)
    assert is_whole(position, line.turn)
    assert line.nodes >= 20_000


@pytest.mark.parametrize("nodes", [4000, 40_000])
@pytest.mark.parametrize("threads", [2, 8, 64])
def test_threads_use_the_nodes_that_are_allowed(threads: int, nodes: int) -> None:
    searcher = make_searcher("expectimax", threads=threads)
    (line,) = search(walk(Rules(), 5, 4), Limit(nodes=nodes), searcher=searcher)
    assert 0.8 * nodes <= line.nodes <= nodes + 400 * threads


@pytest.mark.parametrize(("threads", "lines"), [(2, 4), (3, 3)])
def test_threads_find_what_one_finds(threads: int, lines: int) -> None:
    """Their number decides who does what, not what is found, where no limit cuts it short.

    So many lines that all threads have something to do until the end: else more are looked at.
    A tie between replies may fall otherwise, which is a few hundredths of a point in the mean.
    """
    for seed in (3, 8, 11):
        position = walk(Rules(), seed, 6)
        alone, shared = (
            [
                line.seats
                for line in search(
                    position,
                    Limit(depth=3),
                    searcher=make_searcher("expectimax", threads=number),
                    multipv=lines,
                )
            ]
            for number in (1, threads)
        )
        for one, other in zip(alone, shared, strict=True):
            assert other == pytest.approx(one, abs=25)


@pytest.mark.parametrize("algorithm", THINKERS)
def test_without_looking_ahead_the_others_are_seen_after_the_turn(algorithm: str) -> None:
    """What a turn changes for the others (cells left, tokens gone) is in what is expected."""
    for seed, players in ((1, 2), (2, 3), (3, 4)):
        position = walk(Rules(players), seed, players * 4)
        searcher = make_searcher(algorithm)
        for line in search(position, Limit(depth=1), searcher=searcher, multipv=5):
            after = position.copy()
            after.push(line.turn)
            points = expected_points(after, searcher.weights)
            for seat in range(players):
                if seat != position.seat - 1:
                    assert line.seats[seat] == round(100 * points[seat])


def test_depth_one_is_greedy() -> None:
    position = walk(Rules(), 6, 4)
    for algorithm in ("expectimax", "mcts"):
        (line,) = search(position, Limit(depth=1), algorithm=algorithm)
        assert (line.depth, line.seldepth) == (1, 1)


def test_alone_nobody_can_lose() -> None:
    position = walk(Rules(1), 6, 4)
    for algorithm in ALGORITHMS:
        (line,) = search(position, Limit(nodes=3000), algorithm=algorithm)
        assert line.wdl == (1000, 0, 0)


def test_assumed_refills_are_marked_and_the_line_can_be_played() -> None:
    position = walk(Rules(3), 6, 7)
    (line,) = search(position, Limit(depth=2))
    assert line.pv[0].without_chance() == line.turn
    assert len(line.pv) == 4
    after = position.copy()
    for turn in line.pv[:-1]:
        assert turn.chance
        after.push(turn)
    assert not line.pv[-1].chance
    after.push(line.pv[-1])


def test_the_search_cannot_know_the_deal() -> None:
    """A seed in the text of a position says how a dealer goes on; the search must not use it."""
    text = walk(Rules(), 1, 4).hfen()
    answers = [
        told(search(Position.from_hfen(f"{text} seed:{seed}"), Limit(nodes=20_000)))
        for seed in (1, 2, 3)
    ]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "alphabeta"}, "algorithm: 'alphabeta' is not one of"),
        ({"objective": "fame"}, "objective: 'fame' is not one of win, points"),
        ({"threads": 0}, "threads: 0 is not a number from 1 to 64"),
        ({"strength": 11}, "strength: 11 is not a number from 1 to 10"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_searcher(**arguments)  # type: ignore[arg-type]


def test_each_level_plays_legal_turns() -> None:
    position = walk(Rules(), 3, 6)
    for strength in range(1, 11):
        searcher = make_searcher(strength=strength)
        (line,) = search(position, Limit(nodes=20_000), searcher=searcher)
        assert is_whole(position, line.turn)


def test_a_weak_level_does_not_falsify_what_is_expected() -> None:
    """It misjudges when it chooses; what is reported is the value of its turn without that."""
    position = walk(Rules(), 3, 6)
    for strength in (1, 4, 7):
        searcher = make_searcher(strength=strength)
        (line,) = search(position, Limit(nodes=20_000), searcher=searcher)
        (same,) = search(position, Limit(), algorithm="random", searchmoves=[line.turn])
        assert line.seats == same.seats


@pytest.mark.parametrize("algorithm", ["expectimax", "mcts"])
@pytest.mark.parametrize("threads", [-1, 0, 65, 200])
def test_wrong_number_of_threads_set_later(algorithm: str, threads: int) -> None:
    searcher = make_searcher(algorithm)
    searcher.threads = threads
    with pytest.raises(ValueError, match="is not a number from 1 to 64"):
        searcher.think(Position.start(), Limit(nodes=100))


def test_number_of_threads_changes() -> None:
    searcher = make_searcher("expectimax")
    position = walk(Rules(), 2, 4)
    for threads in (2, 4, 1, 3):
        searcher.threads = threads
        found, _, nodes = searcher.think(position, Limit(nodes=3000))
        assert is_whole(position, found[0].turn)
        assert nodes >= 2400


FORKED = """
import os, sys
from harmonies_core import Position
from harmonies_core.search.searcher import Limit, make_searcher
searcher = make_searcher(sys.argv[1], threads=3)
searcher.think(Position.start(), Limit(nodes=30_000))
child = os.fork()
turns, _, nodes = searcher.think(Position.start(), Limit(nodes=30_000))
if not child:
    os._exit(9 if turns and nodes >= 20_000 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs fork")
@pytest.mark.parametrize("algorithm", ["expectimax", "mcts"])
def test_a_searcher_with_threads_goes_on_in_a_forked_process(algorithm: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKED, algorithm]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("9\n", "")


def test_threads_are_let_go_when_a_search_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where on_info or the start of a thread fails, none works on, and the next search is fine."""
    searcher = make_searcher("expectimax", threads=4)
    position = walk(Rules(), 2, 4)

    def fail(*_: object) -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        searcher.think(position, Limit(nodes=50_000), on_info=fail)
    real, started = threading.Thread.start, []

    def start(thread: threading.Thread) -> None:
        if len(started) == 1:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        real(thread)

    broken = make_searcher("expectimax", threads=4)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        with pytest.raises(RuntimeError, match="can't start"):
            broken.think(position, Limit(nodes=3000))
    for one in (searcher, broken):
        found, _, _ = one.think(position, Limit(nodes=3000))
        assert is_whole(position, found[0].turn)


@pytest.mark.parametrize("threads", [0, -1, 65, 2**31, 2**40])
def test_a_number_of_threads_out_of_range(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads: {threads} is not a number from 1 to 64"):
        make_searcher(threads=threads)
