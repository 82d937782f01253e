"""Every request in every state in which it can arrive (docs/protocol.md, "States")."""

from collections.abc import Iterator

import pytest

from engine_cli.protocol import bench
from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.output import Output
from engine_cli.protocol.queries import QUERIES
from engine_process import EngineProcess
from harmonies_core.search.searcher import StopFlag
from talk import GRAMMAR, LATE, Talk

OVER = (
    "2A MRWWF/M*LLtT/FM*mRMF/FLFL/WFFW1|3,12,14,26x2 "
    "tLmR3/tR*W*F*F*/ttLW*LL*W*/tR*1LF*/mM1mR2|4x3,11x2,15x1,23,31x3 "
    "WMF,-,WLF,WTL,MTT 2,13,24,28,10 1 9 over"
)
# Each state: how it is reached, and the line that `stop` brings.
NO_WORK = {
    "fresh": (),
    "in a turn": ("newgame seed 4", "position startpos moves g1"),
    "refill due": ("newgame seed 3", "position startpos moves g1,Ma1,La2,Rb1"),
    "over": (f"position hfen {OVER}",),
}
WORK = {
    "searching": ("go infinite", "bestmove "),
    "pondering": ("go ponder movetime 2000000000", "bestmove "),
    "pondering without limits": ("go ponder", "bestmove "),
    "perft": ("perft 9", "error stopped "),
    "bench": ("bench", "error stopped "),
}
STATES = (*NO_WORK, *WORK)

# Requests, and the beginning of the one line that answers them ("" is none, "info" those for
# people alone): in a turn; where that is otherwise, by state, "work" standing for all of WORK.
BUSY = {"work": "error busy "}
NO_TURN = {"refill due": "error nomove ", "over": "error nomove ", **BUSY}
ANY_TIME = {
    "isready": "readyok",
    "help": "info",
    "eval": "response eval ",
    **{f"query {what}": "response " for what in QUERIES if what != "moves"},
    "query nothing": "error syntax ",
    "nonsense": "error unknown ",
    "isready now": "error syntax ",
    "go mate 3": "error syntax ",
    "go nodes 0": "error value ",
    "newgame players 9": "error value ",
    "position nowhere": "error syntax ",
    "moves": "error syntax ",
    "setoption name Nothing value 1": "error option ",
    "setoption name Seed value x": "error value ",
    "perft 0": "error value ",
    "bench 0": "error value ",
    "stop now": "error syntax ",
    "quit now": "error syntax ",
    "\t": "",
}
CASES: dict[str, tuple[str, dict[str, str]]] = {
    **{request: (answer, {}) for request, answer in ANY_TIME.items()},
    "uhi": ("uhiok", {}),
    "ugi": ("ugiok", {}),
    "setoption name Seed value 1": ("", BUSY),
    "newgame players 3": ("", BUSY),
    "uginewgame": ("", BUSY),
    "position startpos": ("", BUSY),
    "position startpos moves g9": ("error illegal ", BUSY),
    "position hfen 2A": ("error position ", BUSY),
    "moves g9": ("error illegal ", {"refill due": "error nodealer", **BUSY}),
    "go nodes 1": ("bestmove ", NO_TURN),
    "go movetime 1": ("bestmove ", NO_TURN),
    "go searchmoves nothing": ("error illegal ", NO_TURN),
    "query moves": ("response moves", BUSY),
    "deal": ("error nochance ", {"refill due": "response deal ", **BUSY}),
    "d": ("info", BUSY),
    "perft 1": ("response perft 1 ", BUSY),
    "bench 5": ("response bench ", BUSY),
    "stop": ("", {"work": "end"}),
    "ponderhit": ("error idle ", {"pondering": "", "pondering without limits": "end"}),
}
CASES["moves g9"] = ("error illegal ", BUSY)


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.close(finish=False)
    assert not talk.session.working


def reach(talk: Talk, state: str) -> None:
    for line in NO_WORK.get(state, ()):
        talk.quiet(line)
    if state == "perft":
        talk.quiet(f"position hfen {LATE}")
    if state in WORK:
        talk.session.request(WORK[state][0].encode())


def wanted(state: str, request: str) -> str:
    usual, others = CASES[request]
    return others.get(state, others.get("work", usual) if state in WORK else usual)


@pytest.fixture
def endless_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this a bench ends when it likes; the state is the same."""

    def wait(nodes: int, algorithm: str, output: Output, stop: StopFlag) -> str:
        if nodes != bench.DEFAULT_NODES:
            return "response bench nodes 1 time 1 nps 1 signature 1"
        while not stop.is_set():
            pass
        raise RequestError("stopped", "bench was stopped")

    monkeypatch.setattr(bench, "bench", wait)


@pytest.mark.parametrize("request_line", CASES)
@pytest.mark.parametrize("state", STATES)
def test_request_in_state(talk: Talk, endless_bench: None, state: str, request_line: str) -> None:
    reach(talk, state)
    before = talk.until("query key", "response key")[-1]
    answer = wanted(state, request_line)
    end = WORK[state][1] if state in WORK else ""
    if answer == "end":
        lines = talk.until(request_line, end)
        answer = end
    elif answer in ("", "info"):
        lines = talk.ask(request_line)
    else:
        lines = talk.until(request_line, answer, "error ")
    assert all(GRAMMAR.fullmatch(line) for line in lines)
    if answer == "info":
        assert any(line.startswith("info string ") for line in lines)
    else:
        said = [line for line in lines if not line.startswith(("info ", "id ", "protocol", "opt"))]
        assert len(said) == bool(answer), said
        assert all(line.startswith(answer) for line in said)
    if answer.startswith("error "):
        assert talk.until("query key", "response key")[-1] == before
    if state in WORK and answer != end:  # it goes on, and ends once
        assert talk.session.working
        assert talk.until("isready", "readyok")[-1] == "readyok"
        last = [line for line in talk.until("stop", end) if not line.startswith("info ")]
        assert len(last) == 1
        talk.quiet("stop")
    talk.quiet("newgame")
    assert talk.best() != ""


def test_isready_is_answered_as_often_as_it_is_asked(talk: Talk) -> None:
    talk.session.request(b"go infinite")
    for _ in range(500):
        talk.session.request(b"isready")
        talk.session.request(b"query turn")
    lines = [line for line in talk.until("stop", "bestmove") if not line.startswith("info ")]
    assert lines[:-1] == ["readyok", "response turn 1 1"] * 500


def test_several_stops_and_hits(talk: Talk) -> None:
    for _ in range(20):
        talk.session.request(b"go ponder")
        for line in (b"stop", b"stop", b"stop"):
            talk.session.request(line)
        talk.session.request(b"newgame")  # waits for the bestmove
        lines = [line for line in talk.news() if not line.startswith("info ")]
        assert [line.split()[0] for line in lines] == ["bestmove"]
        talk.session.request(b"go ponder movetime 2000000000")
        talk.quiet_but_info("ponderhit")
        assert talk.ask_but_info("ponderhit")[0].startswith("error idle ")
        assert sum(x.startswith("bestmove") for x in talk.until("stop", "bestmove")) == 1


@pytest.mark.parametrize("end", ["quit", "end of input"])
@pytest.mark.parametrize("state", STATES)
def test_end_in_state(state: str, end: str) -> None:
    with EngineProcess() as engine:
        for line in NO_WORK.get(state, ()):
            engine.tell(line)
        last = ""
        if state == "perft":
            engine.tell(f"position hfen {LATE}")
        if state in WORK:
            request, last = WORK[state]
            if end == "end of input" and state in ("perft", "bench"):
                # what has an end of its own is waited for
                request = {"perft": "perft 1", "bench": "bench 5"}[state]
                last = f"response {state} "
            engine.tell(request)
        assert engine.ask("isready", "readyok") == "readyok"
        if end == "quit":
            engine.tell("quit")
        _, status = engine.finish()
        assert status == 0
        said = [x for x in engine.lines if not x.startswith("info ") and x != "readyok"]
        if state == "bench" and end == "quit" and said and said[0].startswith("response bench"):
            return  # it was quicker
        assert len(said) == (1 if last else 0)
        assert all(line.startswith(last) for line in said)
