"""`harmonies compliance`: our engine passes, broken ones fail in the step that fits."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import broken_engines
import pytest
from click.testing import CliRunner

from engine_cli.compliance.grammar import check_info, check_option, check_ranks
from engine_cli.compliance.probe import Failure
from engine_cli.compliance.steps import PLAYER, STEPS, Outcome, check, step_name, step_title
from engine_cli.main import main

PATIENCE = 15.0  # seconds; an engine that answers at all is that fast on any machine

#: The first step that each broken engine fails.
FAILS = {
    "bad_option": "options",
    "bestmove_twice": "limits",
    "blank_lines": "tidy-lines",
    "chatty": "only-answers",
    "close_stdout": "limits",
    "crash_on_go": "limits",
    "deaf_in_search": "answers-in-search",
    "decimal_info": "infos",
    "endless_line": "limits",
    "exit_at_once": "starts",
    "flood": "limits",
    "flood_info": "limits",
    "forgets_on_error": "keeps-its-state",
    "garbage_bestmove": "limits",
    "hang_on_go": "limits",
    "ignore_quit": "quits",
    "illegal_turn": "legal",
    "no_readyok": "is-ready",
    "no_uhiok": "greets",
    "partial_line": "limits",
    "segfault_on_go": "limits",
    "silent_errors": "refuses",
    "stall_on_go": "limits",
    "stop_never": "stop",
    "stop_twice": "stop",
    "wrong_response": "queries",
}

#: What the report of some of them has to show.
SHOWS = {
    "crash_on_go": "exit status 3",
    "segfault_on_go": "SIGSEGV",
    "exit_at_once": "! cannot load the book",
    "garbage_bestmove": "(none) ponder",
    "illegal_turn": "g1,Wa1,Wa1,Wa1",
    "partial_line": "without a line end",
    "bad_option": "weather",
    "chatty": "DEBUG told",
    "wrong_response": "weather fine",
}


@pytest.fixture(scope="module")
def outcomes() -> Iterator[dict[str, Future[list[Outcome]]]]:
    """Checks of all engines, side by side since most of them wait."""

    def run(name: str) -> list[Outcome]:
        command = broken_engines.command(name) if name else broken_engines.GOOD
        return list(check(command, PATIENCE, fail_fast=bool(name)))

    with ThreadPoolExecutor(12) as pool:
        yield {name: pool.submit(run, name) for name in ("", *FAILS)}


def test_our_engine_passes(outcomes: dict[str, Future[list[Outcome]]]) -> None:
    found = outcomes[""].result()
    assert [outcome for outcome in found if outcome.problem is not None] == []
    assert [outcome.name for outcome in found] == [step_name(step) for step in STEPS]


@pytest.mark.parametrize("name", FAILS)
def test_broken_engine(name: str, outcomes: dict[str, Future[list[Outcome]]]) -> None:
    *passed, last = outcomes[name].result()
    assert all(outcome.problem is None for outcome in passed)
    assert last.problem is not None
    assert last.name == FAILS[name], last
    report = "\n".join([last.problem, *last.said])
    assert SHOWS.get(name, "") in report


#: An engine that plays and can do nothing else; the name of a fault may follow.
PLAYS = [sys.executable, str(broken_engines.FOLDER / "faulty.py")]


def test_a_player_needs_no_more_than_tournaments_ask_for() -> None:
    found = list(check(PLAYS, PATIENCE, steps=PLAYER))
    assert [outcome for outcome in found if outcome.problem is not None] == []
    assert [outcome.name for outcome in found] == [step_name(step) for step in PLAYER]
    *_, last = check(PLAYS, 2.0, fail_fast=True)
    assert last.problem is not None


def test_our_engine_is_a_player() -> None:
    assert all(
        found.problem is None for found in check(broken_engines.GOOD, PATIENCE, steps=PLAYER)
    )


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (broken_engines.command("no_readyok"), "is-ready"),
        (broken_engines.command("stop_never"), "stops"),
        (broken_engines.command("ignore_quit"), "quits"),
        ([*PLAYS, "half"], "thinks-within-limits"),
        ([*PLAYS, "illegal", "30"], "plays-two"),
    ],
)
def test_broken_player(command: list[str], name: str) -> None:
    *passed, last = check(command, 5.0, fail_fast=True, steps=PLAYER)
    assert all(outcome.problem is None for outcome in passed)
    assert last.problem is not None
    assert last.name == name, last


def test_profile_on_the_command_line() -> None:
    command = ["compliance", "--profile", "player", *broken_engines.command("exit_at_once")]
    *_, summary = CliRunner().invoke(main, command).stdout.splitlines()
    count = len(PLAYER)
    assert summary == f"0 of {count} steps passed, 1 failed, {count - 1} not tried"


def test_every_broken_engine_is_listed() -> None:
    assert sorted(FAILS) == broken_engines.NAMES
    for name in broken_engines.NAMES:
        assert broken_engines.complaint(name).endswith(".")
        assert "\n" not in broken_engines.complaint(name)


def test_steps_have_names_and_titles() -> None:
    steps = {*STEPS, *PLAYER}
    assert len({step_name(step) for step in steps}) == len(steps)
    assert all(step_title(step) for step in steps)


# -- the command --------------------------------------------------------------------------------


def test_report() -> None:
    result = CliRunner().invoke(main, ["compliance", *broken_engines.command("exit_at_once")])
    assert result.exit_code == 1
    first, problem, *said, summary = result.stdout.splitlines()
    assert first == " 1 FAIL  The program starts and answers uhi"
    assert "exit status 7" in problem
    assert [line.strip() for line in said] == ["> uhi", "! cannot load the book"]
    assert summary == f"0 of {len(STEPS)} steps passed, 1 failed, {len(STEPS) - 1} not tried"


def test_report_for_programs() -> None:
    command = ["compliance", "--json", *broken_engines.command("exit_at_once")]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1
    (outcome,) = json.loads(result.stdout)
    assert outcome["number"] == 1
    assert outcome["name"] == "starts"
    assert "exit status 7" in outcome["problem"]


def test_program_that_does_not_exist() -> None:
    result = CliRunner().invoke(main, ["compliance", "./no-such-engine", "--help"])
    assert result.exit_code == 1
    assert "cannot be run" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell's quotes")
def test_command_in_quotes() -> None:
    command = shlex.join(broken_engines.command("exit_at_once"))
    result = CliRunner().invoke(main, ["compliance", command])
    assert "exit status 7" in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        [],
        [""],
        ["engine 'a"],
        ["--timeout", "0", "x"],
        ["--timeout", "x", "x"],
        ["--odd", "x"],
        ["--profile", "x", "x"],
    ],
)
def test_bad_command_line(words: list[str]) -> None:
    result = CliRunner().invoke(main, ["compliance", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


# -- forms of lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "depth 1 multipv 1 score cp -7 seats 5 -7 nodes 3 nps 4 time 0 pv x",
        "depth 2 seldepth 4 sd 610 wdl 640 10 350 hashfull 1000 pv x y",
        "string anything goes: 1.5",
        "depth 1 currmove x",
    ],
)
def test_good_infos(words: str) -> None:
    check_info(f"info {words}", 2, 2)


@pytest.mark.parametrize(
    "words",
    [
        "depth 1.0",
        "depth",
        "depth 1 depth 2",
        "score 71",
        "score cp 1.5",
        "score cp 5 seats 5 6",
        "seats 1",
        "seats 1 x",
        "wdl 500 500",
        "wdl 500 500 500",
        "hashfull 1001",
        "multipv 0",
        "nodes -1",
    ],
)
def test_bad_infos(words: str) -> None:
    with pytest.raises(Failure):
        check_info(f"info {words}", 2, 2)


def test_ranks() -> None:
    first, second = "info multipv 1 score cp 9 pv a", "info multipv 2 score cp 8 pv b"
    check_ranks([second, first, second], 2, 2)
    for lines in ([first], [second, first], [first, second.replace("8", "10")]):
        with pytest.raises(Failure):
            check_ranks(lines, 2, 2)


@pytest.mark.parametrize(
    "words",
    [
        "name A type spin default 1",
        "name A type spin default 9 min 1 max 8",
        "name A type combo default a",
        "name A type combo default c var a var b",
        "name A type check default maybe",
        "name A type string",
        "type string default x",
    ],
)
def test_bad_options(words: str) -> None:
    with pytest.raises(Failure):
        check_option(f"option {words}")
