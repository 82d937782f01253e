"""Print how many nodes a second a search with several threads does, against one thread.

    python benchmarks/threads.py --threads 2 --movetime 200

Three things take turns: one search with one thread; as many such searches at once as there are
threads, each in a process of its own; one search with that many threads. The second says what the
machine has to give at the time: on a shared machine that can be less than so many cores.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean

from games import error

from harmonies_core import Dealer, Rules
from harmonies_core.search.searcher import Limit, make_searcher

PLIES = (3, 6, 9, 12, 15)  # positions of each game that are searched


def rate(threads, movetime, deals, seed):
    """Nodes a second over positions of greedy games."""
    searcher, greedy = make_searcher("expectimax", threads=threads), make_searcher("greedy")
    nodes, seconds = 0, 0.0
    for deal in range(deals):
        dealer = Dealer(Rules(2), seed + deal)
        position, ply = dealer.start(), 0
        while ply < max(PLIES):
            if position.phase == "chance":
                position.push_chance(dealer.deal(position))
                continue
            ply += 1
            if ply in PLIES:
                began = time.perf_counter()
                nodes += searcher.think(position, Limit(movetime=movetime))[2]
                seconds += time.perf_counter() - began
            position.push(greedy.think(position, Limit())[0][0].turn)
    return nodes / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--movetime", type=int, default=200)
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    work = (args.movetime, args.deals, args.seed)
    alone, apart, together = [], [], []
    with ProcessPoolExecutor(args.threads) as pool:
        for _ in range(args.rounds):
            alone.append(pool.submit(rate, 1, *work).result())
            others = [pool.submit(rate, 1, *work) for _ in range(args.threads)]
            apart.append(sum(other.result() for other in others))
            together.append(pool.submit(rate, args.threads, *work).result())
    for name, rates in (
        ("one thread", alone),
        (f"{args.threads} processes", apart),
        (f"{args.threads} threads", together),
    ):
        ratios = [one / other for one, other in zip(rates, alone, strict=True)]
        print(
            f"{name:14} {fmean(rates):12,.0f} nodes/s   {fmean(ratios):.2f} ± {error(ratios):.2f} "
            "times one thread"
        )


if __name__ == "__main__":
    main()
