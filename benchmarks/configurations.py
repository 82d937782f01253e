"""Play one player against another in every configuration: sides, spirits, 2 to 4 seats.

    python benchmarks/configurations.py greedy handmade --deals 500

The first player has one seat, the second all others; every deal is played in all rotations.
"""

import argparse
import os
from itertools import product

from match import run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    for side, spirits, seats in product("AB", (False, True), (2, 3, 4)):
        rules = {"players": seats, "side": side, "spirits": spirits}
        # As many games for every number of seats.
        run([args.first, args.second], rules, args.deals * 2 // seats, args.seed, args.workers)


if __name__ == "__main__":
    main()
