"""The fields of a JSON object from outside, taken one by one with their types checked."""

import json
from typing import Any, Final, Never

__all__ = ["FieldError", "Fields", "kind", "shown"]

_SHOWN: Final = 60

_KINDS: Final = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


class FieldError(Exception):
    """A field that is not as it must be; `field` is its path, as in ``limits.nodes``."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


def kind(value: object) -> str:
    """What a value is in JSON."""
    return _KINDS[type(value)]


def shown(value: object) -> str:
    """A value from outside for use in an error text."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


class Fields:
    """An object whose fields are taken; `left` are those that nobody asked for.

    Every method takes the name of a field and raises `FieldError` if its value is not as wanted.
    A field that is not there, or null, gives None.
    """

    def __init__(self, values: dict[str, Any], path: str = "") -> None:
        self._values = values
        self._path = path
        self._seen: set[str] = set()

    @property
    def left(self) -> list[str]:
        """Paths of the fields that nobody asked for."""
        return [self.path(name) for name in self._values if name not in self._seen]

    def path(self, name: str) -> str:
        """The path of one of the fields, for people."""
        return f"{self._path}{name}"

    def fail(self, name: str, text: str) -> Never:
        """Say what is wrong with a field."""
        raise FieldError(self.path(name), text)

    def none_left(self) -> None:
        """Fail if there are fields that nobody asked for."""
        for path in self.left:
            raise FieldError(path, "no such field")

    def names(self) -> list[str]:
        """All names, which are all asked for by that."""
        self._seen.update(self._values)
        return list(self._values)

    def take(self, name: str) -> Any:
        """A value of whatever type, None if it is not there."""
        self._seen.add(name)
        return self._values.get(name)

    def text(self, name: str) -> str | None:
        """A string."""
        value = self.take(name)
        if value is not None and not isinstance(value, str):
            self.fail(name, f"must be a string, not {kind(value)}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is not there."""
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            self.fail(name, f"must be true or false, not {kind(value)}")
        return bool(value)

    def integer(self, name: str, low: int, high: int) -> int | None:
        """An integer in a range."""
        value = self.take(name)
        return None if value is None else self._integer(name, value, low, high)

    def number(self, name: str, low: float, high: float) -> float | None:
        """A number in a range."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(name, f"must be a number, not {kind(value)}")
        if not low <= value <= high:
            self.fail(name, f"must be from {low:g} to {high:g}, not {shown(value)}")
        return float(value)

    def choice(self, name: str, *choices: str) -> str | None:
        """One of some strings."""
        value = self.text(name)
        if value is not None and value not in choices:
            self.fail(name, f"must be {' or '.join(choices)}, not {shown(value)}")
        return value

    def texts(self, name: str) -> list[str] | None:
        """An array of strings."""
        values = self._array(name)
        for number, value in enumerate(values or ()):
            if not isinstance(value, str):
                self.fail(f"{name}[{number}]", f"must be a string, not {kind(value)}")
        return values

    def integers(self, name: str, low: int, high: int) -> list[int] | None:
        """An array of integers in a range."""
        values = self._array(name)
        if values is None:
            return None
        return [
            self._integer(f"{name}[{number}]", value, low, high)
            for number, value in enumerate(values)
        ]

    def group(self, name: str) -> "Fields | None":
        """An object."""
        value = self.take(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fail(name, f"must be an object, not {kind(value)}")
        return Fields(value, f"{self.path(name)}.")

    def _array(self, name: str) -> list[Any] | None:
        value = self.take(name)
        if value is not None and not isinstance(value, list):
            self.fail(name, f"must be an array, not {kind(value)}")
        return value

    def _integer(self, name: str, value: object, low: int, high: int) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON has one kind of numbers: 4.0 is an integer
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(name, f"must be an integer, not {kind(value)}")
        if not low <= value <= high:
            self.fail(name, f"must be from {low} to {high}, not {shown(value)}")
        return value
