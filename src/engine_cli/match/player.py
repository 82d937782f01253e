"""An engine in a tournament: whatever it does wrong when it is asked for a turn is a Fault."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from engine_cli.client.command import engine_name, kill_group
from engine_cli.client.engine import Engine as Client
from engine_cli.client.errors import (
    EngineClosedPipe,
    EngineCrashed,
    EngineError,
    EngineRefused,
    EngineStartError,
    EngineWarning,
    HandshakeTimeout,
    MalformedAnswer,
    OutputFlood,
    ReadyTimeout,
    StartTimeout,
    WriteTimeout,
    WrongAnswer,
)
from engine_cli.client.limits import Bounds, Limit, Timeouts
from engine_cli.client.process import ProcessTransport
from engine_cli.client.search import PlayResult
from engine_cli.client.stderr import StderrLog
from engine_cli.match.clocks import Clock
from engine_cli.match.config import Engine, Policy, RulesChoice
from engine_cli.match.enginelog import EngineLog
from engine_cli.match.faults import Fault, Kind
from engine_cli.match.memory import MemoryGuard
from engine_cli.match.warden import Warden
from harmonies_core.cards import BUILTIN_PACKS

__all__ = ["Player"]

_BOUNDS = Bounds(lines=200_000, unexpected=10_000)

_KINDS: tuple[tuple[type[EngineError], Kind], ...] = (
    (EngineStartError, Kind.NO_START),
    (EngineCrashed, Kind.CRASH),
    (EngineClosedPipe, Kind.CLOSED_PIPE),
    (StartTimeout, Kind.NO_UHIOK),
    (HandshakeTimeout, Kind.NO_UHIOK),
    (ReadyTimeout, Kind.NO_READYOK),
    (MalformedAnswer, Kind.MALFORMED),
    (WrongAnswer, Kind.WRONG_REQUEST),
    (OutputFlood, Kind.FLOOD),
    (EngineRefused, Kind.REFUSED),
    (WriteTimeout, Kind.STALL),
)


class Player:
    """A running engine. Raises Fault at the start and from every call."""

    def __init__(
        self,
        engine: Engine,
        rules: RulesChoice,
        policy: Policy,
        *,
        log: EngineLog | None = None,
        guard: MemoryGuard | None = None,
        warden: Warden | None = None,
    ) -> None:
        self.name = engine.name
        self.alive = True
        """Whether the process can be asked for more."""
        self._policy = policy
        self._rules = rules
        self._guard = guard
        self._warden = warden
        self._log = log
        self._client: Client | None = None
        self._transport: ProcessTransport | None = None
        with self._faults():
            self._start(engine)

    def _start(self, engine: Engine) -> None:
        # what an engine prints beside the protocol is in its log
        warnings.filterwarnings("ignore", category=EngineWarning)
        command = engine.command or (sys.executable, "-m", "engine_cli.engine")
        startup = self._policy.startup / 1000
        try:
            self._transport = ProcessTransport(
                command,
                cwd=engine.folder,
                env=os.environ | _own_path(engine) | dict(engine.environment),
                stderr=StderrLog(),
            )
        except (OSError, ValueError) as error:
            raise Fault(Kind.NO_START, f"{command[0]} cannot be run: {error}") from None
        for watcher in (self._warden, self._guard):
            if watcher is not None:
                watcher.watch(self._transport.pid)
        self._client = Client(
            self._transport,
            name=engine_name(command),
            timeouts=Timeouts(
                start=startup,
                handshake=startup,
                ready=startup,
                answer=self._policy.grace / 1000,
                search=self._policy.patience / 1000,
                quit=1.0,
            ),
            bounds=_BOUNDS,
            trace=None if self._log is None else self._log.line,
        )
        options: dict[str, object] = dict(engine.options)
        if any(name not in BUILTIN_PACKS for name in self._rules.packs):
            options.setdefault("Packs", "+".join(_pack_word(name) for name in self._rules.packs))
        try:
            self._client.configure(**options)
        except ValueError as error:
            raise Fault(Kind.REFUSED, str(error)) from None

    def new_game(self, packs: Sequence[str]) -> None:
        """Say that another game begins; `packs` are the names of its card packs."""
        rules = self._rules
        with self._faults():
            assert self._client is not None
            self._client.new_game(
                rules.players, rules.side, spirits=rules.spirits, packs="+".join(packs)
            )

    def turn(self, start: str, moves: Sequence[str], clock: Clock) -> PlayResult:
        """Ask for a turn in the position that `moves` lead to from `start`."""
        limits = clock.limits
        limit = Limit(
            nodes=limits.nodes,
            depth=limits.depth,
            movetime=limits.movetime,
            clock=None if limits.clock is None else clock.shown,
            increment=limits.increment,
        )
        policy, allowed = self._policy, clock.allowed
        wait = policy.patience if allowed is None else allowed + policy.grace
        with self._faults():
            assert self._client is not None
            return self._client.play(start, limit, moves=moves, timeout=wait / 1000)

    def close(self) -> None:
        """Let the engine end; it is killed if it does not within a second."""
        if self._client is not None:
            with suppress(EngineError):
                self._client.quit()
        self.kill()

    def kill(self) -> None:
        """End the process at once and close what belongs to it."""
        self.alive = False
        if self._transport is not None:
            if self._guard is not None:
                self._guard.forget(self._transport.pid)
            self._transport.kill()
            if self._warden is not None:
                self._warden.forget(self._transport.pid)
        if self._log is not None:
            self._log.close()

    def end_process(self) -> None:
        """End the process while another thread talks with it; that one gets a Fault."""
        if self.alive and self._transport is not None:
            kill_group(self._transport.pid)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn errors of the client into faults; a process that made one is ended."""
        try:
            yield
        except Fault:
            self.kill()
            raise
        except EngineError as error:
            fault = self._fault(error)
            self.kill()
            raise fault from None

    def _fault(self, error: EngineError) -> Fault:
        if self._guard is not None and self._transport is not None:
            used = self._guard.exceeded(self._transport.pid)
            if used:
                return Fault(
                    Kind.MEMORY, f"{used} MB used, {self._policy.memory} MB allowed; killed"
                )
        kind = next((kind for type_, kind in _KINDS if isinstance(error, type_)), Kind.STALL)
        return Fault(kind, _describe(error))


def _describe(error: EngineError) -> str:
    """What is wrong, to which request, what standard error said, and the last lines before."""
    words = [error.problem]
    if error.command:
        words.append(f"(request: {error.command:.80})")
    for mark, name, count in (("!", "standard error", 3), ("<", "last lines", 2)):
        lines = [f"{line[2:]:.100}" for line in error.last if line.startswith(mark)][-count:]
        if lines:
            words.append(f"{name}: {' | '.join(lines)};")
    return " ".join(words).removesuffix(";")


def _own_path(engine: Engine) -> dict[str, str]:
    """What the engine that comes with this program needs to be found from any folder."""
    if engine.command:
        return {}
    import engine_cli

    source = str(Path(engine_cli.__file__).parent.parent)
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(paths)}


def _pack_word(name: str) -> str:
    return name if name in BUILTIN_PACKS else os.path.abspath(name)
