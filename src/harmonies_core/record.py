"""Game records (HGN): text both ways, and replaying (docs/records.md)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from harmonies_core.cards import Pack
from harmonies_core.errors import HarmoniesError, NotationError
from harmonies_core.game import Position, Turn

__all__ = ["Game", "Ply", "Skipped", "format_games", "read_games"]

_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]')
_PLY = re.compile(r"([0-9]+)\.([1-4]) (\S+)(?: \{([^{}]*)\})?")


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of a record, with its chance part, and a comment without braces."""

    turn: Turn
    comment: str = ""


@dataclass(slots=True)
class Game:
    """A start position, the turns played from it, and header tags.

    `tags` holds all tags but Position, which is the text of `start`, and Result, which is
    derived: it stands in a printed record only when the game is over.
    """

    start: Position
    plies: list[Ply] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    def positions(self) -> Iterator[Position]:
        """The start, then the position after each ply. Raises IllegalActionError."""
        position = self.start.copy()
        yield position.copy()
        for ply in self.plies:
            position.push(ply.turn)
            yield position.copy()

    def final(self) -> Position:
        """The position after the last ply. Raises IllegalActionError."""
        position = self.start.copy()
        for ply in self.plies:
            position.push(ply.turn)
        return position

    def result(self) -> str | None:
        """Points and cubes of every seat, e.g. "97/11 88/9", None before the end."""
        position = self.final()
        if not position.is_over():
            return None
        outcome = position.result()
        return " ".join(
            f"{points}/{cubes}" for points, cubes in zip(outcome.totals, outcome.cubes, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A game that could not be read: the line where it begins, and why."""

    line: int
    reason: str


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _format(game: Game) -> str:
    tags = dict(game.tags)
    tags["Position"] = game.start.hfen()
    result = game.result()
    if result is not None:
        tags["Result"] = result
    lines = []
    for name, value in tags.items():
        line = f'[{name} "{_quoted(value)}"]'
        if _TAG.fullmatch(line) is None or not line.isprintable():
            raise NotationError(f"tag {name!r}: a name in ASCII and one line of text expected")
        lines.append(line)
    lines.append("")
    position = game.start.copy()
    for ply in game.plies:
        if not ply.comment.isprintable() or "{" in ply.comment or "}" in ply.comment:
            raise NotationError(f"comment {ply.comment!r}: one line without braces expected")
        comment = f" {{{ply.comment}}}" if ply.comment else ""
        lines.append(f"{position.turn}.{position.seat} {ply.turn}{comment}")
        position.push(ply.turn)
    return "\n".join(lines) + "\n"


def format_games(games: Iterable[Game]) -> str:
    """Text of several games. Raises IllegalActionError for turns that cannot be played."""
    return "\n".join(_format(game) for game in games)


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)


def _read(lines: Sequence[tuple[int, str]], packs: Sequence[Pack]) -> Game:
    tags: dict[str, str] = {}
    start: Position | None = None
    position: Position | None = None
    plies: list[Ply] = []
    for number, line in lines:
        tag = _TAG.fullmatch(line)
        if tag is not None and position is None:
            if tag[1] in tags:
                raise NotationError(f"line {number}: tag {tag[1]} twice")
            tags[tag[1]] = _unquoted(tag[2])
            continue
        ply = _PLY.fullmatch(line)
        if ply is None:
            raise NotationError(f"line {number}: a tag or a turn such as 1.2 g3,Wa1,... expected")
        if position is None:
            start = _start(tags, number, packs)
            position = start.copy()
        if (int(ply[1]), int(ply[2])) != (position.turn, position.seat):
            raise NotationError(
                f"line {number}: turn {ply[1]}.{ply[2]}, expected {position.turn}.{position.seat}"
            )
        try:
            turn = Turn(ply[3])
            position.push(turn)
        except HarmoniesError as error:
            raise NotationError(f"line {number}: {error}") from None
        plies.append(Ply(turn, ply[4] or ""))
    if start is None:
        start = _start(tags, lines[-1][0], packs)
    game = Game(start, plies, {k: v for k, v in tags.items() if k not in ("Position", "Result")})
    told, found = tags.get("Result"), game.result()
    if told is not None and told != found:
        raise NotationError(f"tag Result: {told!r}, the turns lead to {found!r}")
    return game


def _start(tags: dict[str, str], number: int, packs: Sequence[Pack]) -> Position:
    if "Position" not in tags:
        raise NotationError(f"line {number}: no tag Position before the turns")
    try:
        return Position.from_hfen(tags["Position"], packs)
    except HarmoniesError as error:
        raise NotationError(f"tag Position: {error}") from None


def read_games(text: str, packs: Sequence[Pack] = ()) -> tuple[list[Game], list[Skipped]]:
    """All games that can be read and replayed, and those that were skipped, with reasons.

    A game begins at the first tag after turns, so a damaged one costs only itself.
    """
    blocks: list[list[tuple[int, str]]] = []
    in_turns = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line:
            continue
        is_tag = line.startswith("[")
        if not blocks or (is_tag and in_turns):
            blocks.append([])
        if is_tag or line[0].isdigit():
            in_turns = not is_tag
        blocks[-1].append((number, line))
    games: list[Game] = []
    skipped: list[Skipped] = []
    for block in blocks:
        try:
            games.append(_read(block, packs))
        except HarmoniesError as error:
            skipped.append(Skipped(block[0][0], str(error)))
    return games, skipped
