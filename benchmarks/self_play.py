"""Points of the greedy player against itself.

python benchmarks/self_play.py --games 1000 --seed 0
"""

import argparse
import statistics
import time

from harmonies_core import Rules
from harmonies_core.search.handmade import self_play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--side", default="A")
    parser.add_argument("--spirits", action="store_true")
    options = parser.parse_args()
    rules = Rules(options.players, options.side, spirits=options.spirits)
    began = time.perf_counter()
    games = self_play(rules, options.games, options.seed)
    passed = time.perf_counter() - began
    # The seats of one game share a deal, so a game, not a seat, is one observation.
    means = [statistics.mean(points) for points in games]
    error = statistics.stdev(means) / len(means) ** 0.5
    print(
        f"{rules!r}: {options.games} games from seed {options.seed}: mean "
        f"{statistics.mean(means):.2f} +- {error:.2f} points a player, "
        f"{1000 * passed / options.games:.0f} ms a game"
    )


if __name__ == "__main__":
    main()
