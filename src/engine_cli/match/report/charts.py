"""The pictures of a report, as SVG text."""

import io
import math
import re
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from engine_cli.match.display import engine_elo, ranking
from engine_cli.match.outcome import CATEGORIES
from engine_cli.match.report.series import Series
from engine_cli.match.standings import Standings

__all__ = ["categories", "distributions", "llr", "ratings", "times"]

# Text stays text, and the same data make the same file.
_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "harmonies", "font.size": 9}


def _figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(8, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    """The picture as an element of a page."""
    out = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(out, metadata={"Date": None})
    text = out.getvalue()
    # the width is that of the page
    return re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text[text.index("<svg") :], count=1)


def ratings(standings: Standings) -> str:
    """Elo (two seats), Plackett-Luce ratings (three or four), or points (solo), with 95 %.

    Nothing where all of them are infinite.
    """
    order = ranking(standings)[::-1]
    middles, reaches, names = [], [], []
    for place in order:
        tally = standings.engines[place]
        if standings.players == 2:
            elo = engine_elo(tally, 2)
            middle, reach = elo.diff, elo.error
        elif standings.ratings is not None:
            middle, reach = standings.ratings[place].mean, standings.ratings[place].reach
        else:
            middle, reach = tally.points.mean, 1.96 * tally.points.error
        if math.isfinite(middle):
            middles.append(middle)
            reaches.append(reach if math.isfinite(reach) else 0.0)
            names.append(standings.names[place])
    if not names:
        return ""
    with mpl.rc_context(_STYLE):
        figure, axes = _figure(1 + 0.3 * len(names))
        axes.errorbar(middles, range(len(names)), xerr=reaches, fmt="o", capsize=3)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(-0.5, max(0.5, len(names) - 0.5))
        labels = {1: "points", 2: "Elo against all opponents"}
        axes.set_xlabel(labels.get(standings.players, "Plackett-Luce rating") + ", 95 % interval")
        axes.grid(axis="x", alpha=0.3)
        return _svg(figure)


def categories(standings: Standings) -> str:
    """Mean points by category with standard errors."""
    shown = [n for n in CATEGORIES if any(t.categories[n].mean for t in standings.engines)]
    order = ranking(standings)
    width = 0.8 / len(order)
    with mpl.rc_context(_STYLE):
        figure, axes = _figure(3)
        for number, place in enumerate(order):
            means = [standings.engines[place].categories[name] for name in shown]
            axes.bar(
                [at - 0.4 + (number + 0.5) * width for at in range(len(shown))],
                [mean.mean for mean in means],
                width,
                yerr=[mean.error if math.isfinite(mean.error) else 0.0 for mean in means],
                label=standings.names[place],
            )
        axes.set_xticks(range(len(shown)), shown)
        axes.set_ylabel("mean points")
        axes.legend(frameon=False)
        return _svg(figure)


def distributions(standings: Standings, series: Series) -> str:
    """How often each number of points was reached."""
    order = [place for place in ranking(standings) if series.points[place]]
    with mpl.rc_context(_STYLE):
        figure, axes = _figure(3)
        lows = [min(series.points[place]) for place in order]
        highs = [max(series.points[place]) for place in order]
        if order:
            first = 5 * (min(lows) // 5)
            axes.hist(
                [series.points[place] for place in order],
                bins=range(first, max(highs) + 6, 5),
                histtype="step" if len(order) > 1 else "bar",
                density=True,
                label=[standings.names[place] for place in order],
            )
            axes.legend(frameon=False)
        axes.set_xlabel("points")
        axes.set_ylabel("share of games, per point")
        return _svg(figure)


def times(standings: Standings, series: Series) -> str:
    """Mean time a turn of every game."""
    order = [place for place in ranking(standings)[::-1] if series.turn_times[place]]
    values: list[Sequence[float]] = [series.turn_times[place] for place in order]
    with mpl.rc_context(_STYLE):
        figure, axes = _figure(1 + 0.35 * len(order))
        if order:
            axes.boxplot(values, orientation="horizontal", widths=0.6, sym="")
            axes.set_yticks(range(1, len(order) + 1), [standings.names[p] for p in order])
        axes.set_xlabel("milliseconds a turn, mean of a game (box: quartiles)")
        axes.set_xlim(left=0)
        return _svg(figure)


def llr(standings: Standings, series: Series) -> str:
    """The course of the sequential test between its bounds."""
    test = standings.sprt
    assert test is not None
    with mpl.rc_context(_STYLE):
        figure, axes = _figure(3)
        axes.plot(range(1, len(series.llr) + 1), series.llr)
        for bound, name in ((test.upper, "H1"), (test.lower, "H0")):
            axes.axhline(bound, linestyle="--", color="gray")
            axes.annotate(name, (1, bound), xytext=(2, 3), textcoords="offset points")
        axes.set_xlabel("pairs of games")
        axes.set_ylabel("log-likelihood ratio")
        return _svg(figure)
