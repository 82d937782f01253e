"""Do the predicted chances of winning come true? Plays games against itself and prints tables.

    python benchmarks/calibration.py --games 2000 --player expectimax@20000n

Every turn of every seat is one prediction: win chance plus half the chance of a shared win.
Observed is what the seat got: 1, 0.5 for a shared win, 0. Errors are over games, since the turns
of one game come true together.
"""

from collections import defaultdict
from statistics import fmean

from contestants import Contestant
from games import error, on_all_cores, options, play_out

from harmonies_core.search.searcher import search


def play(job):
    """Predictions of one game: (turn number, predicted, observed)."""
    name, rules, seed = job
    player = Contestant(name)
    player.new_game(seed)
    said = []

    def choose(position, dealer):
        line = search(position, player.limit, searcher=player.searcher)[0]
        said.append((position.seat, position.turn, (line.wdl[0] + line.wdl[1] / 2) / 1000))
        return line.turn

    winners = play_out(rules, seed, choose).result().winners
    share = {
        seat: (1 / len(winners) if seat in winners else 0.0)
        for seat in range(1, rules["players"] + 1)
    }
    return [(turn, predicted, share[seat]) for seat, turn, predicted in said]


def row(label, games):
    """One line of a table from [(predicted, observed), ...] for every game that has any."""
    everything = [pair for game in games for pair in game]
    predicted = fmean(p for p, _ in everything)
    observed = fmean(o for _, o in everything)
    # A ratio estimate: games weigh as much as they have predictions.
    n = len(everything) / len(games)
    gaps = [sum(o - p - (observed - predicted) for p, o in game) / n for game in games]
    print(
        f"{label:>10} {len(everything):>8} {100 * predicted:>10.1f} {100 * observed:>10.1f} "
        f"{100 * (observed - predicted):>+8.1f} ± {100 * error(gaps):.1f}"
    )
    return abs(observed - predicted)


def main():
    parser = options(__doc__, seed=3_000_000, games=2000, seats=2)
    parser.add_argument("--player", default="expectimax@20000n")
    args = parser.parse_args()
    rules = {"players": args.seats, "side": args.side, "spirits": args.spirits}
    jobs = [(args.player, rules, args.seed + game) for game in range(args.games)]
    games = on_all_cores(play, jobs, args.workers)
    print(f"{args.player}, side {args.side}, {args.seats} seats, {len(games)} games")
    heading = f"{'':>10} {'turns':>8} {'said %':>10} {'came %':>10} {'gap':>8}"
    print("\nby predicted chance\n" + heading)
    largest = 0.0
    for decile in range(10):
        chosen = [[(p, o) for _, p, o in game if min(9, int(10 * p)) == decile] for game in games]
        chosen = [game for game in chosen if game]
        if chosen:
            largest = max(largest, row(f"{10 * decile}-{10 * decile + 10}", chosen))
    print(f"largest gap: {100 * largest:.1f} per cent points")
    print("\nby turn, chances of whoever is ahead\n" + heading)
    by_turn = defaultdict(list)
    for game in games:
        turns = defaultdict(list)
        for turn, p, o in game:
            turns[turn].append((p, o) if p >= 1 / args.seats else (1 - p, 1 - o))
        for turn, pairs in turns.items():
            by_turn[turn].append(pairs)
    largest = 0.0
    for turn, pairs in sorted(by_turn.items()):
        gap = row(str(turn), pairs)
        if len(pairs) >= len(games) / 4:
            largest = max(largest, gap)
    print(
        f"largest gap in turns that a quarter of the games have: "
        f"{100 * largest:.1f} per cent points"
    )


if __name__ == "__main__":
    main()
