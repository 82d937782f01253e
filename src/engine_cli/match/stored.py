"""A tournament as it lies in its folder, for commands that only look at it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_cli.match.config import Engine, RulesChoice, Tournament
from engine_cli.match.journal import GAMES, RESULTS, TOURNAMENT, JournalError, read_tournament
from engine_cli.match.limits import Limits, LimitsError
from engine_cli.match.outcome import Outcome
from engine_cli.match.results import ResultsError, parse_rows
from engine_cli.match.schedule import Schedule
from engine_cli.match.standings import Standings
from engine_cli.match.stats.sprt import Sprt

__all__ = ["StoredTournament"]


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """Opened with `open`; nothing is locked, a run may go on meanwhile."""

    folder: Path
    tournament: Tournament
    """Without policies and packs, which the games do not need any more."""
    sprt: Sprt | None

    @classmethod
    def open(cls, path: Path) -> "StoredTournament":
        """The tournament of a folder, or of one of the files in it. Raises JournalError."""
        folder = path if path.is_dir() else path.parent
        if not path.exists() or not (folder / TOURNAMENT).exists():
            told = "is not the folder of a tournament" if path.exists() else "no such folder"
            raise JournalError(f"{path}: cannot be read: {told}")
        data = read_tournament(folder / TOURNAMENT)
        try:
            return cls(folder, _tournament(data), _sprt(data.get("sprt")))
        except (KeyError, TypeError, ValueError, LimitsError) as error:
            raise JournalError(
                f"{folder / TOURNAMENT}: is not the file of a tournament: {error!r}"
            ) from None

    @property
    def games(self) -> Path:
        """The file of records."""
        return self.folder / GAMES

    def outcomes(self) -> Iterator[Outcome]:
        """The finished games in the order of the file; a torn last one is left out."""
        path = self.folder / RESULTS
        try:
            with open(path, encoding="utf-8", newline="") as file:
                whole = (line for line in file if line.endswith("\n"))
                players = self.tournament.rules.players
                for outcome, _ in parse_rows(whole, self.tournament.names):
                    if len(outcome.seats) == players:
                        yield outcome
        except OSError as error:
            raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from None
        except (ResultsError, UnicodeDecodeError) as error:
            raise JournalError(f"{path}, {error}") from None

    def standings(self) -> Standings:
        """All figures."""
        standings = Standings(self.tournament, Schedule(self.tournament), self.sprt)
        for outcome in self.outcomes():
            standings.add(outcome)
        standings.close_gaps()
        return standings


def _tournament(data: dict[str, Any]) -> Tournament:
    values = data["tournament"]
    rules = values["rules"]
    return Tournament(
        tuple(
            Engine(
                engine["name"],
                tuple(engine["command"]),
                engine["options"],
                engine["environment"],
                engine["folder"],
                Limits(**engine["limits"]),
            )
            for engine in values["engines"]
        ),
        values["format"],
        RulesChoice(
            rules["players"], rules["side"], rules["spirits"], tuple(rules["packs"]), rules["river"]
        ),
        data["rounds"],
        values["seed"],
    )


def _sprt(values: Any) -> Sprt | None:
    return None if values is None else Sprt(**values)
