"""The catalogue of cards: reads and validates card packs. Knows no rules of the game.

A *pack* is a TOML file with a header and a list of cards (see ``docs/packs.md``); a
`Catalogue` is the collection of the packs that a game is played with. Everything here is
immutable and can be shared between threads, hashed and pickled.
"""

import re
import stat
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn, TypeAlias, TypeVar, cast

from harmonies_core.errors import NotationError, PackError

__all__ = [
    "BUILTIN_PACKS",
    "SCORE_OBJECTS",
    "STACKS",
    "Card",
    "Catalogue",
    "HabitatCell",
    "Pack",
    "SpiritScore",
    "builtin_pack",
    "load_pack",
]

Kind: TypeAlias = Literal["animal", "spirit"]
ScoreBy: TypeAlias = Literal["groups", "count"]

#: Names of the packs that are part of this package.
BUILTIN_PACKS: Final = ("base", "pulse")

#: What a cell of a habitat can ask for: a stack bottom to top, or any building (``BLD``).
STACKS: Final = ("W", "F", "L", "TL", "TTL", "M", "MM", "MMM", "T", "TT", "R", "BLD")

#: What a spirit can score.
SCORE_OBJECTS: Final = ("F", "W", "BLD", "tree", "mountain")

_FORMAT = 1
_KINDS = ("animal", "spirit")
_SCORE_BY = ("groups", "count")
_MAX_BYTES = 1_000_000
_MAX_ID = 127
_MAX_CUBES = 5
_MAX_POINTS = 200
_MAX_DISTANCE = 3
_MAX_OTHERS = 6
_MAX_GROUP = 25  # no board has more cells, so no group is larger
_MAX_HEIGHT = 3
_MAX_TEXT = 60
_PACK_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_CARD_NUMBER = re.compile(r"[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class HabitatCell:
    """One cell of a habitat besides the cube's own.

    ``q`` and ``r`` are its axial offset from the cube cell in one of the six orientations,
    never (0, 0), at most 3 cells away. ``stack`` is one of `STACKS`.
    """

    q: int
    r: int
    stack: str


@dataclass(frozen=True, slots=True)
class SpiritScore:
    """What a spirit scores at the end of the game, as data.

    With ``by="groups"`` every connected group of ``of`` scores ``points[size - 1]``, a group
    larger than the list its last entry. With ``by="count"`` every single ``of`` scores
    ``points[height - 1]`` when it is a tree or a mountain (always three entries), and
    ``points[0]`` otherwise (always one entry). ``of`` is one of `SCORE_OBJECTS`; each entry
    is 0 to 200 points.
    """

    by: ScoreBy
    of: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """An animal or spirit card.

    ``id`` is 1 to 127 and unique in a catalogue. ``points[k - 1]`` is what an animal scores
    with ``k`` cubes placed (a spirit has no points of that kind but a ``score``). ``cube_on``
    is the stack that the cube goes on, ``others`` the rest of the habitat. ``mirrors`` says
    whether the mirror image of the habitat counts too; it is the same for a whole ``pack``.
    """

    id: int
    name: str
    kind: Kind
    points: tuple[int, ...]
    cube_on: str
    others: tuple[HabitatCell, ...]
    score: SpiritScore | None
    pack: str
    mirrors: bool

    @property
    def cubes(self) -> int:
        """How many cubes lie on the card at first: one for each value, one for a spirit."""
        return len(self.points) if self.kind == "animal" else 1


@dataclass(frozen=True, slots=True)
class Pack:
    """A valid card pack. ``cards`` are in ascending order of id, at least one.

    ``verified`` says whether somebody compared the values with the printed cards;
    ``mirrors`` whether mirror images of the habitats count.
    """

    name: str
    title: str
    version: str
    verified: bool
    mirrors: bool
    cards: tuple[Card, ...]


class Catalogue:
    """All cards that a game is played with.

    Raises `PackError` when there is no pack, or when two packs have the same name or share
    the id or the name of a card. The order in which packs are given does not matter.
    """

    __slots__ = ("_by_name", "_contents", "animals", "cards", "packs", "spirits")

    #: Every card by its id, in ascending order.
    cards: Mapping[int, Card]
    #: The animal cards and the spirit cards, in ascending order of id.
    animals: tuple[Card, ...]
    spirits: tuple[Card, ...]
    #: The names of the packs, in alphabetical order.
    packs: tuple[str, ...]

    _by_name: dict[str, Card]
    _contents: tuple[Pack, ...]

    def __init__(self, packs: Iterable[Pack]) -> None:
        contents = tuple(sorted(packs, key=lambda pack: pack.name))
        if not contents:
            raise PackError("a catalogue needs at least one card pack")
        for first, second in pairwise(contents):
            if first.name == second.name:
                raise PackError(f'two card packs are named "{first.name}"')
        by_id: dict[int, Card] = {}
        by_name: dict[str, Card] = {}
        for card in sorted((c for p in contents for c in p.cards), key=lambda c: (c.id, c.pack)):
            if (other := by_id.get(card.id)) is not None:
                raise PackError(
                    f'packs "{other.pack}" and "{card.pack}" both have a card {card.id} '
                    f"({other.name} and {card.name})"
                )
            key = _name_key(card.name)
            if (other := by_name.get(key)) is not None:
                raise PackError(
                    f'packs "{other.pack}" and "{card.pack}" both have a card named '
                    f"{card.name} ({other.id} and {card.id})"
                )
            by_id[card.id] = by_name[key] = card

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("cards", MappingProxyType(by_id))
        put("animals", tuple(c for c in by_id.values() if c.kind == "animal"))
        put("spirits", tuple(c for c in by_id.values() if c.kind == "spirit"))
        put("packs", tuple(pack.name for pack in contents))
        put("_by_name", by_name)
        put("_contents", contents)

    def find(self, text: str) -> Card:
        """Return the card with this number (``"17"``) or English name (``"arctic fox"``).

        Case, spaces, hyphens and underscores do not matter in a name. Raises `NotationError`
        when there is no such card; the message suggests the names that come close.
        """
        key = _name_key(text)
        card = self._by_name.get(key)
        if card is None and _CARD_NUMBER.fullmatch(text):
            card = self.cards.get(int(text))
        if card is not None:
            return card
        near = [self._by_name[k].name for k in get_close_matches(key, self._by_name, n=3)]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise NotationError(f"no card {_show(text)} in the packs {', '.join(self.packs)}{hint}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a catalogue cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a catalogue cannot be changed")

    def __len__(self) -> int:
        return len(self.cards)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Catalogue):
            return NotImplemented
        return self._contents == other._contents

    def __hash__(self) -> int:
        return hash(self._contents)

    def __repr__(self) -> str:
        return f"<Catalogue of {len(self)} cards: {', '.join(self.packs)}>"

    def __reduce__(self) -> tuple[type["Catalogue"], tuple[tuple[Pack, ...]]]:
        # A read-only mapping cannot be pickled, so a copy is built anew from the packs.
        return Catalogue, (self._contents,)


def load_pack(path: str | PathLike[str]) -> Pack:
    """Read a card pack from a file.

    Raises `PackError` when the file cannot be read or is not a valid pack; the message begins
    with the path as it was given and names the card and the field.
    """
    source = fspath(path)
    try:
        return _parse(_read(Path(source)))
    except PackError as error:
        raise PackError(f"{source}: {error}") from error.__cause__


@cache
def builtin_pack(name: str) -> Pack:
    """Return one of `BUILTIN_PACKS`. Raises `PackError` for any other name."""
    if name not in BUILTIN_PACKS:
        raise PackError(
            f"no card pack {_show(name)} comes with the engine "
            f"(expected one of {', '.join(BUILTIN_PACKS)})"
        )
    file = resources.files("harmonies_core").joinpath("packs", f"{name}.toml")
    return _parse(file.read_bytes())


def _read(path: Path) -> bytes:
    """Return the bytes of a file of reasonable size; never blocks on a pipe or a device."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise PackError("no such file") from None
    except OSError as error:
        raise PackError(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero character in the path
        raise PackError(f"cannot be read: {error}") from error
    if stat.S_ISDIR(mode):
        raise PackError("is a folder, expected a file")
    if not stat.S_ISREG(mode):
        raise PackError("is a pipe or device, expected a file")
    if len(data) > _MAX_BYTES:
        raise PackError(f"is larger than {_MAX_BYTES // 1_000_000} MB")
    return data


def _parse(data: bytes) -> Pack:
    """Turn the bytes of a pack into a `Pack`. Messages of errors do not name the file yet."""
    try:
        text = data.decode("utf-8-sig")  # some editors begin every file with a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PackError(f"not UTF-8 text (at line {line})") from error
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise PackError("not valid TOML: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, or an integer with thousands of digits
        raise PackError(f"not valid TOML: {error}") from error
    top = _Table(tree, "", keys=("pack", "card"))
    fields = ("format", "name", "title", "version", "verified", "mirrors")
    header = _Table(top.get("pack"), "[pack]", keys=fields)
    # The format first: with another one the rest may be spelled differently.
    if header.integer("format", 0, 1_000_000) != _FORMAT:
        header.fail("format", f"{header.get('format')} is not known to this version (expected 1)")
    header.check_keys()
    top.check_keys()
    name = header.string("name")
    if not _PACK_NAME.fullmatch(name):
        header.fail(
            "name",
            f"{_show(name)} is not a pack name (expected a to z, then up to 31 of a to z, 0 to 9, "
            "- and _)",
        )
    mirrors = header.boolean("mirrors")
    entries = top.get("card")
    if not isinstance(entries, list) or not entries:
        raise PackError("card: expected at least one [[card]] table")
    cards: list[Card] = []
    for number, entry in enumerate(entries, start=1):
        card = _card(entry, number, name, mirrors)
        for other in cards:
            if other.id == card.id:
                raise PackError(f"{_label(card.id, card.name)}: id: also used by {other.name}")
            if _name_key(other.name) == _name_key(card.name):
                raise PackError(f"{_label(card.id, card.name)}: name: also used by card {other.id}")
        cards.append(card)
    return Pack(
        name=name,
        title=header.string("title"),
        version=header.string("version"),
        verified=header.boolean("verified"),
        mirrors=mirrors,
        cards=tuple(sorted(cards, key=lambda card: card.id)),
    )


def _card(entry: object, number: int, pack: str, mirrors: bool) -> Card:
    """Build one card; ``number`` is its place in the file, for cards without a usable id."""
    where = f"[[card]] number {number}"
    table = _Table(
        entry, where, keys=("id", "name", "kind", "points", "cube_on", "others", "score")
    )
    card_id = table.integer("id", 1, _MAX_ID)
    table.where = _label(card_id)
    name = table.string("name")
    if not any(map(str.isalpha, name)):
        table.fail("name", f"{_show(name)} is not a name (expected at least one letter)")
    table.where = _label(card_id, name)
    table.check_keys(optional=("points", "score"))
    kind = cast(Kind, table.choice("kind", "a kind of card", _KINDS))
    points: tuple[int, ...] = ()
    score: SpiritScore | None = None
    if kind == "animal":
        table.forbid("score", "only a spirit has one")
        points = table.integers("points", 1, _MAX_CUBES, 1, _MAX_POINTS)
        if any(low >= high for low, high in pairwise(points)):
            table.fail("points", f"{list(points)} must grow from entry to entry")
    else:
        table.forbid("points", "a spirit has a score instead")
        score = _score(table.get("score"), f"{table.where}: score")
    return Card(
        id=card_id,
        name=name,
        kind=kind,
        points=points,
        cube_on=table.choice("cube_on", "a stack", STACKS),
        others=_others(table),
        score=score,
        pack=pack,
        mirrors=mirrors,
    )


def _others(card: "_Table") -> tuple[HabitatCell, ...]:
    """Read the cells of a habitat besides the cube's own."""
    entries = card.get("others")
    if not isinstance(entries, list):
        card.fail("others", f"expected a list, not {_type(entries)}")
    if len(entries) > _MAX_OTHERS:
        card.fail("others", f"{len(entries)} cells (expected at most {_MAX_OTHERS})")
    cells: list[HabitatCell] = []
    for index, entry in enumerate(entries):
        table = _Table(entry, f"{card.where}: others[{index}]", keys=("at", "stack"), nested=True)
        table.check_keys()
        q, r = table.integers("at", 2, 2, -_MAX_DISTANCE, _MAX_DISTANCE)
        if (q, r) == (0, 0):
            table.fail("at", "[0, 0] is the cube's own cell, which cube_on describes")
        if abs(q + r) > _MAX_DISTANCE:
            table.fail("at", f"[{q}, {r}] is more than {_MAX_DISTANCE} cells away from the cube")
        for before, cell in enumerate(cells):
            if (cell.q, cell.r) == (q, r):
                table.fail("at", f"[{q}, {r}] is the same cell as others[{before}]")
        cells.append(HabitatCell(q, r, table.choice("stack", "a stack", STACKS)))
    return tuple(cells)


def _score(entry: object, where: str) -> SpiritScore:
    """Read the scoring rule of a spirit."""
    table = _Table(entry, where, keys=("by", "of", "points"), nested=True)
    table.check_keys()
    by = cast(ScoreBy, table.choice("by", "a way of scoring", _SCORE_BY))
    of = table.choice("of", "a thing to score", SCORE_OBJECTS)
    if by == "groups":
        fewest, most = 1, _MAX_GROUP
    else:
        # A mountain or tree scores by its height; of all else there is one kind only.
        fewest = most = _MAX_HEIGHT if of in ("tree", "mountain") else 1
    points = table.integers("points", fewest, most, 0, _MAX_POINTS)
    if not any(points):
        table.fail("points", "expected at least one value above 0")
    return SpiritScore(by, of, points)


_T = TypeVar("_T")


class _Table:
    """A TOML table and where it stands in the file, with checked access to its values.

    Every method raises `PackError` with a message that begins with the place of the value.
    """

    def __init__(
        self, values: object, where: str, keys: tuple[str, ...], *, nested: bool = False
    ) -> None:
        self.where = where
        # A field of a card reads "card 7 (Newt): id", one further inside "...: others[1].stack".
        self._joint = "." if nested else ": "
        if not isinstance(values, dict):
            raise PackError(f"{where}: expected a table, not {_type(values)}")
        self._values: dict[str, Any] = values
        self._keys = keys

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the error that ``key`` has this problem."""
        raise PackError(f"{self._at(key)}: {problem}")

    def check_keys(self, optional: tuple[str, ...] = ()) -> None:
        """Make sure that every key is there and that no other is."""
        for key in self._values:
            if key not in self._keys:
                near = get_close_matches(key, self._keys, n=1)
                hint = f'did you mean "{near[0]}"?' if near else f"expected {', '.join(self._keys)}"
                raise PackError(f"{self._prefix()}unknown key {_show(key)} ({hint})")
        for key in self._keys:
            if key not in optional:
                self.get(key)

    def forbid(self, key: str, reason: str) -> None:
        """Make sure that ``key`` is absent."""
        if key in self._values:
            self.fail(key, f"not allowed here: {reason}")

    def get(self, key: str) -> Any:
        """Return the value of a key that has to be there."""
        if key not in self._values:
            raise PackError(f"{self._prefix()}missing key {_show(key)}")
        return self._values[key]

    def string(self, key: str) -> str:
        """Return a printable text of 1 to 60 characters without spaces at its ends."""
        text = self._typed(key, str, "a text")
        if not text.strip():
            self.fail(key, "is empty")
        if text != text.strip():
            self.fail(key, f"{_show(text)} begins or ends with a space")
        if not text.isprintable():
            self.fail(key, f"{_show(text)} has a character that cannot be printed")
        if len(text) > _MAX_TEXT:
            self.fail(key, f"{len(text)} characters (expected at most {_MAX_TEXT})")
        return text

    def boolean(self, key: str) -> bool:
        """Return ``true`` or ``false``."""
        return self._typed(key, bool, "true or false")

    def integer(self, key: str, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``."""
        value = self.get(key)
        return self._range(key, value, low, high)

    def integers(self, key: str, fewest: int, most: int, low: int, high: int) -> tuple[int, ...]:
        """Return a list of ``fewest`` to ``most`` integers, each from ``low`` to ``high``."""
        values = self._typed(key, list, "a list of integers")
        if not fewest <= len(values) <= most:
            wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            self.fail(key, f"{len(values)} entries (expected {wanted})")
        return tuple(
            self._range(f"{key}[{index}]", value, low, high) for index, value in enumerate(values)
        )

    def choice(self, key: str, noun: str, allowed: tuple[str, ...]) -> str:
        """Return one of the ``allowed`` texts; ``noun`` says what they are."""
        text = self._typed(key, str, "a text")
        if text not in allowed:
            self.fail(key, f"{_show(text)} is not {noun} (expected one of {', '.join(allowed)})")
        return text

    def _typed(self, key: str, kind: type[_T], noun: str) -> _T:
        value = self.get(key)
        if not isinstance(value, kind):
            self.fail(key, f"expected {noun}, not {_type(value)}")
        return value

    def _range(self, key: str, value: object, low: int, high: int) -> int:
        # In Python a truth value is an integer too; in TOML it is not.
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, f"expected an integer, not {_type(value)}")
        if not low <= value <= high:
            # A number with thousands of digits helps nobody (and Python may refuse to print it).
            shown = str(value) if abs(value) < 10**12 else "the number"
            self.fail(key, f"{shown} is out of range (expected {low} to {high})")
        return value

    def _at(self, key: str) -> str:
        return f"{self.where}{self._joint}{key}" if self.where else key

    def _prefix(self) -> str:
        return f"{self.where}: " if self.where else ""


def _label(card_id: int, name: str | None = None) -> str:
    return f"card {card_id}" + (f" ({name})" if name else "")


_TYPE_NAMES: Final[tuple[tuple[type, str], ...]] = (
    (bool, "true or false"),
    (int, "an integer"),
    (float, "a decimal number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
)


def _type(value: object) -> str:
    """Name the type of a TOML value as a person would."""
    return next((name for kind, name in _TYPE_NAMES if isinstance(value, kind)), "a date or time")


def _show(text: str) -> str:
    """Quote a text for an error message: on one line, printable, and not longer than useful."""
    text = text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) + '"'


def _name_key(name: str) -> str:
    """Fold what does not matter in a card's name: case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", unicodedata.normalize("NFKC", name).casefold())
