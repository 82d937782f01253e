"""The results file: CSV, one line for every seat of every finished game."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine_cli.match.outcome import CATEGORIES, Outcome, SeatOutcome
from engine_cli.match.schedule import Game

__all__ = ["COLUMNS", "HEADER", "ResultsError", "Row", "parse_rows", "rows_text"]

COLUMNS: Final = (
    "game",
    "index",
    "round",
    "lineup",
    "rotation",
    "seed",
    "seat",
    "engine",
    "points",
    "cubes",
    "rank",
    "score",
    *CATEGORIES,
    "suns",
    "turns",
    "nodes",
    "depth",
    "time_ms",
    "slowest_ms",
    "end",
    "fault",
    "detail",
    "started",
    "duration_ms",
    "record_start",
    "record_end",
)
"""Names of the columns; docs/tournaments.md says what each means."""

HEADER: Final = ",".join(COLUMNS) + "\n"


class ResultsError(ValueError):
    """A line of a results file that cannot be read."""


Row = dict[str, str]


def rows_text(
    game: Game, outcome: Outcome, names: Sequence[str], record_start: int, record_end: int
) -> str:
    """The lines of one game; each ends with a line end."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, (seat, score) in enumerate(zip(outcome.seats, outcome.scores, strict=True), 1):
        writer.writerow(
            [
                game.id,
                game.index,
                game.round,
                game.lineup,
                game.rotation,
                game.seed,
                number,
                names[seat.engine],
                seat.points,
                seat.cubes,
                seat.rank,
                f"{score:.6g}",
                *seat.categories,
                "" if outcome.suns is None else outcome.suns,
                seat.turns,
                seat.nodes,
                f"{seat.depth:.6g}",
                seat.time,
                seat.slowest,
                outcome.end,
                seat.fault,
                seat.detail,
                outcome.started,
                outcome.duration,
                record_start,
                record_end,
            ]
        )
    return text.getvalue()


def parse_rows(lines: Iterable[str], names: Sequence[str]) -> Iterator[tuple[Outcome, int]]:
    """Outcomes without their records, and where the record of each ends, in the order of the
    file. `lines` are those of a whole file. Raises ResultsError.
    """
    places = {name: place for place, name in enumerate(names)}
    reader = csv.DictReader(lines, strict=True)
    seats: list[Row] = []
    try:
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ResultsError("line 1: not the columns of a results file")
        for row in reader:
            if seats and row["index"] != seats[0]["index"]:
                yield _outcome(seats, places)
                seats = []
            if None in row.values():
                raise ResultsError(f"line {reader.line_num}: too few columns")
            if int(row["seat"]) != len(seats) + 1:
                raise ResultsError(f"line {reader.line_num}: seat {row['seat']} out of its order")
            seats.append(row)
        if seats:
            yield _outcome(seats, places)
    except (csv.Error, KeyError, TypeError, ValueError) as error:
        if isinstance(error, ResultsError):
            raise
        raise ResultsError(f"line {reader.line_num}: cannot be read: {error}") from None


def _outcome(rows: Sequence[Row], places: dict[str, int]) -> tuple[Outcome, int]:
    first = rows[0]
    outcome = Outcome(
        int(first["index"]),
        tuple(
            SeatOutcome(
                places[row["engine"]],
                int(row["points"]),
                int(row["cubes"]),
                int(row["rank"]),
                tuple(int(row[name]) for name in CATEGORIES),
                int(row["turns"]),
                int(row["nodes"]),
                float(row["depth"]),
                int(row["time_ms"]),
                int(row["slowest_ms"]),
                row["fault"],
                row["detail"],
            )
            for row in rows
        ),
        "",
        first["end"],
        int(first["suns"]) if first["suns"] else None,
        first["started"],
        int(first["duration_ms"]),
    )
    return outcome, int(first["record_end"])
