"""One input of a fuzzer, run in this process: a session and a JSON analysis."""

import json
import re
import threading
from typing import Any

from engine_cli.jsonmode.server import Server
from engine_cli.protocol.output import Output
from engine_cli.protocol.session import Session
from session_model import LAST, Finding, Model, need

__all__ = ["run_json", "run_session", "wanted"]

MOST_LINES = 60

# What writes files, ends the session, or takes long for reasons that are not interesting here.
_LEFT_OUT = re.compile(rb"(?is)\s*(quit|perft|bench)\b|.*logfile|\s*query\s+moves\b")


def wanted(line: bytes) -> bool:
    """Whether a line is sent; lines that go far beyond the limits of the reader are not."""
    return not _LEFT_OUT.match(line)


class Sink:
    """Keeps what is written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._data = bytearray()

    def write(self, data: bytes) -> None:
        with self._lock:
            self._data += data

    def flush(self) -> None:
        pass

    def take(self) -> list[str]:
        """The lines since the last time."""
        with self._lock:
            data, self._data = bytes(self._data), bytearray()
        need(not data or data.endswith(b"\n"), f"half a line: {data[-80:]!r}")
        return data.decode().split("\n")[:-1]


def run_session(data: bytes) -> None:
    """Send the lines of some data to a new session; raises `Finding`."""
    sink = Sink()
    session = Session(Output(sink))
    model = Model()
    for line in data.split(b"\n")[:MOST_LINES]:
        if wanted(line):
            session.request(line)
            model.check(line, sink.take())
    session.request(b"stop")
    session.close(finish=True)
    ends = [answer for answer in sink.take() if not answer.startswith("info ")]
    need(all(answer.startswith(LAST) for answer in ends), f"stray lines: {ends}")
    model.end(ends)
    need(not model.pending, "a search without its bestmove")
    session.request(b"isready")
    model.check(b"isready", sink.take())


def run_json(data: bytes) -> None:
    """Send the lines of some data to a new analysis; raises `Finding`."""
    sink = Sink()
    server = Server(Output(sink), 1)
    lines = data.split(b"\n")[:MOST_LINES]
    for line in lines:
        server.request(line)
    server.request(b'{"id":"end","action":"terminate_all"}')
    server.close(finish=True)
    answers = [json.loads(line) for line in sink.take()]
    finals = sum(_is_final(answer) for answer in answers)
    sent = 1 + sum(bool(line.strip()) for line in lines)
    # a query of no turns has no answers
    empty = sum(b"analyzeTurns" in line or b"\\u" in line for line in lines)
    need(finals + empty >= sent, f"{finals} final answers to {sent} lines")


def _is_final(answer: Any) -> bool:
    """Whether an answer is the last one to something; anything odd is a finding."""
    if not isinstance(answer, dict):
        raise Finding(f"no object: {answer!r}")
    need(not str(answer.get("error", "")).startswith("internal"), str(answer))
    if "warning" in answer:
        return False
    if "error" in answer or "action" in answer:
        return True
    need(isinstance(answer.get("turnNumber"), int), f"no turn: {answer}")
    need(("moveInfos" in answer) != ("noResults" in answer), f"results or none: {answer}")
    return not answer["isDuringSearch"]
