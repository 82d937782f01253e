"""Engines by name, and engines written as one text on the command line."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine_cli.match.config import Engine
from engine_cli.match.limits import Limits, LimitsError

__all__ = ["BUILTIN", "EngineError", "builtin", "distinct", "parse_engine"]

_LEVELS: Final = range(1, 11)
_LEVEL = re.compile(r"(?:kingfisher-|level-?)([0-9]+)")
_LIMITS: Final = ("clock", "increment", "movetime", "nodes", "depth")

BUILTIN: Final = (
    "random",
    "greedy",
    "kingfisher",
    *(f"kingfisher-{level}" for level in _LEVELS),
)
"""Names of the engines that come with this program; levelN is kingfisher-N."""


class EngineError(ValueError):
    """An engine that is not known or not described as it must be."""


def builtin(name: str, limits: Mapping[str, int]) -> Engine | None:
    """An engine that comes with this program; None if it has no such name."""
    if name == "kingfisher":
        options: dict[str, str] = {}
    elif name in ("random", "greedy"):
        options = {"Algorithm": name}
    else:
        level = _LEVEL.fullmatch(name)
        if level is None:
            return None
        if int(level[1]) not in _LEVELS:
            raise EngineError(f"{name}: levels go from 1 to {_LEVELS[-1]}")
        options = {"Strength": level[1]}
    return Engine(name, options=options, limits=read_limits(name, limits))


def parse_engine(text: str, defaults: Mapping[str, int]) -> Engine:
    """An engine as words ``key=value``, quoted as in a shell.

    Keys: cmd, or builtin with the name of an engine that comes with this program; name, dir,
    option.NAME, env.NAME, and limits, which take the place of the defaults. Raises EngineError.
    """
    values: dict[str, str] = {}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise EngineError(f"engine {text!r}: {error}") from None
    for word in words:
        key, sign, value = word.partition("=")
        if not sign:
            raise EngineError(f"engine {text!r}: {word!r}, expected key=value")
        if key in values:
            raise EngineError(f"engine {text!r}: {key} is given twice")
        values[key] = value
    own: dict[str, Any] = {"options": {}, "environment": {}, "limits": {}}
    for key, value in values.items():
        group, _, rest = key.partition(".")
        if key == "cmd":
            own["command"] = _split(value, text)
        elif key in ("name", "dir", "builtin"):
            own[key] = value
        elif group == "option" and rest:
            own["options"][rest] = value
        elif group == "env" and rest:
            own["environment"][rest] = value
        elif key in _LIMITS:
            if not value.isdecimal() or not value.isascii():
                raise EngineError(f"engine {text!r}: {key}={value}, expected a whole number")
            own["limits"][key] = int(value)
        else:
            raise EngineError(
                f"engine {text!r}: {key!r} is not one of cmd, builtin, name, dir, "
                f"option.NAME, env.NAME, {', '.join(_LIMITS)}"
            )
    if "builtin" in own:
        found = builtin(own["builtin"], {})
        if found is None or own.get("command"):
            raise EngineError(
                f"engine {text!r}: builtin={own['builtin']}, expected one of "
                f"{', '.join(BUILTIN[:3])}, kingfisher-1 …, and no cmd"
            )
        own["command"], own["options"] = (), {**found.options, **own["options"]}
        name = own.get("name") or found.name
    elif own.get("command"):
        name = own.get("name") or own["command"][0].replace("\\", "/").rsplit("/", 1)[-1]
    else:
        raise EngineError(f"engine {text!r}: there is no cmd=…")
    return Engine(
        check_name(name),
        tuple(own["command"]),
        own["options"],
        own["environment"],
        own.get("dir"),
        read_limits(name, own["limits"] or defaults),
    )


def _split(command: str, text: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise EngineError(f"engine {text!r}: cmd: {error}") from None


def read_limits(name: str, values: Mapping[str, Any]) -> Limits:
    """The limits of an engine. Raises EngineError that names it."""
    try:
        return Limits.read(values)
    except LimitsError as error:
        raise EngineError(f"engine {name}: {error}") from None


def check_name(name: str) -> str:
    """The name, if it can stand in records and tables. Raises EngineError."""
    if not name or len(name) > 60 or not name.isprintable() or name != name.strip():
        raise EngineError(f"engine name {name!r:.80}: expected 1 to 60 printable characters")
    return name


def distinct(engines: Sequence[Engine]) -> tuple[Engine, ...]:
    """The engines with names that differ: the second ``greedy`` becomes ``greedy#2``."""
    taken: set[str] = set()
    result = []
    for engine in engines:
        name, number = engine.name, 1
        while name in taken:
            number += 1
            name = f"{engine.name}#{number}"
        taken.add(name)
        result.append(replace(engine, name=name))
    return tuple(result)
