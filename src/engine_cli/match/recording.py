"""The record of one game as HGN, written turn by turn."""

from collections.abc import Sequence
from datetime import datetime

from engine_cli.match.config import Tournament
from engine_cli.match.faults import Fault
from engine_cli.match.outcome import SeatOutcome
from engine_cli.match.schedule import Game

__all__ = ["Record"]


class Record:
    """Collects turns and notes; `text` is the whole."""

    def __init__(self, tournament: Tournament, game: Game, start: str) -> None:
        self._tournament = tournament
        self._game = game
        self._start = start
        self._turns: list[str] = []
        self._notes: list[tuple[str, str]] = []

    def turn(self, words: str, comment: str) -> None:
        """A turn with its number and chance part."""
        self._turns.append(f"{words} {{{comment}}}" if comment else words)

    def note(self, seat: int, fault: Fault) -> None:
        """A fault that was forgiven."""
        name = f"Forgiven{len(self._notes) + 1}"
        self._notes.append((name, f"seat {seat + 1} {fault.kind}: {fault.detail}"))

    def text(
        self,
        seats: Sequence[SeatOutcome],
        started: datetime,
        guilty: int | None,
        fault: Fault | None,
    ) -> str:
        """The record, ended by a line end. The tag Result is that of finished games alone."""
        engines = [self._tournament.engines[engine] for engine in self._game.seats]
        points = " ".join(f"{seat.points}/{seat.cubes}" for seat in seats)
        tags = [
            ("Event", " - ".join(self._tournament.names)),
            ("Game", self._game.id),
            ("Date", started.strftime("%Y.%m.%d")),
            ("Time", started.strftime("%H:%M:%S")),
            ("Seed", str(self._game.seed)),
            *((f"Player{n}", engine.name) for n, engine in enumerate(engines, 1)),
            *((f"TimeControl{n}", str(engine.limits)) for n, engine in enumerate(engines, 1)),
            *self._notes,
        ]
        if guilty is None or fault is None:
            tags += [("Termination", "normal"), ("Position", self._start), ("Result", points)]
        else:
            tags += [
                ("Termination", f"seat {guilty + 1} forfeits, {fault.kind}: {fault.detail}"),
                ("Forfeit", str(guilty + 1)),
                ("Scores", points),
                ("Position", self._start),
            ]
        lines = [f'[{name} "{_tag_text(value)}"]' for name, value in tags]
        return "\n".join([*lines, "", *self._turns]).rstrip("\n") + "\n"


def _tag_text(value: str) -> str:
    """A value as it stands between quotation marks: one printable line."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in value)
    return shown.replace("\\", "\\\\").replace('"', '\\"')
