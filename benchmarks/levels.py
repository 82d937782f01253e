"""Each strength level against the one below: wins in per cent, 65 to 85 wanted.

python benchmarks/levels.py --deals 100 --limit 100ms
"""

from statistics import fmean

from games import error, on_all_cores, options
from match import play


def main():
    parser = options(__doc__, seed=6_000_000, spirits=False, deals=100)
    parser.add_argument("--limit", default="100ms")
    parser.add_argument("--levels", type=int, nargs="+", default=list(range(2, 11)))
    args = parser.parse_args()
    rules = {"players": 2, "side": args.side, "spirits": False}
    print(f"side {args.side}, two seats, {args.deals} deals in both seatings, {args.limit} a turn")
    print(f"{'level':>5} {'points':>8} {'below':>8} {'wins %':>14}")
    for level in args.levels:
        names = [f"expectimax/{level}@{args.limit}", f"expectimax/{level - 1}@{args.limit}"]
        jobs = [(names, rules, args.seed + deal, True) for deal in range(args.deals)]
        games = [found for found, _ in on_all_cores(play, jobs, args.workers)]
        wins = [fmean(game[0][1] for game in found) for found in games]
        points = [fmean(game[i][0] for found in games for game in found) for i in range(2)]
        print(
            f"{level:>5} {points[0]:8.1f} {points[1]:8.1f} "
            f"{100 * fmean(wins):7.1f} ± {100 * error(wins):4.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
