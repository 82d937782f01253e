"""The options of the engine: what is offered, what is set."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.go import MAX_MULTIPV
from engine_cli.protocol.words import integer, quote

if TYPE_CHECKING:
    from harmonies_core.cards import Pack

__all__ = ["Option", "Options", "split_packs"]

_MAX_SEED: Final = 2**31 - 1


@dataclass(frozen=True)
class Option:
    """One option as it is announced. `low` and `high` are for spins, `choices` for combos."""

    name: str
    kind: str
    default: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def line(self) -> str:
        """The announcement."""
        words = ["option name", self.name, "type", self.kind, "default", self.default or "<empty>"]
        if self.kind == "spin":
            words += ["min", str(self.low), "max", str(self.high)]
        for choice in self.choices:
            words += ["var", choice]
        return " ".join(words)

    def read(self, text: str) -> str:
        """The value that a text means, in its one spelling."""
        if self.kind == "spin":
            return str(integer(text, self.name, self.low, self.high))
        if self.kind == "string":
            return "" if text == "<empty>" else text
        choices = self.choices or ("true", "false")
        for choice in choices:
            if choice.lower() == text.lower():
                return choice
        raise RequestError(
            "value", f"{self.name} must be one of {', '.join(choices)}, not {quote(text)}"
        )


def split_packs(text: str) -> list[str]:
    """Names in a list of packs, which may be joined by plus signs, commas or spaces."""
    return text.replace("+", " ").replace(",", " ").split()


class Options:
    """The values of all options, checked."""

    def __init__(self) -> None:
        from harmonies_core.search.searcher import (
            ALGORITHMS,
            DEFAULT_ALGORITHM,
            MAX_STRENGTH,
            MAX_THREADS,
            OBJECTIVES,
        )

        self.offered = (
            Option("Algorithm", "combo", DEFAULT_ALGORITHM, choices=ALGORITHMS),
            Option("Threads", "spin", "1", 1, MAX_THREADS),
            Option("Hash", "spin", "64", 1, 4096),
            Option("MultiPV", "spin", "1", 1, MAX_MULTIPV),
            Option("Ponder", "check", "false"),
            Option("Seed", "spin", "0", 0, _MAX_SEED),
            Option("Strength", "spin", str(MAX_STRENGTH), 1, MAX_STRENGTH),
            Option("Objective", "combo", "win", choices=OBJECTIVES),
            Option("EvalFile", "string", ""),
            Option("RiverRule", "combo", "diameter", choices=("diameter", "loop")),
            Option("Packs", "string", "base"),
            Option("MoveOverhead", "spin", "150", 0, 10000),
            Option("LogFile", "string", ""),
        )
        self._by_name = {option.name.lower(): option for option in self.offered}
        self._values = {option.name: option.default for option in self.offered}
        self.user_packs: dict[str, Pack] = {}
        """Packs that were read from files, by name."""

    def text(self, name: str) -> str:
        """The value of a combo or string."""
        return self._values[name]

    def number(self, name: str) -> int:
        """The value of a spin."""
        return int(self._values[name])

    @property
    def packs(self) -> "tuple[str | Pack, ...]":
        """The packs of the option `Packs`."""
        return self.find_packs(split_packs(self._values["Packs"]))

    def find_packs(self, names: list[str]) -> "tuple[str | Pack, ...]":
        """Packs by name; those that nobody knows stay names."""
        return tuple(self.user_packs.get(name, name) for name in names)

    def read(self, request: str) -> tuple[Option, str]:
        """The option and the value of the text after ``setoption``; nothing is set yet."""
        verb, _, rest = request.partition(" ")
        if verb != "name" or not rest:
            raise RequestError("syntax", "write setoption name <name> value <value>")
        name, sign, value = f"{rest} ".partition(" value ")
        if not sign:
            raise RequestError("syntax", f"option {quote(name.strip())} needs a value")
        option = self._by_name.get(name.strip().lower())
        if option is None:
            known = ", ".join(o.name for o in self.offered)
            raise RequestError("option", f"no option {quote(name.strip())}; there are {known}")
        value = value.strip()
        if not value and option.kind != "string":
            raise RequestError("syntax", f"option {option.name} needs a value")
        return option, option.read(value)

    def set(self, option: Option, value: str) -> None:
        """Set a value that `read` returned."""
        if option.name == "Packs":
            value = self._read_packs(value)
        self._values[option.name] = value

    def _read_packs(self, text: str) -> str:
        """Load the packs that are files, and check that they go together."""
        from harmonies_core import Rules
        from harmonies_core.cards import load_pack
        from harmonies_core.errors import HarmoniesError

        loaded: dict[str, Pack] = {}
        names: list[str] = []
        try:
            for name in split_packs(text) or ["base"]:
                if name.endswith(".toml"):
                    pack = load_pack(name)
                    loaded[pack.name] = pack
                    name = pack.name
                names.append(name)
            known = {**self.user_packs, **loaded}
            Rules(packs=[known.get(name, name) for name in names])
        except (HarmoniesError, OSError) as problem:
            raise RequestError("value", f"Packs: {problem}") from None
        self.user_packs = known
        return "+".join(names)
