"""The arguments of `newgame`, and the start position they mean."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.line import Line
from engine_cli.protocol.options import Options, split_packs
from engine_cli.protocol.words import MAX_SEED, Words, quote

if TYPE_CHECKING:
    from harmonies_core.cards import Pack

__all__ = ["Setup", "hfen_line", "parse_newgame", "start_line"]

_KEYWORDS: Final = frozenset({"players", "side", "spirits", "solo", "packs", "seed"})


@dataclass(frozen=True)
class Setup:
    """What a game is played with. Packs None: those of the option."""

    players: int = 2
    side: str = "A"
    spirits: bool = False
    packs: tuple[str, ...] | None = None
    seed: int = 0


def parse_newgame(words: Words) -> Setup:
    """Read the arguments of `newgame`."""
    players: int | None = None
    solo = False
    side = "A"
    spirits = False
    packs: tuple[str, ...] | None = None
    seed = 0
    while words:
        key = words.keyword()
        if key not in _KEYWORDS:
            raise RequestError("syntax", f"newgame does not take {quote(key)}")
        if key == "players":
            players = words.integer(key, 1, 4)
        elif key == "side":
            side = _one_of(words.value(key), key, ("A", "B"))
        elif key == "spirits":
            spirits = _one_of(words.value(key), key, ("on", "off")) == "on"
        elif key == "solo":
            solo = True
        elif key == "packs":
            packs = tuple(split_packs(" ".join(words.until(_KEYWORDS))))
            if not packs:
                raise RequestError("syntax", "packs needs at least one name")
        else:
            seed = words.integer(key, 0, MAX_SEED)
    if solo:
        if players not in (None, 1):
            raise RequestError("syntax", f"solo does not go together with players {players}")
        players = 1
    return Setup(2 if players is None else players, side, spirits, packs, seed)


def start_line(setup: Setup, options: Options, last: Line | None = None) -> Line:
    """The start position of these games; Packs and RiverRule are taken from the options.

    If the last line has the same base, it is returned as it is.
    """
    from harmonies_core import Dealer, Rules
    from harmonies_core.errors import HarmoniesError

    packs: tuple[str | Pack, ...]
    packs = options.packs if setup.packs is None else options.find_packs(list(setup.packs))
    river = options.text("RiverRule")
    base = ("startpos", setup, packs, river)
    if last is not None and last.base == base:
        return last
    try:
        rules = Rules(setup.players, setup.side, spirits=setup.spirits, packs=packs, river=river)
        dealer = Dealer(rules, setup.seed)
        return Line.begin(base, dealer.start(), dealer)
    except HarmoniesError as problem:
        raise RequestError("value", str(problem)) from None


def hfen_line(
    text: str, options: Options, default_seed: int | None, last: Line | None = None
) -> Line:
    """The position of an HFEN, with the dealer of its seed field or of the default.

    If the last line has the same base, it is returned as it is.
    """
    from harmonies_core import Dealer, Position
    from harmonies_core.errors import HarmoniesError

    packs = tuple(options.user_packs.values())
    base = ("hfen", text, packs, default_seed)
    if last is not None and last.base == base:
        return last
    try:
        position = Position.from_hfen(text, packs)
        field = text.rpartition(" ")[2]
        seed = int(field[5:]) if field.startswith("seed:") else default_seed
        dealer = None if seed is None else Dealer.for_position(position, seed)
    except (HarmoniesError, OverflowError) as problem:
        raise RequestError("position", str(problem)) from None
    return Line.begin(base, position, dealer)


def _one_of(word: str, what: str, choices: tuple[str, str]) -> str:
    if word not in choices:
        raise RequestError("value", f"{what} must be {' or '.join(choices)}, not {quote(word)}")
    return word
