"""Play alone and print points and suns.

python benchmarks/solo.py expectimax@1000ms --games 200
"""

from collections import Counter
from statistics import fmean

from contestants import Contestant
from games import error, on_all_cores, options, play_out


def play(job):
    """Points, suns, turns, seconds and nodes of one game."""
    name, rules, seed = job
    player = Contestant(name)
    player.new_game(seed)
    position = play_out(rules, seed, lambda position, dealer: player.turn(position))
    suns = position.result().suns
    return position.scores()[0].total, suns, player.turns, player.seconds, player.nodes


def main():
    parser = options(__doc__, seed=6_000_000, games=200)
    parser.add_argument("player")
    args = parser.parse_args()
    rules = {"players": 1, "side": args.side, "spirits": args.spirits}
    jobs = [(args.player, rules, args.seed + game) for game in range(args.games)]
    results = on_all_cores(play, jobs, args.workers)
    points, suns, turns, seconds, nodes = zip(*results, strict=True)
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
