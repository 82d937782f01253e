"""What the match scripts share: options, a game played out, work on all cores, errors of means."""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from statistics import stdev

from harmonies_core import Dealer, Rules


def options(doc, *, seed, spirits=True, **counts):
    """Parser with --side, --spirits, --seed, --workers and a number for each of `counts`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    for name, default in counts.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--side", default="A")
    if spirits:
        parser.add_argument("--spirits", action="store_true")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    return parser


def play_out(rules, seed, choose):
    """The end of the game that a seed deals; choose(position, dealer) gives each turn."""
    dealer = Dealer(Rules(**rules), seed)
    position = dealer.start()
    while not position.is_over():
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
        else:
            position.push(choose(position, dealer))
    return position


def on_all_cores(play, jobs, workers):
    """Results of play(job), in the order of the jobs."""
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(play, jobs))


def error(values):
    """Standard error of the mean."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
