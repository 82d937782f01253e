"""One request and its answer: what is sent, which lines belong to it, what comes out."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from engine_cli.client.errors import EngineRefused, MalformedAnswer, OutputFlood, WrongAnswer
from engine_cli.client.option import Option, parse_option

__all__ = ["Confirmation", "Exchange", "Greeting", "Question", "Wait"]


_MOST_OPTIONS: Final = 1000


class Wait(Enum):
    """What is awaited, which decides for how long."""

    START = "line at all"
    HANDSHAKE = "uhiok"
    READY = "readyok"
    ANSWER = "response"
    SEARCH = "bestmove"
    STOPPED = "bestmove after stop"


class Exchange:
    """Base class. Knows nothing of processes: it is given lines until it is `done`."""

    def __init__(self, requests: Sequence[str], command: str, wait: Wait) -> None:
        self.requests = requests
        """Lines to send."""
        self.command = command
        """The request that messages name."""
        self.wait = wait
        self.done = False
        self.abandoned = False
        self.refusal: EngineRefused | None = None
        """What the engine said if it refused; to be raised when `done`."""

    def begin(self) -> None:
        """Take note that the requests are sent now."""

    def receive(self, verb: str, rest: str) -> bool:
        """Take a line; False if it is not part of this exchange."""
        raise NotImplementedError

    def abandon(self) -> None:
        """Take note that nobody waits for the answer any more."""
        self.abandoned = True

    def refuse(self, text: str, request: str = "") -> None:
        """Keep the first ``error`` of the exchange."""
        if self.refusal is None:
            code, _, reason = text.partition(" ")
            self.refusal = EngineRefused(code, reason)
            self.refusal.command = request or self.command


class Greeting(Exchange):
    """`uhi`, answered by name, options and ``uhiok``."""

    def __init__(self) -> None:
        super().__init__(("uhi",), "uhi", Wait.START)
        self.identity: dict[str, str] = {}
        self.protocol: str = ""
        self.options: dict[str, Option] = {}
        self._announced = 0

    def receive(self, verb: str, rest: str) -> bool:
        """Take a line."""
        self.wait = Wait.HANDSHAKE
        if verb == "uhiok":
            self.done = True
        elif verb == "id":
            key, _, value = rest.partition(" ")
            if key in ("name", "author"):
                self.identity[key] = value
        elif verb == "option":
            option = parse_option(rest)
            self._announced += 1
            if self._announced > _MOST_OPTIONS:
                raise OutputFlood(f"more than {_MOST_OPTIONS} options")
            self.options[option.name.lower()] = option
        elif verb == "protocol":
            self.protocol = rest
        elif verb == "error":
            self.refuse(rest)
            self.done = True
        else:
            return False
        return True


class Confirmation(Exchange):
    """Requests that are not answered when they are met, closed by `isready`."""

    def __init__(self, requests: Sequence[str] = ()) -> None:
        super().__init__((*requests, "isready"), requests[0] if requests else "isready", Wait.READY)
        self._refusable = bool(requests)

    def receive(self, verb: str, rest: str) -> bool:
        """Take a line."""
        if verb == "readyok":
            self.done = True
        elif verb == "error" and self._refusable:
            self.refuse(rest)
        else:
            return False
        return True


#: Values of the queries that are answered without their name.
_BARE: Final = {
    "gameover": ("true", "false"),
    "p1turn": ("true", "false"),
    "result": ("none", "draw", "p1win", "p2win", "p3win", "p4win"),
}


class Question(Exchange):
    """A request that is answered by one ``response``, such as a query."""

    def __init__(self, request: str) -> None:
        super().__init__((request,), request, Wait.ANSWER)
        words = request.split()
        self._name = words[1] if words[0] == "query" else words[0]
        self.value = ""
        """The answer without ``response`` and the name."""

    def receive(self, verb: str, rest: str) -> bool:
        """Take a line."""
        if verb == "response":
            self.value = self._read(rest)
        elif verb == "error":
            self.refuse(rest)
        else:
            return False
        self.done = True
        return True

    def _read(self, rest: str) -> str:
        name, _, value = rest.partition(" ")
        values = _BARE.get(self._name)
        if values is not None:
            if name in values and not value:
                return name
            if name == self._name or name in ("true", "false"):
                raise MalformedAnswer(f"expected response {'|'.join(values)}, found {rest!r}")
        elif name == self._name:
            return value
        raise WrongAnswer(f"expected a response about {self._name}, found {rest!r}")
