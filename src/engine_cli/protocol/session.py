"""The session: one request in, its answer out."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from engine_cli.protocol.clock import Delays
from engine_cli.protocol.failure import RequestError, one_line
from engine_cli.protocol.go import parse_go
from engine_cli.protocol.job import Job
from engine_cli.protocol.line import Line, Step, deal
from engine_cli.protocol.options import Options
from engine_cli.protocol.output import Output
from engine_cli.protocol.people import HELP, board_lines
from engine_cli.protocol.queries import answer
from engine_cli.protocol.reader import TooLong
from engine_cli.protocol.search_job import search_job
from engine_cli.protocol.setup import Setup, hfen_line, parse_newgame, start_line
from engine_cli.protocol.thinker import Thinker
from engine_cli.protocol.words import MAX_COUNT, MAX_SEED, Words, quote, split_words

if TYPE_CHECKING:
    from harmonies_core import Position
    from harmonies_core.search.searcher import StopFlag

__all__ = ["Session"]

_MAX_PERFT: Final = 9


class Session:
    """Answers requests through an `Output`. Nothing that is asked raises out of it."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._options = Options()
        self._thinker = Thinker(self._options)
        self._delays = Delays()
        self._ugi = False
        self._setup = Setup()
        self._line: Line | None = None
        self._current: Step | None = None
        self._job: Job | None = None
        self._open = True
        self._verbs: dict[str, Callable[[Words, str], None]] = {
            "uhi": self._uhi,
            "ugi": self._uhi,
            "isready": self._isready,
            "setoption": self._setoption,
            "newgame": self._newgame,
            "uginewgame": self._newgame,
            "position": self._position,
            "moves": self._moves,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "query": self._query,
            "deal": self._deal,
            "d": self._d,
            "eval": self._eval,
            "perft": self._perft,
            "bench": self._bench,
            "help": self._help,
            "quit": self._quit,
        }

    # -- the loop ---------------------------------------------------------------------------

    def serve(self, lines: Iterable[bytes | TooLong]) -> None:
        """Answer line after line until `quit`, the end of the lines, or a peer that is gone."""
        for line in lines:
            self.request(line)
            if not self._open or self._output.closed:
                break
        self.close(finish=self._open and not self._output.closed)

    def close(self, *, finish: bool) -> None:
        """End the running job; `finish` lets perft and bench come to their own end."""
        job = self._job
        if job is None:
            return
        if not finish or job.name == "search":
            job.stop()
        job.join(None if finish else 2.0)

    @property
    def working(self) -> bool:
        """Whether a search, perft or bench is going on."""
        return self._job is not None and self._job.running

    def request(self, line: bytes | TooLong) -> None:
        """Answer one line."""
        try:
            self._dispatch(line)
        except RequestError as problem:
            self._output.line(problem.line())
        except Exception as problem:
            sys.stderr.write(f"request failed: {problem!r}\n")
            self._output.line(f"error internal {one_line(repr(problem))}")

    def _dispatch(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            raise RequestError("long", "the line is too long")
        words = split_words(line)
        if not words:
            return
        if self._output.logging:
            self._output.note(">", line.decode("utf-8", "replace"))
        verb = self._verbs.get(words[0])
        if verb is None:
            raise RequestError("unknown", f"no command {quote(words[0])}; try help")
        verb(Words(words[1:]), words[0])

    # -- state ------------------------------------------------------------------------------

    def _step(self) -> Step:
        """The current position; before the first request that sets one, the start position."""
        if self._line is None or self._current is None:
            self._line = start_line(self._setup, self._options)
            self._current = self._line.last
        return self._current

    def _here(self) -> "Position":
        return self._step().position

    def _idle(self, verb: str) -> None:
        """Fail if a job is running; wait for one that was told to stop."""
        job = self._job
        if job is None:
            return
        if job.stopping:
            job.join()
        if job.running:
            raise RequestError("busy", f"{verb} has to wait for the end of the {job.name}")
        self._job = None

    def _begin(self, job: Job) -> None:
        self._job = job
        job.start()

    # -- set-up -----------------------------------------------------------------------------

    def _uhi(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        from engine_cli import __version__

        self._ugi = verb == "ugi"
        self._output.lines(
            [
                f"id name Kingfisher {__version__}",
                "id author The harmonies-engine authors",
                "protocol 1",
                *(option.line() for option in self._options.offered),
                f"{verb}ok",
            ]
        )

    def _isready(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        self._step()
        self._output.line("readyok")

    def _setoption(self, words: Words, verb: str) -> None:
        option, value = self._options.read(" ".join(words.until(frozenset())))
        self._idle(verb)
        if option.name == "LogFile":
            try:
                self._output.open_log(value)
            except (OSError, ValueError) as problem:
                raise RequestError("value", f"LogFile: {problem}") from None
        elif option.name == "EvalFile":
            self._thinker.read_weights(value)
        self._options.set(option, value)

    def _newgame(self, words: Words, verb: str) -> None:
        setup = parse_newgame(words)
        line = start_line(setup, self._options)
        self._idle(verb)
        self._thinker.forget()
        self._delays.forget()
        self._setup = setup
        self._line = line
        self._current = line.last

    def _position(self, words: Words, verb: str) -> None:
        kind = words.value(verb)
        text = words.until(frozenset({"moves"}))
        moves = tuple(words.until(frozenset())[1:])
        if kind not in ("startpos", "hfen", "fen"):
            raise RequestError("syntax", f"position does not take {quote(kind)}")
        if kind == "startpos" and text:
            raise RequestError("syntax", f"startpos does not take {quote(text[0])}")
        if kind != "startpos" and not text:
            raise RequestError("syntax", f"{kind} needs the text of a position")
        self._idle(verb)
        if kind == "startpos":
            base = start_line(self._setup, self._options, self._line)
        else:
            # a manager of other games never says what was dealt
            seed = 0 if self._ugi else None
            base = hfen_line(" ".join(text), self._options, seed, self._line)
        self._walk(base, moves)

    def _moves(self, words: Words, verb: str) -> None:
        """Play on from here, as some managers of other games have it done."""
        moves = tuple(words.until(frozenset()))
        if not moves:
            raise RequestError("syntax", "moves needs at least one turn")
        self._idle(verb)
        step = self._step()
        line = self._line
        if line is not None and line.last is step:
            self._walk(line, line.words + moves)
        else:  # something was dealt since
            self._walk(Line.begin(object(), step.position, step.dealer), moves)

    def _walk(self, base: Line, moves: tuple[str, ...]) -> None:
        """Make these turns from the base the current line; its end may be dealt at once."""
        line = base.follow(moves)
        current = line.last
        if self._ugi and current.position.phase == "chance":
            current, _ = deal(current)
        self._line = line
        self._current = current

    # -- search -----------------------------------------------------------------------------

    def _go(self, words: Words, verb: str) -> None:
        position = self._here()
        go = parse_go(words, position.seat)
        self._idle(verb)
        if position.phase == "over":
            raise RequestError("nomove", "the game is over")
        if position.phase == "chance":
            raise RequestError("nomove", "a refill is due: deal, or give it after the last move")
        self._begin(
            search_job(
                position.copy(), go, self._options, self._thinker, self._delays, self._output
            )
        )

    def _stop(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        if self._job is not None:
            self._job.stop()

    def _ponderhit(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        if self._job is None or not self._job.running or not self._job.pondering:
            raise RequestError("idle", "there is no pondering to end")
        self._job.ponderhit()

    # -- questions --------------------------------------------------------------------------

    def _query(self, words: Words, verb: str) -> None:
        what = words.value(verb)
        words.none_left(f"{verb} {quote(what)}")
        if what == "moves":  # takes long enough to keep `stop` waiting
            self._idle("query moves")
        self._output.line(answer(what, self._here()))

    def _deal(self, words: Words, verb: str) -> None:
        from harmonies_core import Dealer

        words.none_left(verb)
        self._idle(verb)
        step = self._step()
        if step.position.phase != "chance":
            raise RequestError("nochance", "no refill is due")
        if step.dealer is None:
            seed = (self._options.number("Seed") + step.position.key()) % (MAX_SEED + 1)
            step = Step(step.position, Dealer.for_position(step.position, seed))
        self._current, text = deal(step)
        self._output.line(f"response deal {text}")

    def _d(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        self._idle(verb)  # what draws the boards takes long to load
        self._output.lines(board_lines(self._here()))

    def _eval(self, words: Words, verb: str) -> None:
        from harmonies_core.search.searcher import evaluate

        words.none_left(verb)
        values = evaluate(self._here(), self._thinker.weights)
        self._output.line(f"response eval {' '.join(map(str, values))}")

    def _perft(self, words: Words, verb: str) -> None:
        from harmonies_core import StoppedError, perft

        depth = words.integer(verb, 1, _MAX_PERFT)
        words.none_left(verb)
        self._idle(verb)
        root = self._here().copy()

        def work(stop: "StopFlag") -> str:
            try:
                count = perft(root, depth, stop=stop.is_set)
            except StoppedError as reason:
                raise RequestError("stopped", str(reason)) from None
            return f"response perft {depth} {count}"

        self._begin(Job(verb, work, self._output))

    def _bench(self, words: Words, verb: str) -> None:
        from engine_cli.protocol.bench import DEFAULT_NODES, bench

        nodes = words.integer(verb, 1, MAX_COUNT) if words else DEFAULT_NODES
        words.none_left(verb)
        self._idle(verb)
        algorithm = self._options.text("Algorithm")
        self._begin(
            Job(verb, lambda stop: bench(nodes, algorithm, self._output, stop), self._output)
        )

    def _help(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        self._output.lines(HELP)

    def _quit(self, words: Words, verb: str) -> None:
        words.none_left(verb)
        self._open = False
