"""What the client adds to an exchange with an engine that answers at once and knows no rules."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine_cli.client import AsyncEngine, Engine, Limit

COMMAND = [sys.executable, str(Path(__file__).parent / "empty_engine.py")]
MOVES = ["g1,Ta1,La1,La2/WWW+3"] * 36  # as long as the list near the end of a game


@pytest.fixture
def pipes() -> Iterator[tuple[int, int]]:
    with subprocess.Popen(COMMAND, stdin=-1, stdout=-1, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin.fileno(), process.stdout.fileno()
        os.write(process.stdin.fileno(), b"quit\n")


def test_bare_pipes(benchmark: BenchmarkFixture, pipes: tuple[int, int]) -> None:
    """The same bytes, written and read without looking at them: the floor."""
    requests = f"position startpos moves {' '.join(MOVES)}\nisready\ngo nodes 1\n".encode()

    def exchange() -> None:
        os.write(pipes[0], requests)
        seen = b""
        while b"bestmove" not in seen:
            seen = os.read(pipes[1], 65536)

    benchmark(exchange)


def test_blocking(benchmark: BenchmarkFixture) -> None:
    """`Engine.play`."""
    with Engine.open(COMMAND) as engine:
        benchmark(engine.play, "startpos", Limit(nodes=1), moves=MOVES)


def test_asyncio(benchmark: BenchmarkFixture) -> None:
    """`AsyncEngine.play`."""
    with asyncio.Runner() as runner:
        engine = runner.run(AsyncEngine.open(COMMAND))

        async def play() -> None:
            for _ in range(100):
                await engine.play("startpos", Limit(nodes=1), moves=MOVES)

        benchmark(lambda: runner.run(play()))  # 100 exchanges a round
        runner.run(engine.close())
