"""Play a match between players inside this process and print points, wins and cost.

    python benchmarks/match.py greedy handmade --deals 200
    python benchmarks/match.py expectimax@100ms greedy --deals 100 --side B --workers 2

With two names and more than two seats, the first player has one seat and the second all others.
Every deal is played in all rotations of the seats; errors are over deals. Two equal names are
self-play: one game a deal, points alone.
"""

from statistics import fmean

from contestants import Contestant
from games import error, on_all_cores, options, play_out


def play(job):
    """All games of one deal: points by player for each game, and the cost by player."""
    names, rules, seed, rotate = job
    n = rules["players"]
    contestants = {name: Contestant(name) for name in names}
    games = []
    for turned in range(n if rotate else 1):
        seats = [(seat + turned) % n for seat in range(n)]  # player in each seat
        for contestant in contestants.values():
            contestant.new_game(seed)

        def choose(position, dealer, seats=seats):
            return contestants[names[seats[position.seat - 1]]].turn(position)

        position = play_out(rules, seed, choose)
        totals = [score.total for score in position.scores()]
        winners = position.result().winners
        by_player = [None] * n
        for seat in range(n):
            won = (1 / len(winners)) if seat + 1 in winners else 0.0
            rank = (
                1
                + sum(t > totals[seat] for t in totals)
                + (sum(t == totals[seat] for t in totals) - 1) / 2
            )
            by_player[seats[seat]] = (totals[seat], won, rank)
        games.append(by_player)
    cost = {c.name: (c.seconds, c.nodes, c.turns, c.longest) for c in contestants.values()}
    return games, cost


def main():
    parser = options(__doc__, seed=1_000_000, deals=100, seats=None)
    parser.add_argument("players", nargs="+")
    args = parser.parse_args()
    seats = args.seats or max(2, len(args.players))
    rules = {"players": seats, "side": args.side, "spirits": args.spirits}
    run(args.players, rules, args.deals, args.seed, args.workers)


def run(names, rules, deals, seed, workers):
    """Play and print one match; the last player also takes the seats that are left."""
    names = names + names[-1:] * (rules["players"] - len(names))
    rotate = len(set(names)) > 1
    jobs = [(names, rules, seed + deal, rotate) for deal in range(deals)]
    report(names, rules, on_all_cores(play, jobs, workers), rotate)


def report(names, rules, results, rotate):
    games = [game for found, _ in results for game in found]
    spirits = "on" if rules["spirits"] else "off"
    print(
        f"side {rules['side']}, spirits {spirits}, {rules['players']} seats, "
        f"{len(results)} deals, {len(games)} games"
    )
    print(
        f"{'player':28} {'points':>16} {'wins %':>14} {'rank':>14} {'ms/turn':>8} "
        f"{'longest':>8} {'nodes':>8}"
    )
    shown = range(len(names)) if rotate else [0]
    seen = set()
    for player in shown:
        if names[player] in seen:
            continue
        seen.add(names[player])
        # Equal players are taken together.
        same = [i for i, name in enumerate(names) if name == names[player]]
        columns = []
        for what in range(3):
            per_deal = [
                fmean(game[i][what] for game in found for i in same) for found, _ in results
            ]
            columns.append((fmean(per_deal), error(per_deal)))
        cost = [c[names[player]] for _, c in results]
        turns = sum(c[2] for c in cost)
        points, wins, rank = columns
        print(
            f"{names[player]:28} {points[0]:8.2f} ± {points[1]:5.2f} "
            f"{100 * wins[0]:7.1f} ± {100 * wins[1]:4.1f} {rank[0]:7.3f} ± {rank[1]:4.3f} "
            f"{1000 * sum(c[0] for c in cost) / turns:8.2f} "
            f"{1000 * max(c[3] for c in cost):8.1f} {sum(c[1] for c in cost) / turns:8.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
