"""What a training shows while it runs: a bar for each run, a line for each evaluation."""

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from engine_cli.training.log import run_name
from engine_cli.training.weights import Choice
from harmonies_core.learning.evaluation import Score
from harmonies_core.learning.run import Evaluation, Run
from harmonies_core.learning.run import Progress as Round
from harmonies_core.learning.settings import Budget

__all__ = ["Display", "choice_table"]

_HEADER = "run                  games   points        best        hand        now         rush"


class Display:
    """A context manager that draws on a console; without a terminal only lines are printed."""

    def __init__(self, console: Console, runs: Sequence[Run], budgets: Sequence[Budget]) -> None:
        self._console = console
        self._budgets = budgets
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[text]}"),
            TimeRemainingColumn(),
            console=console,
            speed_estimate_period=600,  # rounds of many runs can be far apart
            disable=not console.is_terminal,
        )
        self._tasks: list[TaskID] = [
            self._progress.add_task(run_name(run), total=1.0, text="") for run in runs
        ]

    def __enter__(self) -> "Display":
        self._progress.start()
        self.say(_HEADER)
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def say(self, line: str) -> None:
        """Print a line above the bars."""
        self._console.print(line, soft_wrap=True)

    def show(self, number: int, run: Run, record: Round | Evaluation) -> None:
        """Show the newest record of a run."""
        if isinstance(record, Evaluation):
            self.say(_line(run, record))
            return
        if record.warm < 1:
            share, text = record.warm, "warm-up"
        else:
            share = self._budgets[number].done(record.games, record.seconds)
            text = f"{record.games} games, error {record.loss:.2f} points"
        self._progress.update(self._tasks[number], completed=min(1.0, share), text=text)


def _line(run: Run, x: Evaluation) -> str:
    points = f"{x.points:.1f} ± {x.points_error:.1f}"
    wins = "  ".join(_win(score) for score in (x.best, x.hand, x.now, x.rush))
    mark = "  best so far" if x.promoted else ""
    return f"{run_name(run):16} {x.games:9}   {points:11}   {wins}{mark}".rstrip()


def _win(score: Score | None) -> str:
    if score is None:
        return "-".ljust(10)
    return f"{100 * score.win:2.0f} ± {100 * score.win_error:.0f} %".ljust(10)


def choice_table(choices: Sequence[Choice]) -> Table:
    """Who won the matches between the seeds, and between the runs that went on alike."""
    table = Table("side", "seed", "games", "won against the others", "points", "")
    for choice in choices:
        first = choice.runs[0]
        if len(choice.nets) == 1 and first.part != "all":
            continue  # nothing was compared
        kind = "" if first.part == "all" else f" {first.part}"
        for standing in choice.standings:
            run = choice.run_of(standing)
            alone = len(choice.nets) == 1
            won = f"{100 * standing.win:.1f} ± {100 * standing.win_error:.1f} %"
            table.add_row(
                first.settings.side + kind,
                "mean" if run is None else str(run.settings.seed),
                str(first.games if run is None else run.best_games),
                "-" if alone else won,
                "-" if alone else f"{standing.points:.1f}",
                "chosen" if run is choice.run else "",
            )
    return table
