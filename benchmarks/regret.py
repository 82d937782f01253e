"""How many points a player's choices lose, measured at single positions instead of by whole games.

    python benchmarks/regret.py greedy expectimax@150000n --games 40

Positions come from games of `expectimax` against itself. There the ten turns that look best, and
whatever the players named choose, are played on to the end of the game with the same 256 deals
each. Printed is the margin lost against the best of all these, and the difference to the first
player, which has the smaller error. The best of ten noisy means is too good: some of the loss is
that, and the same for every player.
"""

import random
from statistics import fmean

from contestants import Contestant
from games import error, on_all_cores, options, play_out

from harmonies_core.search.searcher import Limit, make_searcher

CANDIDATES = 10
PER_GAME = 3
EARLY_TURNS = 17  # of both seats together; nearly every game has as many
# As the levels of expectimax.pyx; the second plays every candidate to the end of the game.
TO_THE_END = (
    ((4, 24, 24, 12), (0, 3, 3, 2), 24, 32, 8, 1, 1),
    (None, (0, 3, 3, 2), CANDIDATES, 256, 256, 1, 12),
)


def margins(judge, position, turns=None):
    """Expected margin at the end after each of the turns; None stands for the best ten."""
    me = position.seat - 1
    found, _, _ = judge.think(position, Limit(), CANDIDATES, None, None, turns)
    return {line.turn: line.points[me] - line.points[1 - me] for line in found}


def losses(judge, position, players):
    """Points that each player's choice loses here."""
    worth = margins(judge, position)
    best = max(worth, key=worth.get)
    chosen = [player.turn(position) for player in players]
    for turn in chosen:
        if turn not in worth:
            # Single turns need no look at all, so the best goes along; the deals are the same.
            both = margins(judge, position, [turn, best])
            worth[turn] = worth[best] + both[turn] - both[best]
    most = max(worth.values())
    return [most - worth[turn] for turn in chosen]


def play(job):
    """Losses by player at some positions of one game."""
    names, rules, seed = job
    judge = make_searcher("expectimax", seed=seed + 1)
    judge.levels = TO_THE_END
    both = Contestant("expectimax@20000n")
    both.new_game(seed)
    players = [Contestant(name) for name in names]
    for player in players:
        player.new_game(seed)
    at = random.Random(seed).sample(range(EARLY_TURNS), PER_GAME)
    found, turns = [], 0

    def choose(position, dealer):
        nonlocal turns
        if turns in at:
            found.append(losses(judge, position, players))
        turns += 1
        return both.turn(position)

    play_out(rules, seed, choose)
    return found


def main():
    parser = options(__doc__, seed=8_400_000, games=40)
    parser.add_argument("players", nargs="+")
    args = parser.parse_args()
    rules = {"players": 2, "side": args.side, "spirits": args.spirits}
    jobs = [(args.players, rules, args.seed + game) for game in range(args.games)]
    games = [game for game in on_all_cores(play, jobs, args.workers) if game]
    print(f"{sum(map(len, games))} positions of {len(games)} games")
    print(f"{'player':28} {'points lost':>14} {'more than the first':>20}")
    for i, name in enumerate(args.players):
        # Errors are over games.
        lost = [fmean(each[i] for each in game) for game in games]
        more = [fmean(each[i] - each[0] for each in game) for game in games]
        print(
            f"{name:28} {fmean(lost):7.2f} ± {error(lost):4.2f} "
            f"{fmean(more):+13.2f} ± {error(more):4.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
