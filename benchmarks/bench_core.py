"""Speed of the core and of the engine's start; prints a rate per second for each.

python tasks.py bench
"""

import subprocess
import sys

import pytest

from harmonies_core import Dealer, Position, Rules, count_placements
from harmonies_core.search.handmade import evaluate_often
from harmonies_core.search.playout import random_games
from harmonies_core.search.searcher import search


def rate(benchmark, items):
    """Note how many items a second the fastest round made."""
    if benchmark.stats is not None:
        per_second = items / benchmark.stats.stats.min
        benchmark.extra_info["per_second"] = round(per_second)
        print(f"\n{benchmark.name}: {per_second:,.0f} per second")


def started():
    """A position with something on the boards: six greedy turns of one deal."""
    dealer = Dealer(Rules(2, "A"), 11)
    position = dealer.start()
    for _ in range(6):
        position.push(search(position)[0].turn)
        position.push_chance(dealer.deal(position))
    return position


def test_random_games(benchmark):
    benchmark.pedantic(random_games, (Rules(2, "A"), 20000, 1), rounds=5)
    rate(benchmark, 20000)


def test_placements_of_the_first_turn(benchmark):
    position = Position.start(seed=3)
    benchmark(count_placements, position)
    rate(benchmark, count_placements(position))


def test_turns(benchmark):
    position = started()
    benchmark(lambda: len(position.turns()))
    rate(benchmark, len(position.turns()))


def test_evaluations(benchmark):
    benchmark.pedantic(evaluate_often, (started(), 200000), rounds=5)
    rate(benchmark, 200000)


def test_scoring(benchmark):
    position = started()
    benchmark(position.scores)
    rate(benchmark, 2)


def test_habitat_matching(benchmark):
    position = started()
    benchmark(lambda: [position.cube_cells(card) for card in range(1, 43)])
    rate(benchmark, 42)


def test_hfen_parse(benchmark):
    text = started().hfen()
    benchmark(Position.from_hfen, text)
    rate(benchmark, 1)


def test_hfen_print(benchmark):
    benchmark(started().hfen)
    rate(benchmark, 1)


def ask_engine(script, last):
    """Start the engine, send it some lines, wait for the line that begins with `last`."""
    command = [sys.executable, "-c", "from engine_cli.engine import main; main()"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        engine.stdin.write(script)
        engine.stdin.flush()
        for line in engine.stdout:
            if line.startswith(last):
                break
        else:
            pytest.fail(f"no {last}")
        engine.stdin.close()


def test_engine_start(benchmark):
    benchmark.pedantic(ask_engine, ("uhi\n", "uhiok"), rounds=10)
    rate(benchmark, 1)


def test_engine_first_bestmove(benchmark):
    script = "uhi\nnewgame\nposition startpos\ngo nodes 1\n"
    benchmark.pedantic(ask_engine, (script, "bestmove"), rounds=10)
    rate(benchmark, 1)
