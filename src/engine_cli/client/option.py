"""`option` lines as values."""

from dataclasses import dataclass
from typing import Final

__all__ = ["Option", "parse_option"]

_KINDS: Final = ("spin", "check", "combo", "string", "button")


@dataclass(frozen=True, slots=True)
class Option:
    """An option that the engine announced."""

    name: str
    kind: str
    """``spin``, ``check``, ``combo``, ``string`` or ``button``."""
    default: str = ""
    low: int | None = None
    """Least value of a spin."""
    high: int | None = None
    """Greatest value of a spin."""
    choices: tuple[str, ...] = ()
    """Values of a combo."""

    def text(self, value: object) -> str:
        """The value as it is sent. Raises ValueError if the option cannot take it."""
        if isinstance(value, bool):
            text = "true" if value else "false"
        else:
            text = str(value)
        expected = None
        if self.kind == "spin":
            low, high = self.low, self.high
            good = text.removeprefix("-").isdecimal()
            good = good and (low is None or int(text) >= low)
            good = good and (high is None or int(text) <= high)
            expected = None if good else f"a number from {low} to {high}"
        elif self.kind == "check" and text.lower() not in ("true", "false"):
            expected = "true or false"
        elif self.kind == "combo" and text.lower() not in map(str.lower, self.choices):
            expected = f"one of {', '.join(self.choices)}"
        if expected:
            raise ValueError(f"option {self.name}: expected {expected}, found {text!r}")
        return text or "<empty>"


def parse_option(text: str) -> Option:
    """Read what follows the word ``option``. Raises ValueError."""
    words = text.split()
    if not words or words[0] != "name" or "type" not in words:
        raise ValueError("an option needs a name and a type")
    at = words.index("type")
    name, kind = " ".join(words[1:at]), "".join(words[at + 1 : at + 2])
    if not name:
        raise ValueError("an option needs a name")
    if kind not in _KINDS:
        raise ValueError(f"an option has no type {kind!r}")
    fields: dict[str, str] = {}
    choices: list[str] = []
    rest = words[at + 2 :]
    while rest:
        key, count = rest[0], 1
        while count < len(rest) and rest[count] not in ("default", "min", "max", "var"):
            count += 1
        value, rest = " ".join(rest[1:count]), rest[count:]
        if key == "var":
            choices.append(value)
        elif key in ("default", "min", "max") and key not in fields:
            fields[key] = value
        else:
            raise ValueError(f"an option takes no {key!r} here")
    default = fields.get("default", "")
    try:
        low, high = (int(fields[key]) if key in fields else None for key in ("min", "max"))
    except ValueError:
        raise ValueError("min and max are numbers") from None
    return Option(name, kind, "" if default == "<empty>" else default, low, high, tuple(choices))
