"""The learning curve as a picture; needs matplotlib, which the extra `train` installs."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

import click

from engine_cli.training.log import run_name
from harmonies_core.learning.run import Evaluation, Run

__all__ = ["check_matplotlib", "curve_png"]

_STYLES: Final = {"hand": "hand-made player", "now": "player for points now", "rush": "rusher"}


def check_matplotlib() -> None:
    """Say now, not after hours, that the package is missing."""
    if find_spec("matplotlib") is None:
        raise click.ClickException(
            "the learning curve is drawn by matplotlib, which is not installed: "
            "pip install 'harmonies-engine[train]', or use --no-curve (curve.csv comes anyway)"
        )


def curve_png(runs: Sequence[Run]) -> bytes:
    """Points in self-play and wins against the styles over games, a line for each run."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 8), layout="constrained")
    axes = figure.subplots(2, 2)
    panels = [("points", "points in self-play, with spirits where all games have them")]
    panels += [(name, f"games won against the {text}, %") for name, text in _STYLES.items()]
    for axis, (name, title) in zip(axes.flat, panels, strict=True):
        axis.set_title(title)
        axis.set_xlabel("games")
        axis.grid(alpha=0.3)
        if len(runs) > 10:
            axis.set_prop_cycle(color=colormaps["tab20"](range(20)))
        for run in runs:
            _draw(axis, run, name)
    if len(runs) <= 24:
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper", fontsize="small")
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=100)
    return file.getvalue()


def _draw(axis: Any, run: Run, name: str) -> None:
    evaluations = list(run.evaluations)
    values = [_value(evaluation, name) for evaluation in evaluations]
    axis.errorbar(
        [evaluation.games for evaluation in evaluations],
        [value for value, _ in values],
        yerr=[error for _, error in values],
        label=run_name(run),
        linestyle="-" if run.settings.side == "A" else "--",
        linewidth=1,
        elinewidth=0.5,
        marker=".",
    )


def _value(evaluation: Evaluation, name: str) -> tuple[float, float]:
    if name == "points":
        return evaluation.points, evaluation.points_error
    score = getattr(evaluation, name)
    return 100 * score.win, 100 * score.win_error
