"""Plays one game: the core is dealer and judge, the engines see public positions alone."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from engine_cli.client.info import Info
from engine_cli.client.search import PlayResult
from engine_cli.match.clocks import Clock
from engine_cli.match.config import Tournament
from engine_cli.match.faults import RESTARTABLE, Fault, Kind, OnCrash
from engine_cli.match.outcome import CATEGORIES, Outcome, SeatOutcome
from engine_cli.match.recording import Record
from engine_cli.match.schedule import Game
from harmonies_core import Dealer, Position, Rules, Turn
from harmonies_core.errors import HarmoniesError, NotationError

__all__ = ["Referee", "SeatPlayer"]


class SeatPlayer(Protocol):
    """What the referee needs of a player; see `player.Player`."""

    def new_game(self, packs: Sequence[str]) -> None:
        """Another game begins."""
        ...

    def turn(self, start: str, moves: Sequence[str], clock: Clock) -> PlayResult:
        """A turn, or Fault."""
        ...


#: Gives the player of a seat (from 0); after a fault a new one. May raise Fault.
Seating = Callable[[int], SeatPlayer]


@dataclass(slots=True)
class _Seat:
    """What is known of one seat while a game goes on."""

    clock: Clock
    turns: int = 0
    nodes: int = 0
    depths: list[int] = field(default_factory=list)
    time: float = 0.0
    slowest: float = 0.0
    restarts: int = 0
    fault: Fault | None = None

    def used(self, milliseconds: float) -> None:
        self.time += milliseconds
        self.slowest = max(self.slowest, milliseconds)


class Referee:
    """Plays games of one tournament."""

    def __init__(self, tournament: Tournament, rules: Rules) -> None:
        self._tournament = tournament
        self._rules = rules

    def play(self, game: Game, seating: Seating) -> Outcome:
        """Play a game to its end, or to the fault that ends it. Never raises Fault."""
        return _Table(self._tournament, self._rules, game, seating).play()


class _Table:
    """One game while it is played."""

    def __init__(self, tournament: Tournament, rules: Rules, game: Game, seating: Seating) -> None:
        self._tournament = tournament
        self._game = game
        self._seating = seating
        self._rules = rules
        self._dealer = Dealer(rules, game.seed)
        self._position = self._dealer.start()
        self._start = self._position.hfen()
        self._moves: list[str] = []
        policy = tournament.policy
        self._seats = [
            _Seat(Clock(tournament.engines[engine].limits, policy.margin)) for engine in game.seats
        ]
        self._players: list[SeatPlayer] = []
        self._record = Record(tournament, game, self._start)

    def play(self) -> Outcome:
        started = datetime.now(UTC)
        began = time.monotonic()
        end = "normal"
        guilty: int | None = None
        seat = 0
        try:
            for seat in range(len(self._seats)):
                self._players.append(self._seating(seat))
                self._players[seat].new_game(self._rules.packs)
            while not self._position.is_over():
                seat = self._position.seat - 1
                self._one_turn(seat)
        except Fault as fault:
            end, guilty = str(fault.kind), seat
            self._seats[seat].fault = fault
        return self._outcome(end, guilty, started, time.monotonic() - began)

    def _one_turn(self, seat: int) -> None:
        """Ask, check, play, deal."""
        state = self._seats[seat]
        place = f"{self._position.turn}.{self._position.seat}"
        try:
            played = self._ask(seat)
        except Fault as fault:
            raise Fault(fault.kind, f"turn {place}: {fault.detail}") from None
        used = played.elapsed * 1000
        allowed = state.clock.allowed
        in_time = state.clock.charge(used)
        state.used(used)
        if not in_time:
            raise Fault(Kind.TIME, f"turn {place}: {used:.0f} ms used, {allowed:.0f} ms allowed")
        turn = self._judge(played.turn, place)
        state.turns += 1
        info = played.info
        if info is not None:
            state.nodes += info.nodes or 0
            if info.depth is not None:
                state.depths.append(info.depth)
        word = str(turn)
        if self._position.phase == "chance":
            dealt = self._dealer.deal(self._position)
            self._position.push_chance(dealt)
            word += f"/{dealt}"
        self._moves.append(word)
        self._record.turn(f"{place} {word}", _comment(info, used))

    def _ask(self, seat: int) -> PlayResult:
        """The answer of a player, who is started again once after a crash if the policy says so."""
        state = self._seats[seat]
        began = time.monotonic()
        try:
            return self._players[seat].turn(self._start, self._moves, state.clock)
        except Fault as fault:
            forgiven = self._tournament.policy.on_crash is OnCrash.RESTART and not state.restarts
            if fault.kind not in RESTARTABLE or not forgiven:
                raise
            state.restarts += 1
            lost = (time.monotonic() - began) * 1000
            state.clock.spend(lost)
            state.used(lost)
            state.fault = fault
            self._record.note(seat, fault)
        self._players[seat] = self._seating(seat)
        self._players[seat].new_game(self._rules.packs)
        return self._players[seat].turn(self._start, self._moves, state.clock)

    def _judge(self, text: str, place: str) -> Turn:
        """Play what was answered; a Fault that names the text and the rule it breaks."""
        try:
            turn = Turn(text)
        except NotationError as error:
            raise Fault(Kind.MALFORMED, f"turn {place}: {_told(text, error)}") from None
        if turn.chance is not None:
            raise Fault(Kind.MALFORMED, f"turn {place}: {text!r:.200}: it is not the dealer's turn")
        before = self._position
        after = before.copy()
        try:
            after.push(turn)
            if _unfinished(before, after):
                raise Fault(Kind.ILLEGAL_TURN, f"turn {place}: {text!r:.200}: is not a whole turn")
            turn = before.canonical(turn)
        except HarmoniesError as error:
            raise Fault(Kind.ILLEGAL_TURN, f"turn {place}: {_told(text, error)}") from None
        self._position = after
        return turn

    def _outcome(self, end: str, guilty: int | None, started: datetime, duration: float) -> Outcome:
        result = self._position.result()
        scores = self._position.scores()
        ranks = _ranks(result.ranks, guilty)
        seats = tuple(
            SeatOutcome(
                engine,
                result.totals[i],
                result.cubes[i],
                ranks[i],
                tuple(scores[i].as_dict()[name] for name in CATEGORIES),
                state.turns,
                state.nodes,
                sum(state.depths) / len(state.depths) if state.depths else 0.0,
                round(state.time),
                round(state.slowest),
                "" if state.fault is None else str(state.fault.kind),
                "" if state.fault is None else state.fault.detail,
            )
            for i, (engine, state) in enumerate(zip(self._game.seats, self._seats, strict=True))
        )
        fault = None if guilty is None else self._seats[guilty].fault
        record = self._record.text(seats, started, guilty, fault)
        when = started.strftime("%Y-%m-%d %H:%M:%S")
        return Outcome(
            self._game.index, seats, record, end, result.suns, when, round(duration * 1000)
        )


def _told(text: str, error: HarmoniesError) -> str:
    """The text and what is wrong with it; most errors name the text themselves."""
    return str(error) if repr(text) in str(error) else f"{text!r:.200}: {error}"


def _unfinished(before: Position, after: Position) -> bool:
    """Whether the turn that led from one to the other goes on."""
    return (after.seat, after.turn) == (before.seat, before.turn) and after.phase in (
        "turn",
        "spirit",
    )


def _ranks(ranks: Sequence[int], guilty: int | None) -> tuple[int, ...]:
    """The ranks with a seat that forfeits put last, and the others in their order."""
    if guilty is None:
        return tuple(ranks)
    others = [rank for seat, rank in enumerate(ranks) if seat != guilty]
    return tuple(
        len(ranks) if seat == guilty else 1 + sum(other < rank for other in others)
        for seat, rank in enumerate(ranks)
    )


def _comment(info: Info | None, used: float) -> str:
    """Evaluation in hundredths, depth, nodes, time in milliseconds."""
    words = []
    if info is not None:
        if info.score is not None:
            words.append(f"eval {round(info.score * 100)}")
        if info.depth is not None:
            words.append(f"depth {info.depth}")
        if info.nodes is not None:
            words.append(f"nodes {info.nodes}")
    return " ".join([*words, f"time {round(used)}"])
