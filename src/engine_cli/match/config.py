"""What a tournament is: engines, rules, schedule, policies; and its fingerprint."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine_cli.match.faults import OnCrash
from engine_cli.match.limits import DEFAULT_LIMITS, Limits
from harmonies_core.cards import BUILTIN_PACKS, Pack
from harmonies_core.rules import Rules

__all__ = ["FORMATS", "Engine", "Format", "Policy", "RulesChoice", "Tournament"]

Format = str
FORMATS: Final = ("round-robin", "gauntlet", "match")


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine to start. `command` empty: the one that comes with this program."""

    name: str
    command: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    """Where it runs; None: here."""
    limits: Limits = DEFAULT_LIMITS

    def as_dict(self) -> dict[str, Any]:
        """For the fingerprint and the file of the tournament."""
        return {
            "name": self.name,
            "command": list(self.command),
            "options": dict(sorted(self.options.items())),
            "environment": dict(sorted(self.environment.items())),
            "folder": self.folder,
            "limits": self.limits.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """The rules as plain data; `packs` are names, or paths of files that end in .toml."""

    players: int = 2
    side: str = "A"
    spirits: bool = False
    packs: tuple[str, ...] = ("base",)
    river: str = "diameter"

    def load(self) -> tuple[Rules, tuple[Pack, ...]]:
        """The rules, and the packs that are files. Raises HarmoniesError."""
        from harmonies_core.cards import load_pack

        own = {name: load_pack(name) for name in self.packs if name not in BUILTIN_PACKS}
        packs: list[str | Pack] = [own.get(name, name) for name in self.packs]
        rules = Rules(self.players, self.side, spirits=self.spirits, packs=packs, river=self.river)
        return rules, tuple(own.values())

    def as_dict(self) -> dict[str, Any]:
        """For the fingerprint: a pack file counts by what is in it."""
        packs = [
            name if name in BUILTIN_PACKS else hashlib.sha256(Path(name).read_bytes()).hexdigest()
            for name in self.packs
        ]
        return {
            "players": self.players,
            "side": self.side,
            "spirits": self.spirits,
            "packs": packs,
            "river": self.river,
        }


@dataclass(frozen=True, slots=True)
class Policy:
    """What is forgiven and how long is waited. Times in milliseconds, memory in MB."""

    on_crash: OnCrash = OnCrash.FORFEIT
    margin: int = 100
    """Forgiven for every turn before it counts as late."""
    startup: int = 30_000
    """For the greeting, and for readyok."""
    patience: int = 60_000
    """For bestmove where no limit sets a time."""
    grace: int = 2_000
    """For bestmove after stop, before a late turn becomes a stall."""
    memory: int | None = None
    """For one engine with its child processes."""

    def as_dict(self) -> dict[str, Any]:
        """For the fingerprint."""
        return {
            "on_crash": str(self.on_crash),
            "margin": self.margin,
            "startup": self.startup,
            "patience": self.patience,
            "grace": self.grace,
            "memory": self.memory,
        }


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that decides which games are played and how. More rounds do not make another one."""

    engines: tuple[Engine, ...]
    format: Format = "round-robin"
    rules: RulesChoice = RulesChoice()
    rounds: int = 10
    seed: int = 0
    policy: Policy = Policy()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the engines."""
        return tuple(engine.name for engine in self.engines)

    def as_dict(self) -> dict[str, Any]:
        """All but the number of rounds."""
        return {
            "format": self.format,
            "engines": [engine.as_dict() for engine in self.engines],
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "policy": self.policy.as_dict(),
        }

    def fingerprint(self) -> str:
        """16 hexadecimal digits, equal for equal tournaments."""
        text = json.dumps(self.as_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def default_folder(self) -> str:
        """Where the results go if nobody says: the same for the same command."""
        words = "-".join("".join(c if c.isalnum() else "_" for c in name) for name in self.names)
        return os.path.join("tournaments", f"{words[:60]}-{self.fingerprint()[:6]}")
