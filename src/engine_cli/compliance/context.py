"""What a step is given: the engine, started when it is needed, and games to ask about."""

from collections.abc import Sequence

from engine_cli.compliance.probe import Failure, Notes, Probe
from harmonies_core import Dealer, Position, Rules, Turn
from harmonies_core.errors import HarmoniesError

__all__ = ["Context", "first_turns", "play_legal", "play_some_turn"]


class Context:
    """One check of one engine."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.notes = Notes()
        self._command = command
        self._timeout = timeout
        self._probe: Probe | None = None

    def fresh(self) -> Probe:
        """A process that was not greeted yet."""
        self.close()
        self._probe = Probe(self._command, self._timeout, self.notes)
        return self._probe

    @property
    def probe(self) -> Probe:
        """The process that runs, or a new one that was greeted."""
        if self._probe is None:
            self.fresh().ask("uhi", "uhiok")
        assert self._probe is not None
        return self._probe

    def close(self) -> list[str]:
        """End the process; returns the last lines that were exchanged."""
        if self._probe is None:
            return []
        self._probe.kill()
        said = list(self._probe.said)
        self._probe = None
        return said


def first_turns(rules: Rules, seed: int, count: int) -> tuple[Position, list[str]]:
    """A game of this deal after some turns, and the turns with their chance parts."""
    dealer = Dealer(rules, seed)
    position = dealer.start()
    moves = []
    for number in range(count):
        text = play_some_turn(position, number)
        if position.phase == "chance":
            chance = dealer.deal(position)
            position.push_chance(chance)
            text += f"/{chance}"
        moves.append(text)
    return position, moves


def play_some_turn(position: Position, number: int = 0) -> str:
    """Play a turn action by action, another one for each number; returns its text.

    The order of its actions need not be the canonical one. `Position.turns` would list all
    turns, which takes long.
    """
    turn = position.seat, position.turn
    actions: list[str] = []
    while (position.seat, position.turn) == turn and position.phase in ("spirit", "turn"):
        legal = position.actions()
        action = legal[(len(actions) * 7919 + number * 104729 + 13) % len(legal)]
        position.push_action(action)
        actions.append(str(action))
    return ",".join(actions)


def play_legal(position: Position, text: str) -> None:
    """Play an answer of the engine. Raises Failure if it is not what ``bestmove`` may say."""
    try:
        turn = Turn(text)
        if turn.chance is not None:
            raise Failure(f"expected a turn without its chance part, found {text!r}")
        canonical = str(position.canonical(turn))
        position.push(turn)
    except HarmoniesError as problem:
        raise Failure(f"bestmove {text} is not legal in {position.hfen()}: {problem}") from None
    if position.phase not in ("chance", "over") and not position.between_turns:
        raise Failure(f"bestmove {text} is only the beginning of a turn")
    if canonical != text:
        raise Failure(f"bestmove {text} is not in canonical order, which is {canonical}")
