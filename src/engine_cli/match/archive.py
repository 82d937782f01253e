"""Reads record files game by game, and checks games against the rules, the deal, the results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine_cli.match.outcome import CATEGORIES, Outcome
from harmonies_core.cards import Pack
from harmonies_core.errors import HarmoniesError
from harmonies_core.game import Dealer, Position
from harmonies_core.record import Game, read_games

__all__ = ["ArchiveError", "Entry", "check", "entries", "load", "where_cut"]

_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]')
_PLY = re.compile(r"[0-9]+\.[1-4] [^\s/]+(/\S+)?( \{[^{}]*\})?")
_PLAYER = re.compile(r"Player([1-4])")
_POINTS = re.compile(r"(-?[0-9]+)/([0-9]+)")


class ArchiveError(Exception):
    """The file cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of a file as it stands there; its turns are not looked at."""

    number: int
    """Place in the file, from 1."""
    line: int
    """Where it begins."""
    text: str
    """Its lines; the last one has no line end if the file ends in it."""
    tags: Mapping[str, str]
    plies: int

    @property
    def name(self) -> str:
        """What to call it."""
        return self.tags.get("Game", str(self.number))

    @property
    def players(self) -> list[str]:
        """Names by seat."""
        found = {int(m[1]): v for k, v in self.tags.items() if (m := _PLAYER.fullmatch(k))}
        return [found.get(seat, "?") for seat in range(1, max(found, default=0) + 1)]

    @property
    def points(self) -> list[tuple[int, int]]:
        """Points and cubes by seat; empty without a result."""
        told = self.tags.get("Result") or self.tags.get("Scores") or ""
        return [(int(points), int(cubes)) for points, cubes in _POINTS.findall(told)]

    @property
    def end(self) -> str:
        """``normal``, the name of a fault, or ``?``."""
        told = self.tags.get("Termination", "normal" if "Result" in self.tags else "?")
        forfeit = re.match(r"seat [1-4] forfeits, ([a-z-]+)", told)
        return forfeit[1] if forfeit else told

    @property
    def winners(self) -> list[int]:
        """Seats from 1 that share the first place; a seat that forfeits has none of it."""
        guilty = self.tags.get("Forfeit")
        ranked = {n: p for n, p in enumerate(self.points, 1) if str(n) != guilty}
        best = max(ranked.values(), default=None)
        return [seat for seat, points in ranked.items() if points == best]


def entries(path: Path) -> Iterator[Entry]:
    """The games of a file, one at a time. Raises ArchiveError."""
    try:
        with open(path, encoding="utf-8") as file:
            yield from _entries(file)
    except ArchiveError as error:
        raise ArchiveError(f"{path}: {error}") from None
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ArchiveError(f"{path}: not UTF-8 text, expected game records") from None


def _entries(lines: Iterator[str]) -> Iterator[Entry]:
    block: list[str] = []
    tags: dict[str, str] = {}
    number = begin = plies = 0
    for at, line in enumerate(lines, 1):
        stripped = line.strip()
        if not stripped:
            if block:
                block.append("\n")
            continue
        is_tag = stripped.startswith("[")
        if is_tag and plies:
            number += 1
            yield Entry(number, begin, "".join(block), tags, plies)
            block, tags, plies = [], {}, 0
        if not block:
            begin = at
        block.append(stripped + "\n" if line.endswith("\n") else stripped)
        tag = _TAG.fullmatch(stripped)
        if tag is None and not tags and not number:
            raise ArchiveError(f'line {at}: no game record, a tag such as [Players "2"] expected')
        if tag is not None:
            # a game without turns is followed by a tag that it has already
            if tag[1] in tags:
                last = block.pop()
                number += 1
                yield Entry(number, begin, "".join(block), tags, plies)
                block, tags, begin = [last], {}, at
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif not is_tag:
            plies += 1
    if block:
        yield Entry(number + 1, begin, "".join(block), tags, plies)


def where_cut(entry: Entry) -> str | None:
    """What shows, without a replay, that the end of a record is missing; None if nothing does."""
    last = entry.text.rstrip("\n").rpartition("\n")[2]
    ply = _PLY.fullmatch(last)
    if ply is None and _TAG.fullmatch(last) is None:
        return "its last line is not whole"
    if "Position" not in entry.tags:
        return "it has no tag Position"
    if entry.end == "normal" and ply is None:
        return "it ended normally, but has no turns"
    if entry.end == "normal" and ply is not None and ply[1] is not None:
        return "it ended normally, but more turns follow the last one"
    if ply is not None and ply[2] is None and not entry.text.endswith("\n"):
        return "its last line has no line end"
    return None


def load(entry: Entry, packs: Sequence[Pack] = ()) -> Game:
    """The game, replayed. Raises ArchiveError that says what is wrong with it."""
    games, skipped = read_games(entry.text, packs)
    if skipped or len(games) != 1:
        # lines are counted from the beginning of the game there
        told = skipped[0].reason if skipped else "no game"
        told = re.sub(r"^line (\d+)", lambda match: f"line {int(match[1]) + entry.line - 1}", told)
        raise ArchiveError(told)
    return games[0]


def check(entry: Entry, packs: Sequence[Pack] = (), outcome: Outcome | None = None) -> None:
    """Replay a game and compare all that is said of it. Raises ArchiveError.

    Its turns have to be legal and its result theirs; what was dealt has to be the deal of its
    seed; and the results file, if there is one, has to say the same.
    """
    game = load(entry, packs)
    final = game.final()
    if entry.end == "normal" and not final.is_over():
        raise ArchiveError("is said to have ended normally, but goes on after the last turn")
    scores = " ".join(
        f"{points}/{cubes}"
        for points, cubes in zip(final.result().totals, final.result().cubes, strict=True)
    )
    told = entry.tags.get("Scores")
    if told is not None and told != scores:
        raise ArchiveError(f"tag Scores: {told!r}, the turns lead to {scores!r}")
    if "Seed" in entry.tags:
        _check_deal(game, entry.tags["Seed"])
    if outcome is not None:
        _check_outcome(final, entry, outcome)


def _check_deal(game: Game, seed: str) -> None:
    if not seed.isdecimal() or int(seed) >= 2**60:
        raise ArchiveError(f"tag Seed: {seed!r}, expected a number below 2^60")
    dealer = Dealer(game.start.rules, int(seed))
    position = dealer.start()
    if position != game.start:
        raise ArchiveError(f"the start position is not the deal of seed {seed}")
    for ply in game.plies:
        place = f"{position.turn}.{position.seat}"
        try:
            position.push(ply.turn.without_chance())
            if position.phase == "chance":
                dealt = dealer.deal(position)
                if ply.turn.chance != dealt:
                    raise ArchiveError(
                        f"turn {place}: dealt {ply.turn.chance}, the seed brings {dealt}"
                    )
                position.push_chance(dealt)
        except HarmoniesError as error:
            raise ArchiveError(f"turn {place}: {error}") from None


def _check_outcome(final: Position, entry: Entry, outcome: Outcome) -> None:
    if outcome.end != entry.end:
        raise ArchiveError(f"ended with {entry.end!r}, the results say {outcome.end!r}")
    if len(outcome.seats) != final.rules.players:
        raise ArchiveError(f"{final.rules.players} seats, the results say {len(outcome.seats)}")
    result = final.result()
    for number, (seat, score) in enumerate(zip(outcome.seats, final.scores(), strict=True), 1):
        values = score.as_dict()
        found = (result.totals[number - 1], score.cubes, *(values[n] for n in CATEGORIES))
        if found != (seat.points, seat.cubes, *seat.categories):
            raise ArchiveError(f"seat {number}: the points are not those of the results")
        if outcome.normal and seat.rank != result.ranks[number - 1]:
            raise ArchiveError(
                f"seat {number}: rank {result.ranks[number - 1]}, the results say {seat.rank}"
            )
