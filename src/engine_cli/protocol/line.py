"""A base position and the turns that follow it, kept so that a longer line costs little."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_cli.protocol.failure import RequestError

if TYPE_CHECKING:
    from harmonies_core import Dealer, Position

__all__ = ["BadMove", "Line", "Step", "deal"]


class BadMove(RequestError):
    """A turn that cannot be played; `number` counts the turns of the request from 1."""

    def __init__(self, number: int, problem: RequestError) -> None:
        super().__init__(problem.code, f"move {number}: {problem.text}")
        self.number = number
        self.reason = problem.text


@dataclass(frozen=True)
class Step:
    """A position of the line and the dealer who deals on from it, if one is known."""

    position: "Position"
    dealer: "Dealer | None"


@dataclass(frozen=True)
class Line:
    """Never changed: following it further makes a new one that shares the steps."""

    base: object
    """What the base was made from; equal for equal bases."""
    words: tuple[str, ...]
    steps: tuple[Step, ...]
    """The base and the position after each word."""

    @classmethod
    def begin(cls, base: object, position: "Position", dealer: "Dealer | None") -> "Line":
        """A line without turns."""
        return cls(base, (), (Step(position, dealer),))

    @property
    def last(self) -> Step:
        """Where the line ends."""
        return self.steps[-1]

    def follow(self, words: tuple[str, ...]) -> "Line":
        """The line from the same base with these turns; what both share is not played again."""
        if words == self.words:
            return self
        same = 0
        for old, new in zip(self.words, words, strict=False):
            if old != new:
                break
            same += 1
        steps = list(self.steps[: same + 1])
        for number, word in enumerate(words[same:], same + 1):
            try:
                steps.append(_after(steps[-1], word))
            except RequestError as problem:
                raise BadMove(number, problem) from None
        return Line(self.base, words, tuple(steps))


def deal(step: Step) -> tuple[Step, str]:
    """Let the dealer of a step deal what is due: the new step, and what came."""
    if step.dealer is None:
        raise RequestError("nodealer", "a refill is due and neither its text nor a seed is known")
    position, dealer = step.position.copy(), step.dealer.copy()
    text = dealer.deal(position)
    position.push_chance(text)
    return Step(position, dealer), text


def _after(step: Step, word: str) -> Step:
    """Play one word. A dealer that would have dealt otherwise is known no longer."""
    from harmonies_core import Turn
    from harmonies_core.errors import HarmoniesError

    if step.position.phase == "chance":
        step, _ = deal(step)
    try:
        turn = Turn(word)
        position = step.position.copy()
        if turn.chance is None or step.dealer is None:
            position.push(turn)
            return Step(position, step.dealer)
        position.push(turn.without_chance())
        dealer = _same_deal(position, step.dealer, turn.chance)
        position.push_chance(turn.chance)
    except HarmoniesError as problem:
        raise RequestError("illegal", str(problem)) from None
    return Step(position, dealer)


def _same_deal(position: "Position", dealer: "Dealer", chance: str) -> "Dealer | None":
    """The dealer after this deal, None if it would not have dealt so."""
    if position.phase != "chance":
        return None
    dealer = dealer.copy()
    text = dealer.deal(position)
    if text == chance:
        return dealer
    seeded, given = position.copy(), position.copy()
    seeded.push_chance(text)
    given.push_chance(chance)
    return dealer if seeded == given else None
