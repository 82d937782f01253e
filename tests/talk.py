"""A session and a scripted client of it, in one process."""

import re
import threading
from collections.abc import Callable

from engine_cli.protocol.failure import CODES
from engine_cli.protocol.output import Output
from engine_cli.protocol.session import Session

PATIENCE = 20.0  # seconds; only a hang is that slow

# Four turns before the end: few turns, so that counting them can soon be stopped.
LATE = (
    "2A tLmMmRF*R/W*LL*F*/WW*LL*W*/ttLF*F*mR/5|4x3,15x2,31x4 "
    "tR*M*M*M*F/ttLFM*F/mR*tR*FM*1/W2ttL/W1F2|11x3,23x2,26x3 "
    "WMT,WLF,WTL,WMF,WLF 12,14,3,13,24 1 9 -"
)
GRAMMAR = re.compile(
    r"id (name|author) \S.*|protocol 1|option name \S+ type (spin|check|combo|string) default \S.*"
    r"|uhiok|ugiok|readyok"
    r"|info (string .*\S|depth \d+ seldepth \d+ multipv \d+ score cp -?\d+ seats( -?\d+)+ sd \d+"
    r" wdl \d+ \d+ \d+ nodes \d+( nps \d+)? time \d+ pv \S+( \S+)*)"
    r"|bestmove \S+"
    r"|response (true|false|none|draw|p[1-4]win|[a-z]+( \S+)*)"
    rf"|error ({'|'.join(sorted(CODES))}) \S.*"
)


def found(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that has to be there."""
    match = re.search(pattern, text)
    assert match is not None, text
    return match.groups()


class Transport:
    """What a session writes to; another thread can wait for it."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._changed = threading.Condition()

    def write(self, data: bytes) -> None:
        with self._changed:
            self._text += data
            self._changed.notify_all()

    def flush(self) -> None:
        pass

    def lines(self) -> list[str]:
        return self._text.decode().splitlines()

    def wait(self, ready: Callable[[list[str]], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: ready(self.lines()), PATIENCE), self.lines()


class Talk:
    """A session and what it said."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.session = Session(Output(self.transport))
        self._read = 0

    def news(self) -> list[str]:
        lines = self.transport.lines()[self._read :]
        self._read += len(lines)
        return lines

    def ask(self, line: str | bytes) -> list[str]:
        """Lines that were printed before the session took the next request."""
        self.session.request(line.encode() if isinstance(line, str) else line)
        return self.news()

    def one(self, line: str) -> str:
        (answer,) = self.ask(line)
        return answer

    def quiet(self, line: str) -> None:
        assert self.ask(line) == []

    def ask_but_info(self, line: str) -> list[str]:
        return [x for x in self.ask(line) if not x.startswith("info ")]

    def quiet_but_info(self, line: str) -> None:
        assert self.ask_but_info(line) == []

    def until(self, line: str, *starts: str) -> list[str]:
        """All lines up to one that starts with one of these."""
        seen = self._read
        self.session.request(line.encode())
        self.transport.wait(lambda lines: any(x.startswith(starts) for x in lines[seen:]))
        return self.news()

    def best(self, line: str = "go nodes 1") -> str:
        *infos, last = self.until(line, "bestmove", "error")
        assert all(info.startswith("info ") for info in infos)
        return last.removeprefix("bestmove ")

    def query(self, what: str) -> str:
        return self.one(f"query {what}").removeprefix("response ").removeprefix(what).lstrip()

    def error(self, line: str | bytes) -> str:
        """The code of the one error line that answers, after which all is as before."""
        before = self.state()
        (answer,) = self.ask(line)
        assert GRAMMAR.fullmatch(answer), answer
        word, code, _ = answer.split(" ", 2)
        assert word == "error"
        assert self.state() == before
        return code

    def state(self) -> tuple[str, ...]:
        return (self.query("key"), self.query("phase"), *self.ask("uhi"))
