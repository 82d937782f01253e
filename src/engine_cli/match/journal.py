"""The folder of a tournament: what is in it is what was played.

`tournament.json` says which tournament it is, `games.hgn` has the records, `results.csv` the
results. A game counts when its lines in the results are on the disk; its record is there before.
What a kill left half-written after the last whole game is cut off when the folder is opened, and
that game is played again.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

from engine_cli.atomic import write_text
from engine_cli.match.config import Tournament
from engine_cli.match.lock import FolderLock
from engine_cli.match.outcome import Outcome
from engine_cli.match.results import HEADER, ResultsError, parse_rows, rows_text
from engine_cli.match.schedule import Game
from engine_cli.match.stats.sprt import Sprt

__all__ = ["GAMES", "RESULTS", "TOURNAMENT", "Journal", "JournalError", "read_tournament"]

TOURNAMENT: Final = "tournament.json"
GAMES: Final = "games.hgn"
RESULTS: Final = "results.csv"
_FORMAT: Final = 1


class JournalError(Exception):
    """The folder cannot be used, or written to."""


class Journal:
    """The folder of a running tournament, locked. A context manager. Raises JournalError.

    The test, which does not decide what is played, is only noted down.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        tournament: Tournament,
        sprt: Sprt | None = None,
    ) -> None:
        self._sprt = sprt
        self.folder = Path(folder)
        self._names = tournament.names
        self._players = tournament.rules.players
        self._games: BinaryIO | None = None
        self._results: BinaryIO | None = None
        self._end = 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.folder)
        except BlockingIOError:
            raise JournalError(f"{folder}: another run of this tournament is going on") from None
        except OSError as error:
            raise JournalError(f"{folder}: cannot be written to: {error.strerror}") from None
        try:
            self._open(tournament)
        except OSError as error:
            self.close()
            place = error.filename or folder
            raise JournalError(f"{place}: {error.strerror or error}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, tournament: Tournament) -> None:
        path = self.folder / TOURNAMENT
        for stale in self.folder.glob(f".{TOURNAMENT}.*"):  # a write that a kill broke off
            stale.unlink()
        if path.exists():
            found = read_tournament(path)
            if found.get("fingerprint") != tournament.fingerprint():
                told = _difference(found.get("tournament"), tournament.as_dict())
                raise JournalError(
                    f"{self.folder}: holds another tournament ({told}); "
                    "choose another folder with --out"
                )
        else:
            for name in (RESULTS, GAMES):
                if (self.folder / name).exists():
                    raise JournalError(
                        f"{self.folder}: has a {name} but no {TOURNAMENT}; "
                        "choose another folder with --out"
                    )
            # first of all: a kill from here on leaves a folder that is known again
            self._describe(tournament)
        self._results = open(self.folder / RESULTS, "a+b", buffering=0)  # noqa: SIM115
        self._games = open(self.folder / GAMES, "a+b", buffering=0)  # noqa: SIM115
        self._repair()
        self._describe(tournament)

    def _describe(self, tournament: Tournament) -> None:
        """Write what the tournament is; the number of rounds may have grown."""
        data = {
            "format": _FORMAT,
            "fingerprint": tournament.fingerprint(),
            "rounds": tournament.rounds,
            "sprt": None if self._sprt is None else asdict(self._sprt),
            "tournament": tournament.as_dict(),
        }
        text = json.dumps(data, indent=2) + "\n"
        path = self.folder / TOURNAMENT
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_text(path, text)

    def _repair(self) -> None:
        """Cut off what was not written whole, and find the end of the last record."""
        assert self._results is not None
        assert self._games is not None
        path = self.folder / RESULTS
        size = whole = 0
        rows: list[bytes] = []
        with open(path, "rb") as file:
            for number, line in enumerate(file):
                size += len(line)
                if not line.endswith(b"\n"):
                    break
                if number == 0:
                    if line.decode("utf-8", "replace") != HEADER:
                        raise JournalError(f"{path}, line 1: not the columns of a results file")
                    whole = size
                    continue
                rows.append(line)
                if len(rows) == self._players:
                    rows.clear()
                    whole = size
        if path.stat().st_size != whole:
            self._results.truncate(whole)
        if whole == 0:
            self._append(self._results, HEADER.encode())
        for _, end in self._parsed():
            self._end = max(self._end, end)
        present = os.fstat(self._games.fileno()).st_size
        if present < self._end:
            raise JournalError(
                f"{self.folder / GAMES}: is shorter than {RESULTS} says "
                f"({present} bytes, expected {self._end}); records are missing"
            )
        self._games.truncate(self._end)

    def _parsed(self) -> Iterator[tuple[Outcome, int]]:
        path = self.folder / RESULTS
        with open(path, encoding="utf-8", newline="") as file:
            try:
                yield from parse_rows(file, self._names)
            except (ResultsError, UnicodeDecodeError) as error:
                raise JournalError(f"{path}, {error}") from None

    def outcomes(self) -> Iterator[Outcome]:
        """The finished games, without their records, in the order of the file."""
        for outcome, _ in self._parsed():
            yield outcome

    def add(self, played: Sequence[tuple[Game, Outcome]]) -> None:
        """Put finished games on the disk. When this returns they count. Raises JournalError.

        If that fails, none of them does.
        """
        assert self._results is not None
        assert self._games is not None
        records: list[bytes] = []
        rows: list[str] = []
        end = self._end
        for game, outcome in played:
            if end:
                records.append(b"\n")
                end += 1
            start = end
            records.append(outcome.record.encode())
            end += len(records[-1])
            rows.append(rows_text(game, outcome, self._names, start, end))
        results_end = os.fstat(self._results.fileno()).st_size
        try:
            self._append(self._games, b"".join(records))
            self._append(self._results, "".join(rows).encode())
        except OSError as error:
            # best effort: the next start would cut it off as well
            for file, length in ((self._results, results_end), (self._games, self._end)):
                with suppress(OSError):
                    file.truncate(length)
            name = played[0][0].id
            raise JournalError(
                f"{self.folder}: game {name} cannot be written: {error.strerror or error}; "
                "the same command goes on from the last game that was"
            ) from None
        self._end = end

    @staticmethod
    def _append(file: BinaryIO, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())

    def close(self) -> None:
        """Give the folder free."""
        for file in (self._games, self._results):
            if file is not None:
                file.close()
        self._lock.release()


def read_tournament(path: Path) -> dict[str, Any]:
    """The contents of a `tournament.json`. Raises JournalError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise JournalError(f"{path}: is not the file of a tournament: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("tournament"), dict):
        raise JournalError(f"{path}: is not the file of a tournament")
    if data.get("format") != _FORMAT:
        raise JournalError(f"{path}: format {data.get('format')!r}, this program reads {_FORMAT}")
    return data


def _difference(found: object, wanted: object, place: str = "") -> str:
    """The first place where two tournaments differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in wanted:
            if found.get(key) != wanted[key]:
                return _difference(found.get(key), wanted[key], f"{place}.{key}" if place else key)
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True), 1):
            if one != other:
                return _difference(one, other, f"{place} {number}")
    return f"{place}: {json.dumps(found)[:60]} there, {json.dumps(wanted)[:60]} here"
