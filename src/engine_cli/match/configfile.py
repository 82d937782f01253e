"""Tournaments described in a TOML file."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engine_cli.match.config import Engine
from engine_cli.match.engines import EngineError, builtin, check_name, read_limits

__all__ = ["FileError", "TournamentFile", "read_file"]


class FileError(ValueError):
    """The file cannot be read, or says something that is not understood."""


TournamentFile = tuple[dict[str, Any], list[Mapping[str, Any]]]
"""The table [tournament], and the tables [[engine]]."""

_SETTINGS: Final[dict[str, type]] = {
    "format": str,
    "rounds": int,
    "seed": int,
    "players": int,
    "side": str,
    "spirits": bool,
    "packs": list,
    "river": str,
    "concurrency": int,
    "on_crash": str,
    "margin": int,
    "startup": int,
    "patience": int,
    "grace": int,
    "memory": int,
    "out": str,
    "logs": bool,
    "sprt": list,
    "alpha": float,
    "beta": float,
    "sprt_model": str,
    "clock": int,
    "increment": int,
    "movetime": int,
    "nodes": int,
    "depth": int,
    "cluster": str,
}
_ENGINE: Final[dict[str, type]] = {
    "name": str,
    "command": str,
    "arguments": list,
    "folder": str,
    "options": dict,
    "environment": dict,
    "limits": dict,
}


def read_file(path: str) -> TournamentFile:
    """The two parts of a file, with names and types checked. Raises FileError."""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: not TOML: {error}") from None
    for key in data:
        if key not in ("tournament", "engine"):
            raise FileError(f"{path}: {key!r}, expected [tournament] and [[engine]]")
    settings = data.get("tournament", {})
    engines = data.get("engine", [])
    if not isinstance(settings, dict):
        raise FileError(f"{path}: tournament: expected a table")
    if not isinstance(engines, list) or not all(isinstance(one, dict) for one in engines):
        raise FileError(f"{path}: engine: expected tables [[engine]]")
    _check(settings, _SETTINGS, f"{path}: tournament")
    for number, engine in enumerate(engines, 1):
        _check(engine, _ENGINE, f"{path}: engine {number}")
    return settings, engines


def _check(table: dict[str, Any], known: Mapping[str, type], place: str) -> None:
    for key, value in table.items():
        if key not in known:
            raise FileError(f"{place}: {key!r} is not one of {', '.join(known)}")
        wanted = known[key]
        good = isinstance(value, (int, float) if wanted is float else wanted)
        if not good or (isinstance(value, bool) and wanted is not bool):
            raise FileError(f"{place}: {key} = {value!r}, expected {_NAMES[wanted]}")


_NAMES: Final = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def file_engine(
    table: Mapping[str, Any], path: str, number: int, defaults: Mapping[str, int]
) -> Engine:
    """One [[engine]]. Without a command its name is that of a built-in one. Raises FileError."""
    place = f"{path}: engine {number}"
    try:
        limits = table.get("limits") or defaults
        name = table.get("name", "")
        if "command" not in table:
            found = builtin(name, limits)
            if found is None:
                raise FileError(f"{place}: no command, and {name!r} is no built-in engine")
            command, options = found.command, dict(found.options)
        else:
            command = (table["command"], *_texts(table.get("arguments", []), place, "arguments"))
            options = {}
            name = name or os.path.basename(table["command"])
        options |= _values(table.get("options", {}), place, "options")
        return Engine(
            check_name(name),
            command,
            options,
            _values(table.get("environment", {}), place, "environment"),
            _folder(table, path),
            read_limits(name, limits),
        )
    except EngineError as error:
        raise FileError(f"{place}: {error}") from None


def _folder(table: Mapping[str, Any], path: str) -> str | None:
    """Where the engine runs: relative to the file."""
    if "folder" not in table:
        return None
    return str((Path(path).resolve().parent / table["folder"]).resolve())


def _texts(values: list[Any], place: str, key: str) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise FileError(f"{place}: {key}: expected texts")
    return values


def _values(table: dict[str, Any], place: str, key: str) -> dict[str, str]:
    result = {}
    for name, value in table.items():
        if isinstance(value, bool):
            result[name] = "true" if value else "false"
        elif isinstance(value, (str, int)):
            result[name] = str(value)
        else:
            raise FileError(f"{place}: {key}.{name}: expected a text, a number, true or false")
    return result
