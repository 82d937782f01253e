"""From settings as people write them to a tournament that can be run."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine_cli.match.config import Engine, Policy, RulesChoice, Tournament
from engine_cli.match.configfile import FileError, file_engine, read_file
from engine_cli.match.engines import BUILTIN, EngineError, builtin, distinct, parse_engine
from engine_cli.match.faults import OnCrash
from engine_cli.match.limits import Limits, LimitsError
from engine_cli.match.schedule import Schedule, ScheduleError
from engine_cli.match.stats.sprt import Sprt
from harmonies_core.cards import BUILTIN_PACKS
from harmonies_core.errors import HarmoniesError

__all__ = ["Plan", "PlanError", "make_plan"]

_LIMITS: Final = ("clock", "increment", "movetime", "nodes", "depth")


class PlanError(ValueError):
    """Settings that make no tournament; one line for people."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament and how it is run here."""

    tournament: Tournament
    folder: Path
    concurrency: int
    sprt: Sprt | None = None
    logs: bool = False
    cluster: str | None = None

    @property
    def schedule(self) -> Schedule:
        """The games."""
        return Schedule(self.tournament)


def make_plan(
    names: Sequence[str], texts: Sequence[str], config: str | None, given: Mapping[str, Any]
) -> Plan:
    """The plan of a command line; `given` has the options that are not None.

    Engines are those named, then those written as text, then those of the file. Raises PlanError.
    """
    try:
        return _plan(names, texts, config, given)
    except (EngineError, FileError, HarmoniesError, LimitsError, ScheduleError) as error:
        raise PlanError(str(error)) from None


def _plan(
    names: Sequence[str], texts: Sequence[str], config: str | None, given: Mapping[str, Any]
) -> Plan:
    settings: dict[str, Any] = {}
    tables: list[Mapping[str, Any]] = []
    if config is not None:
        settings, tables = read_file(config)
    if any(name in given for name in _LIMITS):  # those of the command line, all of them
        settings = {name: value for name, value in settings.items() if name not in _LIMITS}
    settings = {**settings, **given}
    limits: dict[str, Any] = {name: settings[name] for name in _LIMITS if name in settings}
    Limits.read(limits)
    engines = [_named(name, limits) for name in names]
    engines += [parse_engine(text, limits) for text in texts]
    engines += [
        file_engine(table, config or "", number, limits) for number, table in enumerate(tables, 1)
    ]
    if not engines:
        raise PlanError("no engines: name some, such as kingfisher greedy")
    tournament = Tournament(
        distinct(engines),
        _choice(settings, "format", ("round-robin", "gauntlet", "match"), "round-robin"),
        _rules(settings),
        _number(settings, "rounds", 10, 1, 10_000_000),
        _number(settings, "seed", 0, 0, 2**60 - 1),
        _policy(settings),
    )
    Schedule(tournament)
    sprt = _sprt(settings)
    if sprt is not None and (tournament.rules.players != 2 or len(engines) != 2):
        raise PlanError("SPRT: is for two engines and two seats")
    return Plan(
        tournament,
        Path(settings.get("out") or tournament.default_folder()),
        _number(settings, "concurrency", _cores(), 1, 1024),
        sprt,
        bool(settings.get("logs")),
        settings.get("cluster"),
    )


def _named(name: str, limits: Mapping[str, int]) -> Engine:
    engine = builtin(name, limits)
    if engine is None:
        known = ", ".join(BUILTIN[:3])
        raise PlanError(
            f"{name!r} is no engine known here: there are {known}, kingfisher-1 to kingfisher-10; "
            f"other programs are given as --engine 'cmd={name}'"
        )
    return engine


def _rules(settings: Mapping[str, Any]) -> RulesChoice:
    packs = settings.get("packs") or ("base",)
    if not all(isinstance(pack, str) and pack for pack in packs):
        raise PlanError("packs: expected names, or files that end in .toml")
    split: list[str] = []
    for pack in packs:
        split += [pack] if os.path.exists(pack) or pack.endswith(".toml") else pack.split("+")
    paths = [name if name in BUILTIN_PACKS else os.path.abspath(name) for name in split]
    rules = RulesChoice(
        _number(settings, "players", 2, 1, 4),
        _choice(settings, "side", ("A", "B"), "A"),
        bool(settings.get("spirits", False)),
        tuple(paths),
        _choice(settings, "river", ("diameter", "loop"), "diameter"),
    )
    rules.load()
    return rules


def _policy(settings: Mapping[str, Any]) -> Policy:
    most = 2**31 - 1
    usual = Policy()
    memory = settings.get("memory")
    if memory is not None:
        _number(settings, "memory", 0, 1, most)
        try:
            import psutil  # type: ignore[import-untyped,unused-ignore]  # noqa: F401
        except ImportError:
            raise PlanError("memory: needs psutil (pip install harmonies-engine[memory])") from None
    return Policy(
        OnCrash(_choice(settings, "on_crash", tuple(OnCrash), usual.on_crash)),
        _number(settings, "margin", usual.margin, 0, most),
        _number(settings, "startup", usual.startup, 1, most),
        _number(settings, "patience", usual.patience, 1, most),
        _number(settings, "grace", usual.grace, 1, most),
        memory,
    )


def _sprt(settings: Mapping[str, Any]) -> Sprt | None:
    bounds = settings.get("sprt")
    if bounds is None:
        for name in ("alpha", "beta", "sprt_model"):
            if name in settings:
                raise PlanError(f"{name}: is for --sprt, which is not given")
        return None
    if len(bounds) != 2 or not all(isinstance(bound, (int, float)) for bound in bounds):
        raise PlanError("sprt: expected two Elo differences")
    try:
        return Sprt(
            float(bounds[0]),
            float(bounds[1]),
            settings.get("alpha", 0.05),
            settings.get("beta", 0.05),
            settings.get("sprt_model", "normalized"),
        )
    except ValueError as error:
        raise PlanError(str(error)) from None


def _number(settings: Mapping[str, Any], name: str, usual: int, low: int, high: int) -> int:
    value: int = settings.get(name, usual)
    if not low <= value <= high:
        raise PlanError(f"{name}: {value}, expected a number from {low} to {high}")
    return value


def _choice(settings: Mapping[str, Any], name: str, choices: Sequence[str], usual: str) -> str:
    value: str = settings.get(name, usual)
    if value not in choices:
        raise PlanError(f"{name}: {value!r}, expected one of {', '.join(choices)}")
    return value


def _cores() -> int:
    """One core less than this process may use, for the manager."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(1, cores - 1)
