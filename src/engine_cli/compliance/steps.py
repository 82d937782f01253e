"""The steps of each profile, in their order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine_cli.compliance import (
    ending,
    games,
    greeting,
    meanwhile,
    mistakes,
    people,
    playing,
    positions,
    searching,
)
from engine_cli.compliance.context import Context
from engine_cli.compliance.probe import Failure

__all__ = ["PLAYER", "PROFILES", "STEPS", "Outcome", "check", "step_name", "step_title"]

Step = Callable[[Context], None]

#: The whole protocol.
STEPS: Final[tuple[Step, ...]] = (
    greeting.starts,
    greeting.greets,
    greeting.is_ready,
    greeting.options,
    greeting.ugi,
    positions.new_games,
    positions.queries,
    positions.positions,
    positions.all_turns,
    mistakes.refuses,
    mistakes.keeps_its_state,
    mistakes.empty_lines,
    greeting.bad_options,
    positions.deals,
    positions.dealerless,
    searching.limits,
    searching.legal,
    mistakes.bad_searches,
    searching.infos,
    searching.multipv,
    searching.searchmoves,
    meanwhile.stop,
    meanwhile.stop_when_idle,
    meanwhile.answers_in_search,
    meanwhile.waits_for_stop,
    meanwhile.go_twice,
    meanwhile.busy,
    meanwhile.pondering,
    games.two_players,
    games.four_players,
    games.solo,
    games.side_b,
    games.with_spirits,
    people.for_people,
    ending.quits,
    ending.quits_in_search,
    ending.ends_with_its_input,
    ending.ends_with_its_input_in_search,
    ending.tidy_lines,
    ending.only_answers,
    ending.stderr_is_no_answer,
)

#: What tournaments ask for, and no more.
PLAYER: Final[tuple[Step, ...]] = (
    greeting.starts,
    greeting.greets,
    greeting.is_ready,
    greeting.options,
    playing.thinks_within_limits,
    playing.stops,
    playing.plays_two,
    playing.plays_on_side_b,
    playing.plays_with_spirits,
    playing.plays_three,
    playing.plays_four,
    playing.plays_solo,
    ending.quits,
)

#: Steps by the name of the profile.
PROFILES: Final[Mapping[str, tuple[Step, ...]]] = {"full": STEPS, "player": PLAYER}

#: Without these nothing else can be asked.
_NEEDED: Final = (greeting.starts, greeting.greets, greeting.is_ready)


@dataclass(frozen=True)
class Outcome:
    """How a step went."""

    number: int
    name: str
    title: str
    problem: str | None = None
    """What was wrong; None if nothing was."""
    said: Sequence[str] = ()
    """The last lines of a step that failed, ``> `` to the engine and ``< `` from it."""


def step_name(step: Step) -> str:
    """The name of a step for programs."""
    return step.__name__.replace("_", "-")


def step_title(step: Step) -> str:
    """The name of a step for people."""
    return " ".join((step.__doc__ or "").split()).removesuffix(".").replace("`", "")


def check(
    command: Sequence[str],
    timeout: float,
    fail_fast: bool = False,
    steps: Sequence[Step] = STEPS,
) -> Iterator[Outcome]:
    """Run these steps; every failure is followed by a new start of the engine.

    `timeout` is in seconds, for each answer. When the engine does not even start, or with
    `fail_fast`, the first failure is the last step.
    """
    context = Context(command, timeout)
    try:
        for number, step in enumerate(steps, 1):
            name, title = step_name(step), step_title(step)
            try:
                step(context)
            except Failure as problem:
                yield Outcome(number, name, title, str(problem), context.close())
                if fail_fast or step in _NEEDED:
                    return
            else:
                yield Outcome(number, name, title)
    finally:
        context.close()
