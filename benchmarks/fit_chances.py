"""Fit the constants of utility.pyx to games of a player against itself.

    python benchmarks/fit_chances.py --games 1000 --records games.npz
    python benchmarks/fit_chances.py --records games.npz

Two seats. Every turn of every seat is one record: the points and spreads that the search expects
after the turn it chose, its number, and what the seat got in the end (1, 0.5 for a shared win, 0).
With --records the games are kept, or taken from the file if it is there. Test what comes out on
other games: calibration.py with another seed.
"""

from pathlib import Path

import numpy as np
from contestants import Contestant
from games import on_all_cores, options, play_out
from scipy.optimize import minimize
from scipy.special import ndtr

# As in utility.pyx.
SHIPPED = (23.0, 0.28, 15.0)  # MARGIN_SD, OPTIMISM, OPTIMISTIC_SD


def play(job):
    """Records of one game: turn, own and other points, own and other spread, what came."""
    name, rules, seed = job
    player = Contestant(name)
    player.new_game(seed)
    seen = []

    def choose(position, dealer):
        best = player.searcher.think(position, player.limit)[0][0]
        me = position.seat - 1
        seen.append((me, position.turn, best.points, best.sd))
        return best.turn

    winners = play_out(rules, seed, choose).result().winners
    return [
        (turn, points[me], points[1 - me], sd[me], sd[1 - me],
         1 / len(winners) if me + 1 in winners else 0.0)
        for me, turn, points, sd in seen
    ]  # fmt: skip


def chances(records, margin_sd, optimism, optimistic_sd):
    """Win chance and half the chance of a shared win, as set_chances says them."""
    turn, mine, other, sd, other_sd, _ = records.T
    v = sd**2 + other_sd**2
    spread = np.sqrt(v / (1 + v / margin_sd**2) + 0.1)
    d = mine - other - optimism * spread * np.maximum(0, 1 - v / optimistic_sd**2)
    d = np.where(v > 0, d * turn**2 / (turn**2 + 1), d)
    ahead, level = ndtr((d - 0.5) / spread), ndtr((d + 0.5) / spread)
    return ahead + (level - ahead) / 2


def log_loss(records, constants):
    p = np.clip(chances(records, *constants), 1e-4, 1 - 1e-4)
    came = records[:, 5]
    return -np.mean(came * np.log(p) + (1 - came) * np.log(1 - p))


def show(records, constants):
    p, came = chances(records, *constants), records[:, 5]
    decile = np.minimum((10 * p).astype(int), 9)
    said = [100 * p[decile == i].mean() for i in range(10)]
    gaps = [100 * (came - p)[decile == i].mean() for i in range(10)]
    margin_sd, optimism, optimistic_sd = constants
    print(
        f"MARGIN_SD {margin_sd:.1f}, OPTIMISM {optimism:.3f}, OPTIMISTIC_SD {optimistic_sd:.1f}: "
        f"log loss {log_loss(records, constants):.5f}"
    )
    print("  said %" + "".join(f"{x:7.1f}" for x in said))
    print("  gap   " + "".join(f"{x:+7.1f}" for x in gaps))


def main():
    parser = options(__doc__, seed=3_800_000, games=1000)
    parser.add_argument("--player", default="expectimax@20000n")
    parser.add_argument("--records", type=Path)
    args = parser.parse_args()
    if args.records and args.records.exists():
        records = np.load(args.records)["records"]
    else:
        rules = {"players": 2, "side": args.side, "spirits": args.spirits}
        jobs = [(args.player, rules, args.seed + game) for game in range(args.games)]
        records = np.concatenate(on_all_cores(play, jobs, args.workers))
        if args.records:
            np.savez_compressed(args.records, records=records)
    print(f"{len(records)} turns")
    scale = np.array(SHIPPED)
    found = minimize(
        lambda x: log_loss(records, x * scale),
        np.ones(3),
        method="Nelder-Mead",
        options={"xatol": 1e-3, "fatol": 1e-8},
    ).x
    show(records, SHIPPED)
    show(records, found * scale)


if __name__ == "__main__":
    main()
