"""`harmonies compliance`: does an engine keep to the protocol?"""

import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from engine_cli.terminal import color_option, examples, json_option, make_console, print_json

if TYPE_CHECKING:
    from engine_cli.compliance.steps import Outcome

__all__ = ["compliance"]


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog=examples(
        "harmonies compliance harmonies-engine",
        "harmonies compliance --timeout 60 ./my-engine my-network.bin",
        "harmonies compliance --fail-fast python my_engine.py",
        "harmonies compliance --profile player ./my-player",
    ),
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for each answer.",
)
@click.option(
    "--profile",
    type=click.Choice(["full", "player"]),
    default="full",
    show_default=True,
    help="All of the protocol, or only what tournaments ask for.",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first step that fails.")
@json_option
@color_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def compliance(
    command: tuple[str, ...],
    timeout: float,
    profile: str,
    fail_fast: bool,
    as_json: bool,
    no_color: bool,
) -> None:
    """Check an engine against the protocol.

    COMMAND starts it, with its arguments. Options of this program come before it. The exit
    code is 0 if all steps pass, else 1.
    """
    from engine_cli.client.command import split_command
    from engine_cli.compliance.steps import PROFILES, check

    words: Sequence[str] = command
    if len(command) == 1:  # in quotes, as people write commands for other managers
        try:
            words = split_command(command[0])
        except ValueError as problem:
            raise click.UsageError(f"COMMAND: {problem}", click.get_current_context()) from None
    steps = PROFILES[profile]
    outcomes = []
    console = make_console(no_color)
    for outcome in check(words, timeout, fail_fast, steps):
        outcomes.append(outcome)
        if not as_json:
            console.print(
                _line(outcome), style="bold red" if outcome.problem else "", soft_wrap=True
            )
            for text in _details(outcome):
                console.print(text, soft_wrap=True)
    failed = [outcome for outcome in outcomes if outcome.problem is not None]
    if as_json:
        print_json([dataclasses.asdict(outcome) for outcome in outcomes])
    else:
        left = len(steps) - len(outcomes)
        passed = len(outcomes) - len(failed)
        tail = f", {left} not tried" if left else ""
        console.print(f"{passed} of {len(steps)} steps passed, {len(failed)} failed{tail}")
    if failed:
        sys.exit(1)


def _line(outcome: "Outcome") -> str:
    word = "FAIL" if outcome.problem else "pass"
    return f"{outcome.number:2} {word}  {outcome.title}"


def _details(outcome: "Outcome") -> list[str]:
    if outcome.problem is None:
        return []
    return [f"         {text}" for text in (outcome.problem, *outcome.said)]
