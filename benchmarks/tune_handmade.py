"""Tune the weights of the hand-made evaluation by self-play, one weight at a time.

    python benchmarks/tune_handmade.py --games 120 --seed 1000

Each trial plays the same deals as the weights in force; a change is kept when the paired mean
gains more than one standard error. Prints every trial, and the weights after each change.
"""

import argparse
import statistics
from collections.abc import Sequence

from harmonies_core import Rules
from harmonies_core.search.handmade import self_play

START: Sequence[float] = (
    3.2, 8.4, 1.6, 4.6, 0.5, 1.6, 3.6, 0.9, 1.4, 1.7, 2.2, 1.3, 0.9,
    0.36, 0.12, 0.03, 1.2, 2.4, 3.0, -0.3,
)  # fmt: skip
ORDER = (16, 1, 12, 17, 0, 13, 14, 10, 2, 3, 9, 11, 15, 4, 5, 6, 7, 8, 19)


def play(weights: Sequence[float], games: int, seed: int) -> list[float]:
    """Mean points per player of each game."""
    results = self_play(Rules(), games, seed, dict(enumerate(weights)))
    return [statistics.mean(points) for points in results]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    weights = list(START)
    best = play(weights, options.games, options.seed)
    print(f"start {statistics.mean(best):.2f}", flush=True)
    for factors in ((1.5, 0.6), (1.25, 0.8))[: options.rounds]:
        for index in ORDER:
            for factor in factors:
                trial = list(weights)
                trial[index] *= factor
                points = play(trial, options.games, options.seed)
                gains = [new - old for new, old in zip(points, best, strict=True)]
                gain = statistics.mean(gains)
                error = statistics.stdev(gains) / len(gains) ** 0.5
                kept = gain > error
                print(f"{index} x{factor}: {gain:+.2f} +- {error:.2f}{' kept' * kept}", flush=True)
                if kept:
                    weights, best = trial, points
                    print(
                        f"  {statistics.mean(best):.2f}", [round(w, 3) for w in weights], flush=True
                    )
                    break


if __name__ == "__main__":
    main()
