"""How often the sequential test is wrong, and how long it takes: simulated matches.

    python benchmarks/sprt_simulation.py --runs 1000

For players that are equal, that differ by ELO1, and by half of it, games are drawn in pairs and
the test is asked after every pair, until it decides. Elo is logistic in all rows: the normalized
bounds of the test are turned into the same difference.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import optimize

from engine_cli.match.stats.elo import NORMALIZED, score_of_elo
from engine_cli.match.stats.sprt import MODELS, Model, Sprt

# Pairs with 0, ½, 1, 1½, 2 points of two equal engines: few draws, and half of the deals favour
# a seat.
EQUAL = np.array([0.22, 0.02, 0.52, 0.02, 0.22])
BLOCK = 1000  # pairs drawn at a time


def tilted(test: Sprt, elo: float) -> np.ndarray:
    """The distribution of pairs for players that differ by `elo` in the sense of the test."""
    values = np.arange(5) / 4

    def shares(x: float) -> np.ndarray:
        weights = EQUAL * np.exp(x * values)
        return weights / weights.sum()

    def gap(x: float) -> float:
        p = shares(x)
        mean = p @ values
        if test.model == "logistic":
            return mean - score_of_elo(elo)
        sigma = math.sqrt(p @ (values - mean) ** 2)
        return (mean - 0.5) / sigma - elo / NORMALIZED * math.sqrt(2)

    return shares(optimize.brentq(gap, -5, 5))


def one_run(seed: int, test: Sprt, chance: np.ndarray, every: int) -> tuple[str, int]:
    """(hypothesis, pairs) of one simulated match; the test is asked after `every` pairs."""
    rng = np.random.default_rng(seed)
    counts = [0] * 5
    pairs = 0
    while True:
        for result in rng.choice(5, BLOCK, p=chance).tolist():
            counts[result] += 1
            pairs += 1
            if pairs % every == 0:
                verdict = test.decision(counts)
                if verdict is not None:
                    return verdict, pairs


def batch(seeds: range, test: Sprt, chance: np.ndarray, every: int) -> list[tuple[str, int]]:
    return [one_run(seed, test, chance, every) for seed in seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=5.0)
    parser.add_argument("--every", type=int, default=10, help="pairs between two looks")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    table = Table(title=f"SPRT({options.elo0:g}, {options.elo1:g}), alpha = beta = 0.05")
    for heading in ("bounds", "true difference", "runs", "H1 accepted", "H0 accepted", "pairs"):
        table.add_column(heading, justify="right")
    model: Model
    for model in options.models:
        test = Sprt(options.elo0, options.elo1, model=model)
        for elo in (options.elo0, (options.elo0 + options.elo1) / 2, options.elo1):
            chance = tilted(test, elo)
            seeds = [
                range(options.seed + start, options.seed + min(start + 20, options.runs))
                for start in range(0, options.runs, 20)
            ]
            with ProcessPoolExecutor(options.processes) as pool:
                futures = [pool.submit(batch, part, test, chance, options.every) for part in seeds]
                found = [
                    run
                    for future in track(futures, f"{model} {elo:g}", console=Console(stderr=True))
                    for run in future.result()
                ]
            accepted = sum(verdict == "H1" for verdict, _ in found)
            table.add_row(
                model,
                f"{elo:g}",
                str(len(found)),
                f"{100 * accepted / len(found):.1f} %",
                f"{100 - 100 * accepted / len(found):.1f} %",
                f"{sum(pairs for _, pairs in found) / len(found):.0f}",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
