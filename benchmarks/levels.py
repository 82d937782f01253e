"""Each strength level against the one below: wins in per cent, 65 to 85 wanted.

python benchmarks/levels.py --deals 100 --limit 100ms
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean

from match import error, play


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--limit", default="100ms")
    parser.add_argument("--side", default="A")
    parser.add_argument("--seed", type=int, default=6_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--levels", type=int, nargs="+", default=list(range(2, 11)))
    args = parser.parse_args()
    rules = {"players": 2, "side": args.side, "spirits": False}
    print(f"side {args.side}, two seats, {args.deals} deals in both seatings, {args.limit} a turn")
    print(f"{'level':>5} {'points':>8} {'below':>8} {'wins %':>14}")
    with ProcessPoolExecutor(args.workers) as pool:
        for level in args.levels:
            names = [f"expectimax/{level}@{args.limit}", f"expectimax/{level - 1}@{args.limit}"]
            jobs = [(names, rules, args.seed + deal, True) for deal in range(args.deals)]
            games = [found for found, _ in pool.map(play, jobs, chunksize=2)]
            wins = [fmean(game[0][1] for game in found) for found in games]
            points = [fmean(game[i][0] for found in games for game in found) for i in range(2)]
            print(
                f"{level:>5} {points[0]:8.1f} {points[1]:8.1f} "
                f"{100 * fmean(wins):7.1f} ± {100 * error(wins):4.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
