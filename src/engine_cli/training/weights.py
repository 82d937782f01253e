"""Weights files made from runs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import engine_cli
from harmonies_core.errors import HarmoniesError
from harmonies_core.learning.evaluation import Standing
from harmonies_core.learning.run import Run
from harmonies_core.values.network import pack_weights
from harmonies_core.values.weights import default_weights

__all__ = ["Choice", "final_weights", "mark", "run_weights"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What was compared, and how it stands: the runs of a side, or those that went on alike.

    nets: the best network of each run, and then their mean where that was compared too.
    """

    runs: Sequence[Run]
    nets: Sequence[bytes]
    standings: Sequence[Standing]

    @property
    def net(self) -> bytes:
        """The network chosen."""
        return self.nets[self.standings[0].number]

    @property
    def run(self) -> Run | None:
        """The run that it comes from; None for the mean."""
        return self.run_of(self.standings[0])

    def run_of(self, standing: Standing) -> Run | None:
        """The run that a standing is of; None for the mean."""
        return self.runs[standing.number] if standing.number < len(self.runs) else None


def mark(run: Run) -> str:
    """A few digits that tell what a run has learned from everything else."""
    return hashlib.sha256(run.current + (run.best or b"")).hexdigest()[:12]


def run_weights(run: Run, command: str) -> bytes:
    """A weights file of the best network of one run."""
    assert run.best is not None
    side = run.settings.side
    header = {"command": command, "trained": {side: _about(run)}}
    return _pack({(side, spirits): run.best for spirits in _kinds(run)}, header)


def final_weights(choices: Sequence[Choice], command: str) -> bytes:
    """A weights file of the networks chosen: of a side, and then of what went on from them."""
    nets: dict[tuple[str, bool], bytes] = {}
    trained: dict[str, dict[str, Any]] = {}
    for choice in choices:
        first = choice.runs[0]
        side = first.settings.side
        nets |= {(side, spirits): choice.net for spirits in _kinds(first)}
        about = _chosen(choice)
        if first.part == "all":
            trained[side] = about
        else:
            trained[side][first.part] = about
    header = {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "trained": trained,
    }
    return _pack(nets, header)


def _kinds(run: Run) -> tuple[bool, ...]:
    """For games without spirits (False), with them (True) or both."""
    return {"plain": (False,), "spirits": (True,)}.get(run.part, (False, True))


def _about(run: Run) -> dict[str, Any]:
    return {"seed": run.settings.seed, "games": run.best_games, "plans": run.plans}


def _chosen(choice: Choice) -> dict[str, Any]:
    """About the network chosen: that of a run, or the mean of what the runs came to."""
    if choice.run is not None:
        about = _about(choice.run)
    else:
        last = choice.runs[0]
        seeds = [run.settings.seed for run in choice.runs]
        about = {"mean": seeds, "games": last.games, "plans": last.plans}
    if len(choice.standings) > 1:
        about["compared"] = [_stands(choice, standing) for standing in choice.standings]
    return about


def _stands(choice: Choice, standing: Standing) -> dict[str, Any]:
    run = choice.run_of(standing)
    return {
        "seed": "mean" if run is None else run.settings.seed,
        "games": choice.runs[0].games if run is None else run.best_games,
        "win": round(standing.win, 4),
        "error": round(standing.win_error, 4),
    }


def _pack(nets: dict[tuple[str, bool], bytes], header: dict[str, Any]) -> bytes:
    """A file always has all networks: what was not trained is what comes with the engine."""
    size = len(next(iter(nets.values())))
    every = [
        nets.get((side, spirits)) or _shipped(side, spirits, size)
        for side in ("A", "B")
        for spirits in (False, True)
    ]
    return pack_weights(every, {"version": engine_cli.__version__, **header})


@cache
def _shipped(side: str, spirits: bool, size: int) -> bytes:
    """The weights that come with the engine, or zeros where they are for another version."""
    try:
        return default_weights().parameters(side, spirits)
    except (HarmoniesError, OSError):
        return bytes(size)
