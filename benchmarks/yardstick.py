"""A player that knows every refill to come, as a yardstick for those that do not.

    python benchmarks/yardstick.py --deals 20 --player expectimax@100ms

It tries the 24 turns that look best, plays the game out with the greedy player on all seats and
the true deal, and takes the turn that ends best for itself. What it gains over the greedy player
is more than any honest player can; the table says how much of it the player named closes.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean

from contestants import Contestant
from match import error

from harmonies_core import Dealer, Rules
from harmonies_core.search.greedy import Greedy
from harmonies_core.search.searcher import Limit, search

CANDIDATES = 24


def final_points(position, dealer, seat, searcher):
    """Points of a seat when all play greedily from here with this deal."""
    position, dealer = position.copy(), dealer.copy()
    while not position.is_over():
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
        else:
            found, _, _ = searcher.think(position, Limit(nodes=2500), 1)
            position.push(found[0].turn)
    return position.scores()[seat - 1].total


def know_all(position, dealer, searcher):
    """The turn with the best end."""
    seat = position.seat
    best, most = None, None
    for line in search(position, searcher=searcher, multipv=CANDIDATES):
        after = position.copy()
        after.push(line.turn)
        points = final_points(after, dealer, seat, searcher)
        if most is None or points > most:
            best, most = line.turn, points
    return best


def play(job):
    """Points of (player, greedy) for every player and seating of one deal."""
    names, side, seed = job
    result = {}
    for name in names:
        games = []
        for first in range(2):
            dealer = Dealer(Rules(side=side), seed)
            position = dealer.start()
            greedy, searcher = Contestant("greedy"), Greedy()
            player = None if name == "knows" else Contestant(name)
            while not position.is_over():
                if position.phase == "chance":
                    position.push_chance(dealer.deal(position))
                elif (position.seat - 1 == first) and player is None:
                    position.push(know_all(position, dealer, searcher))
                else:
                    mover = player if position.seat - 1 == first else greedy
                    position.push(mover.turn(position))
            totals = [score.total for score in position.scores()]
            games.append((totals[first], totals[1 - first]))
        result[name] = games
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="expectimax@100ms")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--side", default="A")
    parser.add_argument("--seed", type=int, default=4_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    names = ["greedy", args.player, "knows"]
    jobs = [(names, args.side, args.seed + deal) for deal in range(args.deals)]
    with ProcessPoolExecutor(args.workers) as pool:
        results = list(pool.map(play, jobs, chunksize=1))
    print(f"side {args.side}, {args.deals} deals, both seatings, against greedy")
    print(f"{'player':24} {'points':>15} {'greedy':>8} {'margin':>14} {'wins %':>8}")
    means = {}
    for name in names:
        deals = [result[name] for result in results]
        own = [fmean(a for a, _ in games) for games in deals]
        other = [fmean(b for _, b in games) for games in deals]
        margin = [a - b for a, b in zip(own, other, strict=True)]
        wins = fmean((a > b) + 0.5 * (a == b) for games in deals for a, b in games)
        means[name] = fmean(margin)
        print(
            f"{name:24} {fmean(own):8.2f} ± {error(own):4.2f} {fmean(other):8.2f} "
            f"{fmean(margin):7.2f} ± {error(margin):4.2f} {100 * wins:8.1f}"
        )
    closed = 100 * means[args.player] / means["knows"]
    print(
        f"{args.player} closes {closed:.0f} % of the margin between greedy and knowing the refills"
    )


if __name__ == "__main__":
    main()
