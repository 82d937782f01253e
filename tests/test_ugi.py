"""Two engines under a manager of two-player games that knows nothing of this one.

The managers here send, line for line, what cutegames and its successor cutergames send in a
generic game, and read what those read: an answer is a line of exactly two words.
"""

import time
from pathlib import Path

import pytest

from engine_process import EngineProcess
from harmonies_core import Position
from oracle.dealing import shuffled

OPENINGS = (
    (Path(__file__).parent.parent / "examples" / "openings.hfen")
    .read_text(encoding="utf-8")
    .splitlines()
)


def greet(engine: EngineProcess) -> None:
    engine.tell("ugi")
    while engine.line() != "ugiok":
        pass


def ready(engine: EngineProcess) -> None:
    engine.tell("isready")
    assert engine.line() == "readyok"


def two_words(engine: EngineProcess, request: str, first: str) -> str:
    """Send a request; the second word of the first line that has two and begins like this."""
    engine.tell(request)
    while True:
        line = engine.line()
        assert line.startswith((first, "info ")), (request, line)
        words = line.split(" ")
        if len(words) == 2 and words[0] == first:
            return words[1]


class Game:
    """One game of the manager: only texts that it does not understand."""

    def __init__(self, engines: tuple[EngineProcess, EngineProcess], fen: str) -> None:
        self.engines = engines
        self.fen = fen
        self.moves: list[str] = []

    def position(self, engine: EngineProcess) -> None:
        base = "startpos" if self.fen == "startpos" else f"fen {self.fen}"
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        engine.tell(f"position {base}{moves}")

    def query(self, engine: EngineProcess, what: str) -> str:
        self.position(engine)
        return two_words(engine, f"query {what}", "response")

    def play(self, go: str) -> str:
        """Play to the end, `go` with the clocks filled in; the result both engines name."""
        for engine in self.engines:
            ready(engine)
        for engine in self.engines:
            engine.tell("uginewgame")
        clocks = [3000, 3000]
        assert self.query(self.engines[0], "p1turn") == "true"
        while True:
            turns = [self.query(engine, "p1turn") for engine in self.engines]
            assert turns[0] == turns[1]
            assert turns[0] == ("true" if len(self.moves) % 2 == 0 else "false")
            number = 0 if turns[0] == "true" else 1
            mover, other = self.engines[number], self.engines[1 - number]
            ready(mover)
            self.position(mover)
            over = self.query(mover, "gameover")
            assert self.query(other, "gameover") == over
            if over == "true":
                break
            assert self.query(mover, "result") == "none"
            began = time.monotonic()
            move = two_words(mover, go.format(*clocks), "bestmove")
            passed = round(1000 * (time.monotonic() - began))
            clocks[number] = max(1, clocks[number] - passed + 10)
            assert "/" not in move
            self.moves.append(move)
            assert len(self.moves) <= 36  # at most 18 turns each
        results = []
        for engine in self.engines:
            ready(engine)
            self.position(engine)
            assert self.query(engine, "gameover") == "true"
            results.append(self.query(engine, "result"))
        assert results[0] == results[1]
        return results[0]


@pytest.fixture(scope="module")
def engines():
    with EngineProcess() as first, EngineProcess() as second:
        for engine in (first, second):
            greet(engine)
        second.tell("setoption name Algorithm value random")
        yield first, second
        for engine in (first, second):
            engine.tell("stop")
            engine.tell("quit")
            assert engine.finish() == ([], 0)


@pytest.mark.parametrize(
    ("fen", "go"),
    [
        ("startpos", "go nodes 500"),
        (OPENINGS[0], "go p1time {} p2time {} p1inc 10 p2inc 10"),
        (OPENINGS[41], "go movetime 5"),
        (OPENINGS[99], "go depth 1"),
        (OPENINGS[7].rpartition(" ")[0], "go depth 0"),  # without a seed
        (Position.start(2, "B", spirits=True, seed=3).hfen() + " seed:3", "go nodes 500"),
    ],
)
def test_whole_games(engines: tuple[EngineProcess, EngineProcess], fen: str, go: str) -> None:
    for pair in (engines, engines[::-1]):
        game = Game(pair, fen)
        assert game.play(go) in ("p1win", "p2win", "draw")
        # what came of it, played once more with the refills that another engine deals
        check_in_plain_uhi(fen, game.moves)


def check_in_plain_uhi(fen: str, moves: list[str]) -> None:
    """The same moves and the seed lead to a finished game outside of `ugi` too."""
    with EngineProcess() as engine:
        seeded = fen if "seed:" in fen or fen == "startpos" else f"{fen} seed:0"
        base = "startpos" if fen == "startpos" else f"hfen {seeded}"
        engine.tell(f"position {base} moves {' '.join(moves)}")
        assert engine.ask("query phase", "response", "error") == "response phase over"


def test_a_manager_that_sends_one_move_at_a_time(
    engines: tuple[EngineProcess, EngineProcess],
) -> None:
    fen = OPENINGS[12]
    for engine in engines:
        engine.tell(f"position fen {fen}")
    judge = engines[0]
    moves = []
    while two_words(judge, "query gameover", "response") == "false":
        first = two_words(judge, "query p1turn", "response") == "true"
        mover = engines[0] if first else engines[1]
        ready(mover)
        moves.append(two_words(mover, "go movetime 5", "bestmove"))
        for engine in engines:
            engine.tell(f"moves {moves[-1]}")
    results = {two_words(engine, "query result", "response") for engine in engines}
    assert len(results) == 1
    game = Game(engines, fen)
    game.moves = moves
    assert {game.query(engine, "result") for engine in engines} == results


def test_openings() -> None:
    assert len(OPENINGS) == 100
    boards = set()
    for seed, line in enumerate(OPENINGS, 1):
        position = Position.from_hfen(line)
        hfen, _, field = line.rpartition(" ")
        assert position.hfen() == hfen
        assert field == f"seed:{seed}"
        assert (position.rules.players, position.seat, position.turn) == (2, 1, 1)
        assert position.phase == "turn"
        assert not any(position.stacks(seat) or position.hand(seat) for seat in (1, 2))
        # docs/notation.md, "How a seed deals"
        bag = shuffled("W" * 23 + "M" * 23 + "T" * 21 + "L" * 19 + "F" * 19 + "R" * 15, seed, 0)
        for number, group in enumerate(position.centre):
            assert sorted(group) == sorted(bag[3 * number : 3 * number + 3])
        assert list(position.row) == shuffled(range(1, 33), seed, 1)[:5]
        boards.add(hfen)
    assert len(boards) == 100
