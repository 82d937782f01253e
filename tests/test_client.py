"""The client without a process: scripted engines, blocking and asyncio alike."""

import asyncio
import inspect
from collections.abc import Iterable
from typing import Any

import pytest

from engine_cli.client import (
    Analysis,
    AnswerTimeout,
    AsyncAnalysis,
    AsyncEngine,
    Bounds,
    Engine,
    EngineClosedPipe,
    EngineCrashed,
    EngineError,
    EngineRefused,
    EngineStartError,
    EngineStateError,
    EngineWarning,
    HandshakeTimeout,
    Info,
    Limit,
    MalformedAnswer,
    OutputFlood,
    PlayResult,
    QuitTimeout,
    ReadyTimeout,
    StartTimeout,
    WrongAnswer,
)
from engine_cli.client.option import Option
from engine_cli.client.scripted import GREETING, AsyncScriptedTransport, ScriptedTransport

READY = ("isready", "readyok\n")
START = (("position startpos", ""), READY)
Script = Iterable[tuple[str, str | bytes | None]]


class Talk:
    """The same calls to either client."""

    def __init__(self, kind: str, script: Script, **options: Any) -> None:
        status, stderr = options.pop("status", 0), options.pop("stderr", ())
        self.transport = ScriptedTransport(script, status=status, stderr=stderr)
        self._loop = asyncio.new_event_loop() if kind == "asyncio" else None
        try:
            if self._loop is None:
                self.engine: Any = Engine(self.transport, **options)
            else:
                connection = AsyncScriptedTransport(self.transport)
                self.engine = self._loop.run_until_complete(
                    AsyncEngine.connect(connection, **options)
                )
        except BaseException:
            self.end()
            raise

    def do(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a method and wait for what it returns."""
        return self.wait_for(getattr(self.engine, method)(*args, **options))

    def wait_for(self, value: Any) -> Any:
        if self._loop is not None and inspect.isawaitable(value):
            return self._loop.run_until_complete(value)
        return value

    def infos(self, analysis: Any, stop_after: int) -> list[Info]:
        """What an analysis says; it is stopped after so many."""
        if self._loop is None:
            found = []
            for info in analysis:
                found.append(info)
                if len(found) == stop_after:
                    analysis.stop()
            return found

        async def collect() -> list[Info]:
            found = []
            async for info in analysis:
                found.append(info)
                if len(found) == stop_after:
                    await analysis.stop()
            return found

        return self._loop.run_until_complete(collect())

    def end(self) -> None:
        if self._loop is not None:
            self._loop.close()


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Any:
    talks: list[Talk] = []

    def make(*script: tuple[str, str | bytes | None], **options: Any) -> Talk:
        talks.append(Talk(request.param, (*GREETING, *script), **options))
        return talks[-1]

    make.kind = request.param  # type: ignore[attr-defined]
    yield make
    for talk in talks:
        talk.do("close")
        talk.transport.finish()
        assert talk.transport.killed
        talk.end()


# -- calls and what they send -------------------------------------------------------------------


def test_greeting() -> None:
    greeting = (
        "id name Test Engine 2\nid author Ada\nprotocol 1\n"
        "option name Hash Size type spin default 16 min 1 max 64\n"
        "option name Book type string default <empty>\nuhiok\n"
    )
    with Engine(ScriptedTransport([("uhi", greeting), READY])) as engine:
        assert engine.name == "Test Engine 2"
        assert engine.identity == {"name": "Test Engine 2", "author": "Ada"}
        assert engine.options == {
            "hash size": Option("Hash Size", "spin", "16", 1, 64),
            "book": Option("Book", "string", ""),
        }


def test_configure() -> None:
    options = (
        "option name Hash type spin default 16 min 1 max 64\n"
        "option name Ponder type check default false\n"
        "option name Style type combo default calm var calm var wild\n"
        "option name Book type string default <empty>\n"
    )
    script = [
        ("uhi", f"id name x\n{options}uhiok\n"),
        READY,
        ("setoption name Hash value 32", ""),
        ("setoption name Ponder value true", ""),
        ("setoption name Style value wild", ""),
        ("setoption name Book value <empty>", ""),
        READY,
        ("setoption name Hash value 64", "error busy not now\n"),
        READY,
    ]
    transport = ScriptedTransport(script)
    with Engine(transport) as engine:
        engine.configure(hash=32, Ponder=True, Style="wild", Book="")
        for values in ({"Hash": 65}, {"Hash": "x"}, {"Ponder": 3}, {"Style": "odd"}, {"Sise": 1}):
            with pytest.raises(ValueError, match="option"):
                engine.configure(**values)
        with pytest.raises(EngineRefused) as caught:
            engine.configure(Hash=64)
        assert (caught.value.code, caught.value.text) == ("busy", "not now")
        assert caught.value.command == "setoption name Hash value 64"
    transport.finish()


def test_new_game_and_questions(connect: Any) -> None:
    talk = connect(
        ("newgame players 3 side B spirits on packs base+pulse seed 7", ""),
        READY,
        ("newgame solo", ""),
        READY,
        ("position hfen 2A x moves g1 g2", ""),
        READY,
        ("query gameover", "response false\n"),
        ("query turn", "response turn 2 1\n"),
        ("query moves", "response moves\n"),
        ("deal", "response deal WMT+21\n"),
        ("deal", "error nochance no refill is due\n"),
        ("query result", "response p1win\n"),
    )
    talk.do("new_game", 3, "B", spirits=True, packs=("base", "pulse"), seed=7)
    talk.do("new_game", 1)
    talk.do("position", "2A x", ["g1", "g2"])
    assert talk.do("query", "gameover") == "false"
    assert talk.do("query", "turn") == "2 1"
    assert talk.do("query", "moves") == ""
    assert talk.do("deal") == "WMT+21"
    with pytest.raises(EngineRefused, match="nochance"):
        talk.do("deal")
    assert talk.do("query", "result") == "p1win"


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit(nodes=5), "nodes 5"),
        (Limit(depth=2, movetime=100), "depth 2 movetime 100"),
        (Limit(clock=60000, increment=500, togo=3), "clock 60000 500 togo 3"),
    ],
)
def test_play(connect: Any, limit: Limit, words: str) -> None:
    answer = (
        "info depth 1 multipv 2 score cp -50 pv b\n"
        "info depth 1 multipv 1 score cp 12 pv c\n"
        "info depth 2 seldepth 3 multipv 1 score cp 7431 seats 7431 -20 sd 610 wdl 640 10 350 "
        "nodes 40 nps 900 time 12 hashfull 5 pv a/WMT b\n"
        "info string hello\nbestmove a\n"
    )
    talk = connect(*START, (f"go {words}", answer))
    result: PlayResult = talk.do("play", "startpos", limit)
    assert result.turn == "a"
    assert result.elapsed >= 0
    best = Info(
        multipv=1,
        depth=2,
        seldepth=3,
        score=74.31,
        seats=(74.31, -0.2),
        sd=6.1,
        wdl=(640, 10, 350),
        nodes=40,
        nps=900,
        time=12,
        hashfull=5,
        pv=("a/WMT", "b"),
    )
    assert result.info == best
    assert result.lines == (best, Info(multipv=2, depth=1, score=-0.5, pv=("b",)))


def test_analyse(connect: Any) -> None:
    talk = connect(
        ("position startpos moves a b", ""),
        READY,
        ("go nodes 9 multipv 2 searchmoves c d", "info multipv 1 pv c\nbestmove c\n"),
        READY,
        ("go nodes 1 multipv 1", "bestmove c\n"),
    )
    lines = talk.do(
        "analyse", "startpos", Limit(nodes=9), 2, moves=["a", "b"], searchmoves=["c", "d"]
    )
    assert lines == (Info(pv=("c",)),)
    assert talk.do("analyse", None, Limit(nodes=1)) == ()


def test_positions_that_know_their_text(connect: Any) -> None:
    class Board:
        def hfen(self) -> str:
            return "2A text"

    talk = connect(("position hfen 2A text", ""), READY)
    talk.do("position", Board())


def test_analysis(connect: Any) -> None:
    talk = connect(
        *START,
        ("go infinite multipv 2", "info depth 1 pv a\n"),
        READY,
        ("query turn", "info depth 2 pv b\nresponse turn 1 1\n"),
        ("stop", "info depth 3 pv b\nbestmove b\n"),
        READY,
    )
    analysis = talk.do("analysis", "startpos", multipv=2)
    assert talk.do("query", "turn") == "1 1"
    infos = talk.infos(analysis, stop_after=2)
    assert [info.depth for info in infos] == [1, 2, 3]
    assert analysis.done
    assert talk.wait_for(analysis.wait()).turn == "b"
    talk.do("ping")


def test_analysis_that_ends_by_itself(connect: Any) -> None:
    talk = connect(*START, ("go nodes 3", "info depth 1 pv a\nbestmove a\n"), READY)
    analysis = talk.do("analysis", "startpos", Limit(nodes=3))
    assert len(talk.infos(analysis, stop_after=9)) == 1


def test_pondering(connect: Any) -> None:
    talk = connect(
        *START,
        ("go ponder clock 1000 0", ""),
        READY,
        ("ponderhit", "info depth 1 pv a\n"),
        ("isready", "bestmove a\nreadyok\n"),
        *START,
        ("go ponder", ""),
        READY,
        ("stop", "bestmove b\n"),
    )
    analysis = talk.do("analysis", "startpos", Limit(clock=1000), ponder=True)
    talk.wait_for(analysis.ponderhit())
    assert talk.wait_for(analysis.wait()).turn == "a"
    analysis = talk.do("analysis", "startpos", ponder=True)
    talk.wait_for(analysis.stop())
    assert talk.wait_for(analysis.wait()).turn == "b"


def test_both_clients_have_the_same_calls() -> None:
    for one, other in ((Engine, AsyncEngine), (Analysis, AsyncAnalysis)):
        for name, call in vars(one).items():
            if callable(call) and not name.startswith("_"):
                parameters = inspect.signature(call).parameters
                assert inspect.signature(getattr(other, name)).parameters == parameters, name


# -- what is refused ----------------------------------------------------------------------------


def test_refused_position_stops_the_search(connect: Any) -> None:
    """The engine goes on to search its old position; that answer must not be taken."""
    talk = connect(
        ("position startpos moves x", "error illegal no x\n"),
        READY,
        ("go nodes 5", "info depth 1 pv old\n"),
        ("stop", "bestmove old\n"),
        *START,
        ("go nodes 5", "bestmove new\n"),
    )
    with pytest.raises(EngineRefused) as caught:
        talk.do("play", "startpos", Limit(nodes=5), moves=["x"])
    assert (caught.value.code, caught.value.text) == ("illegal", "no x")
    assert caught.value.command == "position startpos moves x"
    assert talk.do("play", "startpos", Limit(nodes=5)).turn == "new"


def test_refused_search(connect: Any) -> None:
    talk = connect(
        *START,
        ("go nodes 5", "error nomove the game is over\n"),
        *START,
        ("go infinite", "error nomove the game is over\n"),
        READY,
    )
    with pytest.raises(EngineRefused, match="nomove"):
        talk.do("play", "startpos", Limit(nodes=5))
    with pytest.raises(EngineRefused, match="nomove"):
        talk.do("analysis", "startpos")


def test_refused_position_and_search(connect: Any) -> None:
    talk = connect(
        ("position startpos moves x", "error illegal no x\n"),
        READY,
        ("go nodes 5", "error nomove the game is over\n"),
        ("stop", ""),
        READY,
    )
    with pytest.raises(EngineRefused, match="illegal"):
        talk.do("play", "startpos", Limit(nodes=5), moves=["x"])
    talk.do("ping")


# -- what goes wrong ----------------------------------------------------------------------------

GO = ("go nodes 1", "")


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ([("uhi", "")], StartTimeout),
        ([("uhi", "id name x\n")], HandshakeTimeout),
        ([("uhi", "uhiok\n"), ("isready", "")], ReadyTimeout),
        ([("uhi", None)], EngineStartError),
        ([("uhi", "uhiok\n"), ("isready", None)], EngineCrashed),
        ([("uhi", "error unknown uhi\n")], EngineRefused),
    ],
)
def test_start_that_fails(script: Script, error: type[EngineError]) -> None:
    for kind in ("blocking", "asyncio"):
        with pytest.raises(error) as caught:
            Talk(kind, script, status=7, name="odd")
        assert type(caught.value) is error
        assert "odd" in str(caught.value)
        if isinstance(caught.value, EngineCrashed):
            assert caught.value.status == 7
            assert "exit status 7" in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("", AnswerTimeout),
        ("bestmove a", AnswerTimeout),
        ("bestmove\n", MalformedAnswer),
        ("bestmove a b\n", MalformedAnswer),
        ("readyok\n", WrongAnswer),
        ("response turn 1 1\n", WrongAnswer),
        ("uhiok\n", WrongAnswer),
        (None, EngineCrashed),
    ],
)
def test_search_that_fails(connect: Any, answer: str | None, error: type[EngineError]) -> None:
    talk = connect(*START, ("go nodes 1", answer), status=-11, stderr=["out of luck"])
    with pytest.raises(error) as caught:
        talk.do("play", "startpos", Limit(nodes=1))
    failure = caught.value
    assert type(failure) is error
    assert failure.engine == "Test"
    assert failure.command == "go nodes 1"
    assert "> go nodes 1" in failure.last
    assert talk.transport.killed
    if isinstance(failure, EngineCrashed):
        assert failure.status == -11
        assert "SIGSEGV" in str(failure)
        assert "! out of luck" in failure.last
    # It is said again, and nothing is sent any more.
    with pytest.raises(error):
        talk.do("ping")


def test_closed_pipe(connect: Any) -> None:
    talk = connect(*START, ("go nodes 1", None), status=None)
    with pytest.raises(EngineClosedPipe):
        talk.do("play", "startpos", Limit(nodes=1))


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("", AnswerTimeout),
        ("response turn 1 1\n", WrongAnswer),
        ("response gameover true\n", MalformedAnswer),
        ("response maybe\n", WrongAnswer),
        ("response true false\n", MalformedAnswer),
        ("bestmove a\n", WrongAnswer),
    ],
)
def test_query_that_fails(connect: Any, answer: str, error: type[EngineError]) -> None:
    talk = connect(("query gameover", answer))
    with pytest.raises(error) as caught:
        talk.do("query", "gameover")
    assert type(caught.value) is error


@pytest.mark.parametrize("late", ["", "info depth 1\n"])
def test_second_bestmove(connect: Any, late: str) -> None:
    """Whether it was there before the next request or comes after it."""
    talk = connect(*START, ("go nodes 1", f"bestmove a\n{late}bestmove a\n"))
    with pytest.raises(WrongAnswer):
        talk.do("play", "startpos", Limit(nodes=1))
    talk = connect(
        *START,
        ("go nodes 1", "bestmove a\n"),
        ("position startpos", "bestmove a\n"),
        READY,
        GO,
    )
    talk.do("play", "startpos", Limit(nodes=1))
    with pytest.raises(WrongAnswer):
        talk.do("play", "startpos", Limit(nodes=1))


def test_unexpected_lines_are_warnings(connect: Any) -> None:
    talk = connect(
        *START,
        ("go nodes 1", b"DEBUG \xff\xfe\n\n info x\ninfo depth many\nbestmove a\r\n"),
    )
    with pytest.warns(EngineWarning) as caught:
        assert talk.do("play", "startpos", Limit(nodes=1)).turn == "a"
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 4
    assert r"DEBUG \\xff\\xfe" in texts[0]
    assert "depth many" in texts[3]


def test_warnings_are_bounded(connect: Any) -> None:
    talk = connect(*START, ("go nodes 1", "junk\n" * 5000 + "bestmove a\n"))
    with pytest.warns(EngineWarning) as caught:
        talk.do("play", "startpos", Limit(nodes=1))
    assert len(caught) < 30


@pytest.mark.filterwarnings("ignore::engine_cli.client.EngineWarning")
@pytest.mark.parametrize(
    "output", ["junk\n" * 200, "info depth 1\n" * 2000, "x" * 1_000_000, "\n" * 200]
)
def test_flood(connect: Any, output: str) -> None:
    bounds = Bounds(line=1000, lines=1000, unexpected=100)
    talk = connect(*START, ("go nodes 1", output), bounds=bounds)
    with pytest.raises(OutputFlood):
        talk.do("play", "startpos", Limit(nodes=1))


def test_endless_analysis_may_say_much(connect: Any) -> None:
    infos = "info depth 1\n" * 300
    talk = connect(
        *START, ("go infinite", infos), READY, ("stop", "bestmove a\n"), bounds=Bounds(lines=100)
    )
    analysis = talk.do("analysis", "startpos")
    assert len(talk.infos(analysis, stop_after=250)) == 300


def test_engine_that_stays_after_quit(connect: Any) -> None:
    talk = connect(("quit", ""))
    with pytest.raises(QuitTimeout, match="quit"):
        talk.do("quit")
    talk = connect(("quit", ""))
    with pytest.warns(EngineWarning, match="quit"):
        talk.do("close")


def test_bad_end_is_a_warning(connect: Any) -> None:
    talk = connect(status=3)
    with pytest.warns(EngineWarning, match="exit status 3"):
        talk.do("quit")


def test_misuse(connect: Any) -> None:
    talk = connect(*START, ("go infinite", ""), READY, ("stop", "bestmove a\n"))
    with pytest.raises(ValueError, match="limit"):
        talk.do("play", "startpos", Limit())
    for text in ("2A x\nquit", "2A x\rquit"):
        with pytest.raises(ValueError, match="one line"):
            talk.do("position", text)
    analysis = talk.do("analysis", "startpos")
    with pytest.raises(EngineStateError, match="go infinite"):
        talk.do("play", "startpos", Limit(nodes=1))
    talk.wait_for(analysis.stop())
    talk.wait_for(analysis.wait())
    talk.do("quit")
    with pytest.raises(EngineStateError, match="closed"):
        talk.do("ping")


def test_trace(connect: Any) -> None:
    seen: list[tuple[str, str]] = []
    talk = connect(
        ("query turn", "response turn 1 1\n"), trace=lambda way, line: seen.append((way, line))
    )
    talk.do("query", "turn")
    assert seen[:2] == [(">", "uhi"), ("<", "id name Test")]
    assert seen[-2:] == [(">", "query turn"), ("<", "response turn 1 1")]


# -- interrupted calls --------------------------------------------------------------------------


def test_interrupt_leaves_a_usable_engine() -> None:
    """Ctrl-C while waiting: the next call ends the old search first."""

    class Interrupted(ScriptedTransport):
        armed = False

        def receive(self, timeout: float | None) -> bytes | None:
            data = super().receive(timeout)
            if data is None and timeout and self.armed:
                self.armed = False
                raise KeyboardInterrupt
            return data

    transport = Interrupted(
        [*GREETING, *START, GO, ("stop", "bestmove old\n"), *START, ("go nodes 2", "bestmove b\n")]
    )
    with Engine(transport) as engine:
        transport.armed = True
        with pytest.raises(KeyboardInterrupt):
            engine.play("startpos", Limit(nodes=1))
        assert engine.play("startpos", Limit(nodes=2)).turn == "b"
    transport.finish()


class _Slow(AsyncScriptedTransport):
    """Waits where the script has nothing to say until something is sent."""

    def __init__(self, script: ScriptedTransport) -> None:
        super().__init__(script)
        self._sent = asyncio.Event()

    async def send(self, data: bytes, timeout: float | None) -> bool:
        self._sent.set()
        return await super().send(data, timeout)

    async def receive(self, timeout: float | None) -> bytes | None:
        data = await super().receive(0)
        while data is None and timeout != 0:
            self._sent.clear()
            await self._sent.wait()
            data = await super().receive(0)
        return data


def test_cancelled_search() -> None:
    async def main() -> None:
        script = ScriptedTransport(
            [
                *GREETING,
                *START,
                GO,
                ("stop", "bestmove old\n"),
                *START,
                ("go nodes 2", "bestmove b\n"),
            ]
        )
        async with await AsyncEngine.connect(_Slow(script)) as engine:
            task = asyncio.create_task(engine.play("startpos", Limit(nodes=1)))
            while not engine._driver.talk.search:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await engine.play("startpos", Limit(nodes=2))).turn == "b"
        script.finish()

    asyncio.run(main())


def test_tasks_that_ask_at_the_same_time() -> None:
    async def main() -> None:
        script = ScriptedTransport(
            [
                *GREETING,
                *START,
                ("go infinite", ""),
                READY,
                ("query turn", "response turn 1 1\n"),
                ("query phase", "info depth 4 pv a\nresponse phase turn\n"),
                ("stop", "bestmove a\n"),
            ]
        )
        async with await AsyncEngine.connect(_Slow(script)) as engine:
            analysis = await engine.analysis("startpos")
            watching = asyncio.create_task(anext(aiter(analysis)))
            answers = await asyncio.gather(engine.query("turn"), engine.query("phase"))
            assert answers == ["1 1", "turn"]
            assert (await watching).depth == 4
            await analysis.stop()
            assert (await analysis.wait()).turn == "a"
        script.finish()

    asyncio.run(main())
