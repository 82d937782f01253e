"""What is shown while a tournament goes on: table and progress bar, or nothing in a pipe."""

import time
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine_cli.match.display import main_table, pair_lines
from engine_cli.match.standings import Standings

__all__ = ["LiveView"]

_PAUSE = 0.5  # seconds between two pictures


class LiveView:
    """A context manager; shows nothing unless the console is a terminal."""

    def __init__(self, console: Console, standings: Standings) -> None:
        self._standings = standings
        self._drawn = 0.0
        self._stopping = False
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
        )
        self._task = self._progress.add_task(
            "games", total=standings.total, completed=standings.finished, rate=""
        )
        self._began = time.monotonic()
        self._before = standings.finished
        self._live = (
            Live(self._picture(), console=console, auto_refresh=False, transient=True)
            if console.is_terminal
            else None
        )

    def __enter__(self) -> "LiveView":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, *, stopping: bool) -> None:
        """Draw now and then."""
        now = time.monotonic()
        if self._live is None or (stopping == self._stopping and now - self._drawn < _PAUSE):
            return
        self._drawn, self._stopping = now, stopping
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Group:
        played = self._standings.finished - self._before
        rate = played / max(1e-9, time.monotonic() - self._began)
        self._progress.update(
            self._task,
            completed=self._standings.finished,
            description="finishing the games that go on" if self._stopping else "games",
            rate=f"{rate:.1f} games/s" if played else "",
        )
        lines = list(pair_lines(self._standings)) if len(self._standings.names) == 2 else []
        return Group(main_table(self._standings), *lines, self._progress)
