"""examples/minimal_gui.py: a scripted person plays whole games against the engine."""

import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engine_process import engine_environment
from oracle.cards import CARDS
from oracle.results import ranks, suns
from oracle.scoring import board_scores

PROGRAM = Path(__file__).parent.parent / "examples" / "minimal_gui.py"
ENGINE = f"{shlex.quote(sys.executable)} -m engine_cli.engine"


def gui(arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), "--engine", ENGINE, "--movetime", "20"]
    return subprocess.run(
        [*command, *arguments.split()],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=engine_environment(),
        timeout=100,
    )


def numbers(seed: int) -> str:
    """What somebody types who does not look: some of it is no action."""
    rng = random.Random(seed)
    return "".join(f"{rng.randint(1, 12)}\n" for _ in range(5000))


def landscape(text: str) -> tuple[dict[str, str], set[str]]:
    """Stacks of an HFEN landscape, and the cells with a cube."""
    stacks: dict[str, str] = {}
    cubes: set[str] = set()
    for name, column in zip("abcdefg", text.split("/"), strict=False):
        row = 1
        for piece in re.findall("[a-z]*[A-Z][*^]?|[0-9]", column):
            if piece.isdigit():
                row += int(piece)
                continue
            stacks[f"{name}{row}"] = piece.rstrip("*^").upper()
            if piece[-1] in "*^":
                cubes.add(f"{name}{row}")
            row += 1
    return stacks, cubes


@pytest.mark.parametrize(
    "arguments",
    [
        "--players 2 --seed 1",
        "--players 2 --side B --spirits --seat 2 --seed 2",
        "--players 3 --spirits --seat 3 --seed 3",
        "--players 4 --side B --seat 2 --seed 4",
        "--players 1 --seed 5",
        "--players 1 --side B --spirits --seed 6",
        "--players 2 --seat 0 --seed 7",
    ],
)
def test_whole_game(arguments: str) -> None:
    done = gui(arguments, numbers(len(arguments)))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    *_, last = done.stdout.splitlines()
    rules, *fields = last.removeprefix("final position: ").split()
    assert "over" in fields
    players, side, spirits = int(rules[0]), rules[1], "s" in rules
    printed = re.findall(r"(?m)^seat (\d), rank (\d): (.*)$", done.stdout)
    assert len(printed) == players

    scores = []
    for field, (_, _, points) in zip(fields, printed, strict=False):
        board, _, cards = field.partition("|")
        hand = {int(card): int(n or 0) for card, n in re.findall(r"(\d+)(?:x(\d+))?", cards)}
        stacks, cubes = landscape(board)
        scores.append(board_scores(side, stacks, hand, cubes))
        words = points.split()
        shown = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        if players == 1:
            spirit = next((card for card in hand if CARDS[card].kind != "animal"), None)
            assert shown.pop("suns") == suns(shown["total"], side, spirits, spirit)
        assert shown == scores[-1]
    assert [int(rank) for _, rank, _ in printed] == ranks(scores)
    winners = [seat for seat, rank in enumerate(ranks(scores), 1) if rank == 1]
    result = f"p{winners[0]}win" if len(winners) == 1 else "draw"
    assert f"\nresult: {result}\n" in done.stdout


def test_whoever_stops_typing_gives_up() -> None:
    done = gui("--seed 1", "1\n1\n")
    assert done.returncode == 1
    assert done.stderr == "\ngiven up\n"


def test_errors_of_the_engine_end_it_in_one_line() -> None:
    done = gui("--players 7", "")
    assert done.returncode == 1
    assert done.stderr.startswith("query phase: error value players must be from 1 to 4")
    done = gui("--engine no/such/engine", "")
    assert done.returncode == 1
    assert done.stderr.startswith("cannot start the engine: ")


def test_it_is_small_and_stands_alone() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    imported = re.findall(r"(?m)^\s*(?:import|from) (\w+)", text)
    assert set(imported) <= sys.stdlib_module_names
    documented = "players|turn|phase|scores|breakdown|ranks|actions|moves|chance|hfen|key"
    queries = re.findall(r'query\("(\w+)"\)', text)
    assert all(re.fullmatch(documented, what) for what in queries)
