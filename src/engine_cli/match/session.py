"""One run of a tournament from its folder to the final tables."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from rich.console import Console

from engine_cli.match.cluster import ClusterBackend, ClusterError, check_there
from engine_cli.match.display import category_table, fault_lines, main_table, pair_lines
from engine_cli.match.faults import Fault
from engine_cli.match.interrupt import Interrupt
from engine_cli.match.journal import Journal, JournalError
from engine_cli.match.live import LiveView
from engine_cli.match.local import LocalBackend
from engine_cli.match.manager import Backend, run
from engine_cli.match.outcome import Outcome
from engine_cli.match.plan import Plan
from engine_cli.match.standings import Standings
from engine_cli.match.workers import Workers

__all__ = ["play"]


def play(plan: Plan, console: Console, *, check: bool) -> bool:
    """Play what is left of a tournament, show it, and print the result.

    Returns whether it came to its end. Raises ClickException, and KeyboardInterrupt after a
    second Ctrl-C.
    """
    schedule = plan.schedule
    standings = Standings(plan.tournament, schedule, plan.sprt)
    with Interrupt() as interrupt:
        try:
            if check:
                _check(plan)
            with Journal(plan.folder, plan.tournament, plan.sprt) as journal:
                for outcome in journal.outcomes():
                    standings.add(outcome)
                already = standings.finished
                with _backend(plan) as backend, LiveView(console, standings) as view:

                    def changed(outcomes: Sequence[Outcome]) -> None:
                        view.update(stopping=interrupt.asked)

                    run(
                        schedule,
                        journal,
                        standings,
                        backend,
                        stopping=lambda: interrupt.asked,
                        changed=changed,
                    )
        except (JournalError, ClusterError) as error:
            raise click.ClickException(str(error)) from None
    standings.close_gaps()
    print_result(plan, console, standings, already)
    return standings.decided or standings.finished >= len(schedule)


def _check(plan: Plan) -> None:
    """Start every engine once, so that a wrong command is said before anything is written."""
    try:
        if plan.cluster is None:
            check_there(plan.tournament)
            return
        backend = ClusterBackend(plan.cluster, plan.tournament)
        try:
            backend.check()
        finally:
            backend.close(at_once=True)
    except Fault as fault:
        raise click.ClickException(f"{fault.kind}: {fault.detail}") from None


@contextmanager
def _backend(plan: Plan) -> Iterator[Backend]:
    logs = None
    if plan.logs:
        folder = (plan.folder / "logs").absolute()
        folder.mkdir(exist_ok=True)
        logs = str(folder)
    backend: Backend
    if plan.cluster is None:
        backend = LocalBackend(Workers(plan.tournament, logs), plan.concurrency)
    else:
        backend = ClusterBackend(plan.cluster, plan.tournament, logs)
    try:
        yield backend
    except BaseException:
        backend.close(at_once=True)
        raise
    backend.close(at_once=False)


def print_result(plan: Plan, console: Console, standings: Standings, already: int = 0) -> None:
    """The final tables."""
    console.print(main_table(standings))
    for line in pair_lines(standings):
        console.print(line, soft_wrap=True)
    console.print("\nmean points by category (± standard error):")
    console.print(category_table(standings))
    for line in fault_lines(standings):
        console.print(line, soft_wrap=True)
    if standings.beyond:
        console.print(
            f"{standings.beyond} games that were played before are beyond --rounds "
            f"{plan.tournament.rounds}; the results include them",
            soft_wrap=True,
        )
    played = f"{standings.finished} of {max(standings.finished, standings.total)} games"
    if already:
        played += f", {already} of them before this run"
    if standings.finished != standings.counted:
        after = standings.finished - standings.counted
        played += f"; {after} ended after the decision and do not count"
    console.print(f"{played}; all in {plan.folder}", soft_wrap=True)
