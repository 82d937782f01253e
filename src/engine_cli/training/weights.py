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
    """The run chosen for a side, and how the runs compared stand."""

    run: Run
    runs: Sequence[Run]
    standings: Sequence[Standing]


def mark(run: Run) -> str:
    """A few digits that tell what a run has learned from everything else."""
    return hashlib.sha256(run.current + (run.best or b"")).hexdigest()[:12]


def run_weights(run: Run, command: str) -> bytes:
    """A weights file of the best network of one run."""
    assert run.best is not None
    side = run.settings.side
    header = {"command": command, "trained": {side: _about(run)}}
    return _pack({(side, spirits): run.best for spirits in _kinds(run)}, header)


def final_weights(choices: dict[str, Choice], parts: Sequence[Run], command: str) -> bytes:
    """A weights file of the networks chosen, by side, and of the runs that went on from them."""
    nets: dict[tuple[str, bool], bytes] = {}
    trained: dict[str, dict[str, Any]] = {}
    for side, choice in choices.items():
        trained[side] = {**_about(choice.run), "compared": _compared(choice)}
    for run in (*(choice.run for choice in choices.values()), *parts):
        assert run.best is not None
        nets |= {(run.settings.side, spirits): run.best for spirits in _kinds(run)}
    for run in parts:
        trained[run.settings.side][run.part] = _about(run)
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


def _compared(choice: Choice) -> list[dict[str, Any]]:
    return [
        {
            "seed": choice.runs[standing.number].settings.seed,
            "games": choice.runs[standing.number].best_games,
            "win": round(standing.win, 4),
            "error": round(standing.win_error, 4),
        }
        for standing in choice.standings
    ]


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
