"""Runs a tournament: hands out games, writes down what comes back, knows when to stop."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from engine_cli.match.journal import Journal
from engine_cli.match.outcome import Outcome
from engine_cli.match.schedule import Game, Schedule
from engine_cli.match.standings import Standings

__all__ = ["Backend", "run"]

_PAUSE = 0.2  # seconds between two looks at whether to stop
_TOGETHER = 100  # games written down in one go


class Backend(Protocol):
    """Where games are played."""

    @property
    def capacity(self) -> int:
        """How many games can go on at the same time."""
        ...

    @property
    def running(self) -> int:
        """Games that were submitted and not fetched yet."""
        ...

    def submit(self, game: Game) -> None:
        """Begin a game."""
        ...

    def fetch(self, timeout: float) -> Outcome | None:
        """A finished game, None if there is none within so many seconds."""
        ...

    def close(self, *, at_once: bool) -> None:
        """End all engines; games that go on are broken off."""
        ...


def run(
    schedule: Schedule,
    journal: Journal,
    standings: Standings,
    backend: Backend,
    *,
    stopping: Callable[[], bool] = lambda: False,
    changed: Callable[[Sequence[Outcome]], None] = lambda outcomes: None,
) -> None:
    """Play all games that are not in the journal, until the test decides or `stopping`.

    Games that go on when it stops are finished and written down. `changed` is called with
    the games that were written down, and now and then with none. Raises JournalError.
    """
    todo = _unplayed(schedule, standings)
    following = next(todo, None)
    finished: list[Outcome] = []
    while True:
        over = following is None or standings.decided or stopping()
        room = 0 if over else backend.capacity - backend.running
        while following is not None and room > 0:
            backend.submit(following)
            following = next(todo, None)
            room -= 1
        # written down after the next games have begun, so that nobody waits for the disk
        if finished:
            journal.add([(schedule[outcome.index], outcome) for outcome in finished])
            for outcome in finished:
                standings.add(outcome)
        changed(finished)
        finished = []
        if over and not backend.running:
            return
        timeout = _PAUSE
        while len(finished) < _TOGETHER:
            found = backend.fetch(timeout)
            if found is None:
                break
            finished.append(found)
            timeout = 0.0


def _unplayed(schedule: Schedule, standings: Standings) -> Iterator[Game]:
    return (schedule[index] for index in range(len(schedule)) if not standings.has(index))
