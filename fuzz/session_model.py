"""What a session may answer to a line, whatever the line is (docs/protocol.md).

The model knows no rules of the game and no values: it knows how many lines of which kind have to
come, and that every accepted search, `perft` and `bench` brings exactly one last line.
"""

import re

from engine_cli.protocol.failure import CODES

__all__ = ["Finding", "Model"]

GRAMMAR = re.compile(
    r"id (name|author) [!-~].*|protocol 1"
    r"|option name \S+ type (spin|check|combo|string) default \S.*"
    r"|uhiok|ugiok|readyok"
    r"|info (string .*\S|depth \d+ .*\S)"
    r"|bestmove [!-~]+"
    r"|response (true|false|none|draw|p[1-4]win|[a-z]+( \S+)*)"
    rf"|error ({'|'.join(sorted(CODES))}) [!-~][ -~]*"
)
LAST = ("bestmove ", "response perft ", "response bench ", "error stopped ")
QUIET = frozenset(
    b"stop ponderhit setoption newgame uginewgame position moves go perft bench".split()
)
BEGINS = {b"go": ("bestmove ",)} | dict.fromkeys(
    (b"perft", b"bench"), ("response perft ", "response bench ", "error stopped ")
)


class Finding(AssertionError):
    """Something that must not happen."""


def need(condition: object, text: str) -> None:
    if not condition:
        raise Finding(text)


class Model:
    """Follows one session from its first line."""

    def __init__(self) -> None:
        self.pending: list[tuple[str, ...]] = []
        """How the last lines that are still to come may begin; never more than one."""
        self.searches = 0
        self.errors: dict[str, int] = {}

    def check(self, line: bytes, answers: list[str]) -> None:
        """Take a line and what was printed after the line before it, up to its own answer."""
        told = [answer for answer in answers if not answer.startswith(LAST)]
        ends = [answer for answer in answers if answer.startswith(LAST)]
        infos = [answer for answer in told if answer.startswith("info ")]
        said = [answer for answer in told if not answer.startswith("info ")]
        for answer in answers:
            need(GRAMMAR.fullmatch(answer), f"no answer of the protocol: {answer!r}")
            need(not answer.startswith("error internal"), answer)
        for answer in said:
            if answer.startswith("error "):
                code = answer.split(" ", 2)[1]
                self.errors[code] = self.errors.get(code, 0) + 1
        self._one(line, said, infos)
        failed = any(answer.startswith("error ") for answer in said)
        words = line.split()
        if words and words[0] in BEGINS and not failed:
            self.pending.append(BEGINS[words[0]])
            self.searches += words[0] == b"go"
        self.end(ends)
        need(len(self.pending) <= 1, "two searches at the same time")

    def end(self, ends: list[str]) -> None:
        """Take last lines of searches, perft and bench."""
        for answer in ends:
            need(self.pending, f"nothing was running: {answer!r}")
            need(answer.startswith(self.pending[0]), f"not the end of what ran: {answer!r}")
            self.pending.pop(0)

    def _one(self, line: bytes, said: list[str], infos: list[str]) -> None:
        """Check the lines that answer this request itself."""
        words = line.split()
        alone = len(words) == 1
        if not words:
            need(said == [], f"an answer to nothing: {said}")
            return
        error = len(said) == 1 and said[0].startswith("error ")
        try:
            line.decode()
        except UnicodeDecodeError:
            need(error, f"not UTF-8, but {said}")
            return
        verb = words[0]
        if verb in QUIET:
            need(error or said == [], f"{verb!r} must be quiet or fail: {said}")
        elif verb == b"isready" and alone:
            need(said == ["readyok"], f"isready: {said}")
        elif verb in (b"uhi", b"ugi") and alone:
            good = said[:1] and said[0].startswith("id name ") and len(said) > 5
            need(good and said[-1] == f"{verb.decode()}ok", f"{verb!r}: {said}")
        elif verb in (b"query", b"deal", b"eval"):
            need(
                len(said) == 1 and said[0].startswith(("response ", "error ")), f"{verb!r}: {said}"
            )
        elif verb in (b"d", b"help") and alone and not error:
            need(said == [] and infos, f"{verb!r}: {said}")
        else:
            need(error, f"must fail: {said}")
