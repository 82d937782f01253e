"""Plays games with engines that are kept running from one game to the next."""

import threading
from collections import defaultdict
from pathlib import Path

from engine_cli.match.config import Tournament
from engine_cli.match.enginelog import EngineLog
from engine_cli.match.faults import Fault
from engine_cli.match.memory import MemoryGuard
from engine_cli.match.outcome import Outcome
from engine_cli.match.player import Player
from engine_cli.match.referee import Referee, SeatPlayer
from engine_cli.match.schedule import Game
from engine_cli.match.warden import Warden

__all__ = ["Stopped", "Workers"]


class Stopped(Exception):
    """The game was broken off because the run was."""


class Workers:
    """Engines of one tournament in this process. `play` may be called from several threads.

    There are never more processes of an engine than seats it has in games at the same time.
    """

    def __init__(self, tournament: Tournament, logs: str | None = None) -> None:
        """`logs` is the folder for logs of engines. Raises HarmoniesError for bad packs."""
        self._tournament = tournament
        rules, _ = tournament.rules.load()
        self._referee = Referee(tournament, rules)
        self._logs = None if logs is None else Path(logs)
        memory = tournament.policy.memory
        self._guard = None if memory is None else MemoryGuard(memory)
        self._warden = Warden()
        self._lock = threading.Lock()
        self._idle: dict[int, list[Player]] = defaultdict(list)
        self._busy: set[Player] = set()
        self._started: dict[int, int] = defaultdict(int)
        self._stopped = False

    def play(self, game: Game) -> Outcome:
        """Play a game. Raises Stopped after `kill`."""
        seated: dict[int, Player] = {}

        def seat(place: int) -> SeatPlayer:
            again = seated.pop(place, None)
            if again is not None:
                self._give_back(game.seats[place], again)
            seated[place] = player = self._take(game.seats[place], fresh=again is not None)
            return player

        try:
            outcome = self._referee.play(game, seat)
        finally:
            for place, player in seated.items():
                self._give_back(game.seats[place], player)
        if self._stopped:
            raise Stopped
        return outcome

    def check(self) -> None:
        """Start every engine once and set it up. Raises Fault."""
        for engine, described in enumerate(self._tournament.engines):
            try:
                self._give_back(engine, self._take(engine, fresh=False))
            except Fault as fault:
                raise Fault(fault.kind, f"{described.name}: {fault.detail}") from None

    def close(self) -> None:
        """Let all engines end. No game may be going on."""
        with self._lock:
            idle = [player for players in self._idle.values() for player in players]
            self._idle.clear()
        for player in idle:
            player.close()
        self.kill()

    def kill(self) -> None:
        """End all engines at once; games that go on are broken off."""
        with self._lock:
            self._stopped = True
            players = [*self._busy, *(p for players in self._idle.values() for p in players)]
            self._idle.clear()
        for player in players:
            player.end_process()
        if self._guard is not None:
            self._guard.close()
        self._warden.close()

    def _take(self, engine: int, *, fresh: bool) -> Player:
        with self._lock:
            if self._stopped:
                raise Stopped
            if not fresh and self._idle[engine]:
                player = self._idle[engine].pop()
                self._busy.add(player)
                return player
            self._started[engine] += 1
            number = self._started[engine]
        player = Player(
            self._tournament.engines[engine],
            self._tournament.rules,
            self._tournament.policy,
            log=self._log(engine, number),
            guard=self._guard,
            warden=self._warden,
        )
        with self._lock:
            self._busy.add(player)
        self._go_on(player)
        return player

    def _go_on(self, player: Player) -> None:
        """End an engine that was started while the run was stopped. Raises Stopped."""
        if self._stopped:
            player.kill()
            raise Stopped

    def _give_back(self, engine: int, player: Player) -> None:
        with self._lock:
            self._busy.discard(player)
            if player.alive and not self._stopped:
                self._idle[engine].append(player)
                return
        player.kill()

    def _log(self, engine: int, number: int) -> EngineLog | None:
        if self._logs is None:
            return None
        name = "".join(c if c.isalnum() else "_" for c in self._tournament.engines[engine].name)
        return EngineLog(self._logs / f"{engine + 1}-{name}-{number}.log")
