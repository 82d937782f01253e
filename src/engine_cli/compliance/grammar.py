"""The forms of `info` and `option` lines."""

import re
from typing import Final

from engine_cli.client.option import Option, parse_option
from engine_cli.compliance.probe import Failure

__all__ = ["check_info", "check_option", "check_ranks", "info_numbers"]

#: Words of an info line and how many integers follow; for ``seats`` as many as there are seats.
_COUNTS: Final = {
    "depth": 1,
    "seldepth": 1,
    "multipv": 1,
    "score": 1,
    "seats": 0,
    "sd": 1,
    "wdl": 3,
    "nodes": 1,
    "nps": 1,
    "time": 1,
    "hashfull": 1,
}
_INTEGER: Final = re.compile(r"-?\d+")


def info_numbers(line: str, seats: int) -> dict[str, list[int]]:
    """The numbers of an info line by their words. Raises Failure at the first bad one."""
    words = line.split(" ")[1:]
    found: dict[str, list[int]] = {}
    while words and words[0] not in ("pv", "string"):
        name = words.pop(0)
        if name not in _COUNTS:
            continue
        if name in found:
            raise Failure(f"{name} stands twice in {line!r}")
        if name == "score" and words[:1] == ["cp"]:
            words.pop(0)
        count = _COUNTS[name] or seats
        values = words[:count]
        for value in values:
            if not _INTEGER.fullmatch(value):
                raise Failure(f"expected an integer after {name}, found {value!r} in {line!r}")
        if len(values) < count:
            raise Failure(f"expected {count} integers after {name} in {line!r}")
        found[name] = [int(value) for value in values]
        del words[:count]
    return found


def check_info(line: str, seats: int, mover: int) -> None:
    """See that an info line is well formed and does not contradict itself."""
    if line.startswith("info string "):
        return
    found = info_numbers(line, seats)
    for name in ("depth", "multipv", "nodes", "time"):
        if name in found and found[name][0] < (1 if name == "multipv" else 0):
            raise Failure(f"{name} is too small in {line!r}")
    if "score" in found and " score cp " not in line:
        raise Failure(f"expected score cp and points in {line!r}")
    if "score" in found and "seats" in found and found["seats"][mover - 1] != found["score"][0]:
        raise Failure(f"score is not that of seat {mover}, which is to move, in {line!r}")
    if sum(found.get("wdl", [1000])) != 1000:
        raise Failure(f"expected wdl to add up to 1000 in {line!r}")
    if "hashfull" in found and not 0 <= found["hashfull"][0] <= 1000:
        raise Failure(f"expected hashfull from 0 to 1000 in {line!r}")


def check_ranks(lines: list[str], wanted: int, seats: int) -> None:
    """See that the last info lines are ranks 1 to `wanted`, best first."""
    ranked = [line for line in lines if " multipv " in line][-wanted:]
    found = [info_numbers(line, seats) for line in ranked]
    ranks = [numbers["multipv"][0] for numbers in found]
    if ranks != list(range(1, wanted + 1)):
        raise Failure(f"expected the last lines to be multipv 1 to {wanted}, found {ranks}")
    scores = [numbers["score"][0] for numbers in found if "score" in numbers]
    if scores != sorted(scores, reverse=True):
        raise Failure(f"expected the best turn first, found the scores {scores}")


def check_option(line: str) -> Option:
    """The option of a line. Raises Failure if it is not well formed or not consistent."""
    try:
        option = parse_option(line.removeprefix("option "))
        option.text(option.default)
    except ValueError as problem:
        raise Failure(f"{problem}: {line!r}") from None
    if option.kind != "button" and " default " not in line:
        raise Failure(f"expected a default in {line!r} (<empty> for an empty text)")
    if option.kind == "spin" and (option.low is None or option.high is None):
        raise Failure(f"expected min and max in {line!r}")
    if option.kind == "combo" and not option.choices:
        raise Failure(f"expected the choices as var in {line!r}")
    return option
