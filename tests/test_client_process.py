"""The client and real processes: nothing hangs, every failure has its type, nobody is left."""

import asyncio
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import broken_engines
import pytest

from engine_cli.client import (
    AnswerTimeout,
    AsyncEngine,
    Bounds,
    Engine,
    EngineClosedPipe,
    EngineCrashed,
    EngineError,
    EngineStartError,
    EngineWarning,
    HandshakeTimeout,
    Limit,
    MalformedAnswer,
    OutputFlood,
    QuitTimeout,
    ReadyTimeout,
    Timeouts,
    WriteTimeout,
    WrongAnswer,
)
from engine_cli.client.command import split_command
from engine_cli.client.pipes import PolledPipes
from engine_cli.client.stderr import StderrLog
from engine_cli.client.threaded import ThreadedPipes
from harmonies_core import Position

PATIENCE = 60.0  # seconds; an engine that answers at all is that fast on any machine
SHORT = 2.0  # seconds; for answers that never come
GOOD = broken_engines.GOOD

#: What becomes of each broken engine when it is told to search with these limits.
FAILS: dict[str, type[EngineError] | None] = {
    "bad_option": None,
    "bestmove_twice": WrongAnswer,
    "blank_lines": None,
    "chatty": None,
    "close_stdout": EngineClosedPipe,
    "crash_on_go": EngineCrashed,
    "deaf_in_search": None,
    "decimal_info": None,
    "endless_line": OutputFlood,
    "exit_at_once": EngineStartError,
    "flood": OutputFlood,
    "flood_info": OutputFlood,
    "forgets_on_error": None,
    "garbage_bestmove": MalformedAnswer,
    "hang_on_go": AnswerTimeout,
    "ignore_quit": QuitTimeout,
    "illegal_turn": None,
    "no_readyok": ReadyTimeout,
    "no_uhiok": HandshakeTimeout,
    "partial_line": AnswerTimeout,
    "segfault_on_go": EngineCrashed,
    "silent_errors": None,
    "stall_on_go": AnswerTimeout,
    "stop_never": None,
    "stop_twice": None,
    "wrong_response": WrongAnswer,
}

WAITS = (AnswerTimeout, HandshakeTimeout, QuitTimeout, ReadyTimeout)


def _timeouts(name: str) -> Timeouts:
    seconds = SHORT if FAILS[name] in WAITS else PATIENCE
    return Timeouts(PATIENCE, seconds, seconds, seconds, seconds, seconds)


BOUNDS = Bounds(line=2**20, lines=50_000, unexpected=1000)


def _blocking(name: str, after: int) -> EngineError | None:
    try:
        engine = Engine.open(
            broken_engines.command(name, after), timeouts=_timeouts(name), bounds=BOUNDS
        )
        try:
            for limit in (Limit(nodes=1), Limit(depth=1), Limit(movetime=5)):
                engine.play("startpos", limit)
            assert engine.query("phase") == "turn"
            engine.quit()
        finally:
            engine.kill()
    except EngineError as error:
        return error
    return None


def _asyncio(name: str, after: int) -> EngineError | None:
    async def main() -> None:
        engine = await AsyncEngine.open(
            broken_engines.command(name, after), timeouts=_timeouts(name), bounds=BOUNDS
        )
        try:
            for limit in (Limit(nodes=1), Limit(depth=1), Limit(movetime=5)):
                await engine.play("startpos", limit)
            assert await engine.query("phase") == "turn"
            await engine.quit()
        finally:
            await engine.kill()

    try:
        asyncio.run(main())
    except EngineError as error:
        return error
    return None


KINDS = {"blocking": _blocking, "asyncio": _asyncio}


@pytest.fixture(scope="module")
def failures() -> Iterator[dict[tuple[str, str], Future[EngineError | None]]]:
    """All engines with both clients, side by side since most of them wait."""
    with warnings.catch_warnings(), ThreadPoolExecutor(12) as pool:
        warnings.simplefilter("ignore", EngineWarning)
        runs = {
            (kind, name): pool.submit(run, name, 0) for kind, run in KINDS.items() for name in FAILS
        }
        for future in runs.values():
            future.exception()
        yield runs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FAILS)
def test_broken_engine(
    kind: str, name: str, failures: dict[tuple[str, str], Future[EngineError | None]]
) -> None:
    found = failures[kind, name].result()
    expected = FAILS[name]
    assert type(found) is (expected or type(None)), found
    if found is not None:
        assert found.engine
        assert found.last
    if isinstance(found, EngineCrashed):
        assert found.status == {"crash_on_go": 3, "segfault_on_go": -11, "exit_at_once": 7}[name]
        if name == "exit_at_once":
            assert "! cannot load the book" in found.last


def test_every_broken_engine_is_listed() -> None:
    assert sorted(FAILS) == broken_engines.NAMES


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_nobody_is_left(failures: dict[tuple[str, str], Future[EngineError | None]]) -> None:
    for run in failures.values():
        run.exception()
    deadline = time.monotonic() + PATIENCE
    while broken_engines.children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert broken_engines.children() == set()


def test_broken_engines_go_well_before_they_fail() -> None:
    with Engine.open(broken_engines.command("crash_on_go", after=3)) as engine:
        for _ in range(3):
            assert engine.play("startpos", Limit(nodes=1)).turn.startswith("g")
        with pytest.raises(EngineCrashed):
            engine.play("startpos", Limit(nodes=1))


# -- our engine ---------------------------------------------------------------------------------


def test_our_engine() -> None:
    with Engine.open(GOOD) as engine:
        assert engine.name.startswith("Kingfisher")
        engine.configure(MultiPV=3, Seed=5)
        engine.new_game(2, seed=3)
        assert engine.query("hfen") == (
            "2A 5/4/5/4/5|- 5/4/5/4/5|- MLR,MMF,RRR,WMR,TFR 17,20,16,8,23 1 1 -"
        )
        result = engine.play("startpos", Limit(nodes=500))
        assert [info.multipv for info in result.lines] == [1, 2, 3][: len(result.lines)] != []
        engine.position("startpos", [result.turn])
        moves = [f"{result.turn}/{engine.deal()}"]
        with engine.analysis("startpos", multipv=2, moves=moves) as analysis:
            engine.ping()
            analysis.stop()
        assert analysis.done
        assert engine.play(Position.start(seed=3), Limit(nodes=500)).turn == result.turn
        with engine.analysis("startpos", Limit(movetime=5), ponder=True) as analysis:
            analysis.ponderhit()
            assert analysis.wait().turn


def test_our_engine_in_an_event_loop() -> None:
    async def main() -> None:
        async with (
            await AsyncEngine.open(GOOD) as one,
            await AsyncEngine.open(GOOD) as two,
        ):
            results = await asyncio.gather(
                *(engine.play("startpos", Limit(nodes=500)) for engine in (one, two))
            )
            assert results[0].turn == results[1].turn
            async with await one.analysis("startpos") as analysis:
                assert await one.query("turn") == "1 1"
                await analysis.stop()

    asyncio.run(main())


def test_stop_from_another_thread() -> None:
    with Engine.open(GOOD) as engine:
        analysis = engine.analysis("startpos")
        threading.Timer(0.05, analysis.stop).start()
        assert all(info.depth for info in analysis)
        assert analysis.wait().turn


# -- the process --------------------------------------------------------------------------------


def _script(body: str) -> list[str]:
    """An engine of a few lines; `say` prints and flushes."""
    head = "import os, sys, threading\ndef say(text): print(text, flush=True)\n"
    return [sys.executable, "-c", head + body]


SMALL = """
for line in sys.stdin:
    verb = line.split()[0]
    if verb == "uhi": say("id name Small\\nuhiok")
    elif verb == "isready": say("readyok")
    elif verb == "quit": break
    else: other(line)
"""


def _play_once(kind: str, command: list[str], **options: Any) -> None:
    async def in_loop() -> None:
        async with await AsyncEngine.open(command, **options) as engine:
            await engine.play("startpos", Limit(nodes=1))

    if kind == "asyncio":
        asyncio.run(in_loop())
    else:
        with Engine.open(command, **options) as engine:
            engine.play("startpos", Limit(nodes=1))


def test_environment_and_folder(tmp_path: Path) -> None:
    body = """
def other(line):
    if line.startswith("query"): say("response where " + os.getcwd() + " " + os.environ["COLOUR"])
"""
    env = {**os.environ, "COLOUR": "green"}
    with Engine.open(_script(body + SMALL), cwd=tmp_path, env=env) as engine:
        assert engine.query("where") == f"{tmp_path.resolve()} green"


@pytest.mark.parametrize("kind", KINDS)
def test_stderr_is_kept(kind: str, tmp_path: Path) -> None:
    body = """
def other(line):
    sys.stderr.write("x" * 300000 + "\\nout of luck\\n"); sys.stderr.flush(); os._exit(4)
"""
    path = tmp_path / "errors.txt"
    command = _script(body + SMALL)

    with pytest.raises(EngineCrashed) as caught:
        _play_once(kind, command, stderr=path)
    assert caught.value.status == 4
    assert caught.value.last[-1] == "! out of luck"
    assert path.read_bytes() == b"x" * 300000 + b"\nout of luck\n"


def test_stderr_memory_is_bounded() -> None:
    log = StderrLog()
    for number in range(1000):
        log.feed(b"%d " % number + b"y" * 5000 + b"\n")
    log.feed(b"z" * 10_000_000)
    assert len(log.text) < 1_000_000
    assert log.text.splitlines()[-2].startswith("999 ")


@pytest.mark.parametrize("kind", KINDS)
def test_talking_does_not_buy_time(kind: str) -> None:
    timeouts = Timeouts(ready=PATIENCE, search=SHORT, quit=SHORT)
    with pytest.raises((AnswerTimeout, ReadyTimeout)):
        _play_once(
            kind,
            broken_engines.command("flood_info"),
            timeouts=timeouts,
            bounds=Bounds(lines=10**12),
        )


@pytest.mark.skipif(os.name == "nt", reason="there a request waits in a thread")
def test_engine_that_does_not_read() -> None:
    body = "input(); say('uhiok'); input(); say('readyok'); threading.Event().wait()\n"
    timeouts = Timeouts(answer=SHORT, quit=SHORT)
    with Engine.open(_script(body), timeouts=timeouts) as engine:
        moves = ["g1,Wa1,Wa2,Wa3"] * 500_000
        with pytest.raises(WriteTimeout):
            engine.position("startpos", moves)


def test_long_lines_both_ways() -> None:
    """Neither side waits for the other although all pipes are full."""
    body = "def other(line): say('response echo ' + line.split(' ', 1)[1].strip())\n"
    words = "word" * 500_000
    with Engine.open(_script(body + SMALL)) as engine:
        for _ in range(3):
            assert engine.query("echo " + words) == "echo " + words


@pytest.mark.skipif(os.name == "nt", reason="needs fork")
@pytest.mark.parametrize("kind", KINDS)
def test_death_is_seen_though_a_child_holds_the_pipe(kind: str) -> None:
    body = """
def other(line):
    if os.fork(): os._exit(9)
    threading.Event().wait()
"""
    command = _script(body + SMALL)

    with pytest.raises(EngineCrashed) as caught:
        _play_once(kind, command)
    assert caught.value.status == 9


@pytest.mark.parametrize("command", ["./no-such-engine --fast", ["./no-such-engine"]])
def test_program_that_does_not_exist(command: str | list[str]) -> None:
    with pytest.raises(EngineStartError, match=r"no-such-engine.*cannot be run") as caught:
        Engine.open(command)
    assert caught.value.status is None
    with pytest.raises(EngineStartError, match="cannot be run"):
        asyncio.run(AsyncEngine.open(command))


def test_commands() -> None:
    assert split_command("engine 'a b' c") == ["engine", "a b", "c"]
    assert split_command(Path("engine")) == ["engine"]
    assert split_command(["engine", Path("x")]) == ["engine", "x"]
    for empty in ("", []):
        with pytest.raises(ValueError, match="word"):
            split_command(empty)


def test_engine_that_is_dropped_is_ended() -> None:
    engine = Engine.open(GOOD)
    process = engine._transport._process  # type: ignore[attr-defined]
    del engine
    assert process.poll() is not None


def test_threads_serve_where_polling_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipes of systems without `poll`, with an engine that works and with broken ones."""
    monkeypatch.setattr("engine_cli.client.process.open_pipes", ThreadedPipes)
    assert not issubclass(ThreadedPipes, PolledPipes)
    names = ("silent_errors", "crash_on_go", "stall_on_go", "close_stdout", "exit_at_once", "flood")
    with warnings.catch_warnings(), ThreadPoolExecutor() as pool:
        warnings.simplefilter("ignore", EngineWarning)
        found = list(pool.map(_blocking, names, [0] * len(names)))
    assert [type(error) for error in found] == [FAILS[name] or type(None) for name in names]
