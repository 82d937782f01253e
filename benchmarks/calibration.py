"""Do the predicted chances of winning come true? Plays games against itself and prints tables.

    python benchmarks/calibration.py --games 2000 --player expectimax@20000n

Every turn of every seat is one prediction: win chance plus half the chance of a shared win.
Observed is what the seat got: 1, 0.5 for a shared win, 0. Errors are over games, since the turns
of one game come true together.
"""

import argparse
import os
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, stdev

from contestants import Contestant

from harmonies_core import Dealer, Rules
from harmonies_core.search.searcher import search


def play(job):
    """Predictions of one game: (turn number, predicted, observed)."""
    name, rules_args, seed = job
    rules = Rules(**rules_args)
    player = Contestant(name)
    player.new_game(seed)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    said = []
    while not position.is_over():
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
            continue
        line = search(position, player.limit, searcher=player.searcher)[0]
        said.append((position.seat, position.turn, (line.wdl[0] + line.wdl[1] / 2) / 1000))
        position.push(line.turn)
    winners = position.result().winners
    share = {
        seat: (1 / len(winners) if seat in winners else 0.0) for seat in range(1, rules.players + 1)
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
    error = stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else float("nan")
    print(
        f"{label:>10} {len(everything):>8} {100 * predicted:>10.1f} {100 * observed:>10.1f} "
        f"{100 * (observed - predicted):>+8.1f} ± {100 * error:.1f}"
    )
    return abs(observed - predicted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="expectimax@20000n")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--side", default="A")
    parser.add_argument("--spirits", action="store_true")
    parser.add_argument("--seed", type=int, default=3_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    rules = {"players": args.seats, "side": args.side, "spirits": args.spirits}
    jobs = [(args.player, rules, args.seed + game) for game in range(args.games)]
    with ProcessPoolExecutor(args.workers) as pool:
        games = list(pool.map(play, jobs, chunksize=4))
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
