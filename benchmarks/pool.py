"""Play one player against a pool of styles and older networks: does it lose to any of them?

    python benchmarks/pool.py expectimax@100ms --deals 50

The pool: most points now, the hand-made player, one that fills its board as fast as it can, and
the greedy player with each weights file in benchmarks/networks: `first` came in stages, `second`
from an earlier training by one command (its side A), `third` from one without look-ahead and games
of one kind (docs/results.md tells of them).
"""

from pathlib import Path

from games import options
from match import run

NETWORKS = Path(__file__).parent / "networks"


def main():
    parser = options(__doc__, seed=5_000_000, deals=50)
    parser.add_argument("player")
    args = parser.parse_args()
    rules = {"players": 2, "side": args.side, "spirits": args.spirits}
    older = [f"greedy:{path}" for path in sorted(NETWORKS.glob("*.weights"))]
    for other in ["points", "handmade", "rush", *older]:
        run([args.player, other], rules, args.deals, args.seed, args.workers)


if __name__ == "__main__":
    main()
