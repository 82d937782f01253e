"""Evaluations as rows of a CSV file."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from harmonies_core.learning.evaluation import Score
from harmonies_core.learning.run import Evaluation, Run

__all__ = ["csv_text", "run_name"]

_OPPONENTS: Final = ("best", "hand", "now", "rush")
_COLUMNS: Final = (
    "side", "seed", "part", "games", "seconds", "loss", "rate", "points", "points_error",
    *(f"{name}_{what}" for name in _OPPONENTS
      for what in ("win", "win_error", "margin", "margin_error")),
    "promoted",
)  # fmt: skip


def run_name(run: Run) -> str:
    """How messages call a run."""
    part = "" if run.part == "all" else f" {run.part}"
    return f"{run.settings.side} seed {run.settings.seed}{part}"


def csv_text(runs: Iterable[Run]) -> str:
    """One row for each evaluation of each run, below a line with the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for run in runs:
        # A copy, since the run may add to it.
        for evaluation in list(run.evaluations):
            about = [run.settings.side, run.settings.seed, run.part]
            writer.writerow([*about, *_row(evaluation)])
    return text.getvalue()


def _row(x: Evaluation) -> list[object]:
    row: list[object] = [x.games, f"{x.seconds:.1f}", f"{x.loss:.3f}", f"{x.rate:.3g}"]
    row += [f"{x.points:.2f}", f"{x.points_error:.2f}"]
    for name in _OPPONENTS:
        row += _cells(getattr(x, name))
    return [*row, int(x.promoted)]


def _cells(score: Score | None) -> list[str]:
    if score is None:
        return [""] * 4
    return [
        f"{score.win:.4f}",
        f"{score.win_error:.4f}",
        f"{score.margin:.2f}",
        f"{score.margin_error:.2f}",
    ]
