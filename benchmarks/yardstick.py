"""A player that knows every refill to come, as a yardstick for those that do not.

    python benchmarks/yardstick.py --deals 20 --player expectimax@100ms
    python benchmarks/yardstick.py --deals 20 --player expectimax@100ms --against expectimax@100ms

It tries the 24 turns that look best, plays the game out with the greedy player on all seats and
the true deal, and takes the turn that ends best for itself. What it gains over the greedy player,
or another one, is more than any honest player can; the table says how much of it the player named
closes.
"""

from statistics import fmean

from contestants import Contestant
from games import error, on_all_cores, options, play_out

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
    """Points of (player, the other) for every player and seating of one deal."""
    names, against, side, seed = job
    result = {}
    for name in names:
        games = []
        for first in range(2):
            player, searcher = None if name == "knows" else Contestant(name), Greedy()
            other = Contestant(against)
            for mover in (player, other):
                if mover is not None:
                    mover.new_game(seed)

            def choose(
                position, dealer, seat=first + 1, player=player, other=other, searcher=searcher
            ):
                if position.seat != seat:
                    return other.turn(position)
                if player is None:
                    return know_all(position, dealer, searcher)
                return player.turn(position)

            position = play_out({"side": side}, seed, choose)
            totals = [score.total for score in position.scores()]
            games.append((totals[first], totals[1 - first]))
        result[name] = games
    return result


def main():
    parser = options(__doc__, seed=4_000_000, spirits=False, deals=20)
    parser.add_argument("--player", default="expectimax@100ms")
    parser.add_argument("--against", default="greedy")
    args = parser.parse_args()
    names = list(dict.fromkeys([args.against, args.player, "knows"]))
    jobs = [(names, args.against, args.side, args.seed + deal) for deal in range(args.deals)]
    results = on_all_cores(play, jobs, args.workers)
    print(f"side {args.side}, {args.deals} deals, both seatings, against {args.against}")
    print(f"{'player':24} {'points':>15} {'other':>8} {'margin':>14} {'wins %':>14}")
    means = {}
    for name in names:
        deals = [result[name] for result in results]
        own = [fmean(a for a, _ in games) for games in deals]
        other = [fmean(b for _, b in games) for games in deals]
        margin = [a - b for a, b in zip(own, other, strict=True)]
        wins = [fmean((a > b) + 0.5 * (a == b) for a, b in games) for games in deals]
        means[name] = fmean(margin)
        print(
            f"{name:24} {fmean(own):8.2f} ± {error(own):4.2f} {fmean(other):8.2f} "
            f"{fmean(margin):7.2f} ± {error(margin):4.2f} "
            f"{100 * fmean(wins):7.1f} ± {100 * error(wins):4.1f}"
        )
    if args.player != args.against:
        closed = 100 * means[args.player] / means["knows"]
        print(
            f"{args.player} closes {closed:.0f} % of the margin between {args.against} and "
            "knowing the refills"
        )


if __name__ == "__main__":
    main()
