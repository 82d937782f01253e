"""Print how many nodes a second a build searches, against another build, taking turns.

    python benchmarks/builds.py ../before/src src --rounds 6 --movetime 200

Each argument is a folder that holds `harmonies_core` with its extension modules built.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import fmean

from games import error

HERE = Path(__file__).resolve().parent
RATE = """
import sys
from threads import rate
print(rate(1, int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
"""


def measure(folder, args):
    """Nodes a second of the build in a folder, in a process of its own."""
    words = [str(number) for number in (args.movetime, args.deals, args.seed)]
    paths = os.pathsep.join((str(folder), str(HERE)))
    command = [sys.executable, "-c", RATE, *words]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--movetime", type=int, default=200)
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for folder in (args.before, args.after):
        if not (folder / "harmonies_core").is_dir():
            parser.error(f"{folder}: no folder with harmonies_core in it")
    if args.rounds < 2:
        parser.error("--rounds: at least 2, for an error")
    ratios = []
    for i in range(args.rounds):
        both = [args.before.resolve(), args.after.resolve()]
        found = {folder: measure(folder, args) for folder in (both, both[::-1])[i % 2]}
        before, after = (found[folder] for folder in both)
        ratios.append(after / before)
        print(f"{before:12,.0f} {after:12,.0f} {after / before:7.3f}", flush=True)
    print(f"ratio {fmean(ratios):.3f} +- {error(ratios):.3f}")


if __name__ == "__main__":
    main()
