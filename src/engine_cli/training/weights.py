"""Weights files made from runs."""

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

__all__ = ["Choice", "final_weights", "run_weights"]


@dataclass(frozen=True, slots=True)
class Choice:
    """The run chosen for a side, and how the runs compared stand."""

    run: Run
    runs: Sequence[Run]
    standings: Sequence[Standing]


def run_weights(run: Run, command: str) -> bytes:
    """A weights file of the best network of one run."""
    assert run.best is not None
    header = {"command": command, "trained": {run.settings.side: _about(run)}}
    return _pack({run.settings.side: run.best}, header)


def final_weights(choices: dict[str, Choice], command: str) -> bytes:
    """A weights file of the networks chosen, by side."""
    nets, trained = {}, {}
    for side, choice in choices.items():
        assert choice.run.best is not None
        nets[side] = choice.run.best
        trained[side] = {**_about(choice.run), "compared": _compared(choice)}
    header = {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "trained": trained,
    }
    return _pack(nets, header)


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


def _pack(nets: dict[str, bytes], header: dict[str, Any]) -> bytes:
    """A file always has both sides: what was not trained is what comes with the engine."""
    size = len(next(iter(nets.values())))
    both = [nets.get(side) or _shipped(side, size) for side in ("A", "B")]
    return pack_weights(both[0], both[1], {"version": engine_cli.__version__, **header})


@cache
def _shipped(side: str, size: int) -> bytes:
    """The weights that come with the engine, or zeros where they are for another version."""
    try:
        return default_weights().side(side)
    except (HarmoniesError, OSError):
        return bytes(size)
