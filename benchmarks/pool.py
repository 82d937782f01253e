"""Play one player against a pool of styles and older networks: does it lose to any of them?

    python benchmarks/pool.py expectimax@100ms --deals 50

The pool: most points now, the hand-made player, one that fills its board as fast as it can, and
the greedy player with each weights file in benchmarks/networks, if there are any.
"""

import argparse
import os
from pathlib import Path

from match import run

NETWORKS = Path(__file__).parent / "networks"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("player")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--side", default="A")
    parser.add_argument("--spirits", action="store_true")
    parser.add_argument("--seed", type=int, default=5_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    rules = {"players": 2, "side": args.side, "spirits": args.spirits}
    older = [f"greedy:{path}" for path in sorted(NETWORKS.glob("*.weights"))]
    for other in ["points", "handmade", "rush", *older]:
        run([args.player, other], rules, args.deals, args.seed, args.workers)


if __name__ == "__main__":
    main()
