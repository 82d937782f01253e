"""Play alone and print points and suns.

python benchmarks/solo.py expectimax@1000ms --games 200
"""

import argparse
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean

from contestants import Contestant
from match import error

from harmonies_core import Dealer, Rules


def play(job):
    """Points, suns, turns, seconds and nodes of one game."""
    name, rules_args, seed = job
    player = Contestant(name)
    player.new_game(seed)
    dealer = Dealer(Rules(1, **rules_args), seed)
    position = dealer.start()
    while not position.is_over():
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
        else:
            position.push(player.turn(position))
    suns = position.result().suns
    return position.scores()[0].total, suns, player.turns, player.seconds, player.nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("player")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--side", default="A")
    parser.add_argument("--spirits", action="store_true")
    parser.add_argument("--seed", type=int, default=6_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    rules = {"side": args.side, "spirits": args.spirits}
    jobs = [(args.player, rules, args.seed + game) for game in range(args.games)]
    with ProcessPoolExecutor(args.workers) as pool:
        points, suns, turns, seconds, nodes = zip(*pool.map(play, jobs), strict=True)
    print(f"side {args.side}, spirits {'on' if args.spirits else 'off'}, {args.games} games alone")
    print(
        f"{args.player}: {fmean(points):.2f} ± {error(points):.2f} points, "
        f"{fmean(suns):.2f} ± {error(suns):.2f} suns, {fmean(turns):.1f} turns, "
        f"{1000 * sum(seconds) / sum(turns):.1f} ms and {sum(nodes) / sum(turns):.0f} nodes a turn"
    )
    counts = Counter(suns)
    print("suns:", ", ".join(f"{value} x {counts[value]}" for value in sorted(counts)))


if __name__ == "__main__":
    main()
