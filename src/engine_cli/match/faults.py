"""What an engine can do wrong in a game, each with a name of its own, and what follows."""

from enum import StrEnum

__all__ = ["FAULTS", "Fault", "Kind", "OnCrash"]


class Kind(StrEnum):
    """Names of faults as they stand in records, results and summaries."""

    NO_START = "no-start"
    NO_UHIOK = "no-uhiok"
    NO_READYOK = "no-readyok"
    CRASH = "crash"
    CLOSED_PIPE = "closed-pipe"
    STALL = "stall"
    TIME = "time"
    ILLEGAL_TURN = "illegal-turn"
    MALFORMED = "malformed-answer"
    WRONG_REQUEST = "wrong-request"
    REFUSED = "refused"
    FLOOD = "flood"
    MEMORY = "memory"


FAULTS: dict[Kind, str] = {
    Kind.NO_START: "the program cannot be run, or ends before its greeting",
    Kind.NO_UHIOK: "no uhiok in time",
    Kind.NO_READYOK: "no readyok in time",
    Kind.CRASH: "the process ended by itself",
    Kind.CLOSED_PIPE: "the process lives, but closed its input or output",
    Kind.STALL: "no bestmove, not even after stop",
    Kind.TIME: "the turn came after the time was up",
    Kind.ILLEGAL_TURN: "the turn breaks a rule, or is not whole",
    Kind.MALFORMED: "the answer cannot be read",
    Kind.WRONG_REQUEST: "an answer to a request that was not made, or not last",
    Kind.REFUSED: "the engine answered error",
    Kind.FLOOD: "more output than one request may bring",
    Kind.MEMORY: "more memory than allowed",
}
"""What each name means, in one line."""

LIVING = frozenset({Kind.TIME, Kind.ILLEGAL_TURN})
"""Faults after which the process can be used for the next game."""

RESTARTABLE = frozenset({Kind.CRASH, Kind.CLOSED_PIPE})
"""Faults after which a game can go on with a new process, if the policy says so."""


class OnCrash(StrEnum):
    """What follows a crash in a game."""

    FORFEIT = "forfeit"
    RESTART = "restart"
    """Once in a game the engine is started again and asked again, on what is left of its clock."""


class Fault(Exception):
    """A fault; `detail` is one line for people, with the offending text where there is one."""

    def __init__(self, kind: Kind, detail: str) -> None:
        self.kind = kind
        words = " ".join(detail.split())
        self.detail = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)[:500]
        super().__init__(f"{kind}: {self.detail}")

    def __reduce__(self) -> tuple[type["Fault"], tuple[Kind, str]]:
        return type(self), (self.kind, self.detail)
