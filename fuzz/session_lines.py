"""Lines for a session, from sensible to garbled, all from one random generator."""

import random
from collections.abc import Callable

__all__ = ["Lines", "garble"]

VOCABULARY = """
uhi ugi isready setoption newgame uginewgame position moves go stop ponderhit query deal d eval help
name value Seed Threads MultiPV Algorithm greedy random RiverRule loop diameter Packs Ponder
players side A B spirits on off solo packs base pulse base+pulse seed startpos hfen fen
movetime nodes depth infinite ponder clock p1time p2time p3time p4time p1inc p2inc togo searchmoves
multipv gameover p1turn result turn phase scores breakdown ranks actions chance key true false
0 1 2 3 5 40 127 -1 1.5 1e9 9007199254740993 g1 g2 g1,Wa1 g1, end +17 17@c3 s34 -17 / , x1 <empty>
2A 1Bs 3Al:base+pulse 5/4/5/4/5|- 4/3/4/3/4/3/4|- seed:3 bag:W1 unseen:1,2 é � 🐗
"""
WORDS = VOCABULARY.split()
NUMBERS = ("0", "1", "2", "7", "40", "99", "2147483647", "-1", "x")
SETUPS = (
    "players 2 seed {n}",
    "players 2 side B spirits on seed {n}",
    "players 3 spirits on seed {n}",
    "players 4 side B packs base+pulse seed {n}",
    "solo seed {n}",
    "solo side B spirits on seed {n}",
)
ASKED = "gameover p1turn result players turn phase scores breakdown ranks actions chance hfen key"
QUERIES = ASKED.split()
LIMITS = ("nodes {n}", "depth {n}", "movetime {n}", "clock {n} {n}", "p1time {n} p2time {n}")


def garble(line: bytes, rng: random.Random) -> bytes:
    """Change some bytes of a line, never its being one line."""
    data = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(5)
        place = rng.randint(0, len(data))
        if kind == 0:
            data[place:place] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[place : place + rng.randint(1, 4)]
        elif kind == 2 and data:
            data[min(place, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 3:
            data[place:place] = data[place : place + rng.randint(1, 12)]
        else:
            data[place:place] = rng.choice(WORDS).encode()
    return bytes(data).replace(b"\n", b" ")


class Lines:
    """Makes lines. What the engine answered may be told, and comes back in later lines."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._moves: list[str] = []
        self._seen = ["g1", "+17", "WMT"]
        self._hfens: list[str] = []
        self._kinds: list[tuple[int, Callable[[], str]]] = [
            (14, self._position),
            (6, self._next_move),
            (4, self._go),
            (5, lambda: "stop"),
            (2, lambda: "ponderhit"),
            (24, lambda: f"query {self._rng.choice(QUERIES)}"),
            (12, lambda: "isready"),
            (4, lambda: "deal"),
            (1, self._newgame),
            (2, self._option),
            (1, lambda: self._rng.choice(("uhi", "uhi", "ugi", "eval", "help"))),
            (20, self._words),
        ]

    def saw(self, answer: str) -> None:
        """Learn words from an answer."""
        verb, _, rest = answer.partition(" ")
        if verb == "bestmove":
            self._seen.append(rest)
            if len(self._moves) < 40:
                self._moves.append(rest)
        elif rest.startswith("actions "):
            self._seen += self._rng.sample(words := rest.split()[1:], min(3, len(words)))
        elif rest.startswith("deal "):
            self._seen.append(rest[5:])
            if self._moves and "/" not in self._moves[-1]:
                self._moves[-1] += f"/{rest[5:]}"
        elif rest.startswith("hfen "):
            self._hfens = [*self._hfens[-9:], rest[5:]]
        del self._seen[:-40]

    def next(self) -> bytes:
        """The next line."""
        kinds = self._rng.choices(
            [make for _, make in self._kinds], [weight for weight, _ in self._kinds]
        )
        line = kinds[0]().encode()
        if self._rng.random() < 0.15:
            line = garble(line, self._rng)
        return line

    def _number(self) -> str:
        return self._rng.choice(NUMBERS)

    def _fill(self, text: str) -> str:
        while "{n}" in text:
            text = text.replace("{n}", self._number(), 1)
        return text

    def _newgame(self) -> str:
        self._moves = []
        return f"newgame {self._fill(self._rng.choice(SETUPS))}"

    def _base(self) -> str:
        if self._hfens and self._rng.random() < 0.3:
            seed = f" seed:{self._number()}" if self._rng.random() < 0.5 else ""
            self._moves = []
            return f"hfen {self._rng.choice(self._hfens)}{seed}"
        return "startpos"

    def _position(self) -> str:
        base = self._base()
        moves = list(self._moves)
        chance = self._rng.random()
        if chance < 0.2:
            moves = moves[: self._rng.randint(0, len(moves))]
        elif chance < 0.4:
            moves.append(self._rng.choice(self._seen))
        elif chance < 0.45 and moves:
            moves[self._rng.randrange(len(moves))] = self._rng.choice(self._seen)
        return f"position {base} moves {' '.join(moves)}"

    def _next_move(self) -> str:
        return f"moves {self._rng.choice(self._seen)}"

    def _go(self) -> str:
        words = ["go", "nodes", self._rng.choice(("1", "5", "40"))]
        chance = self._rng.random()
        if chance < 0.1:
            words = ["go infinite"]
        elif chance < 0.2:
            words.append("ponder")
        elif chance < 0.5:
            words.append(self._fill(self._rng.choice(LIMITS)))
        if self._rng.random() < 0.1:
            words.append(f"searchmoves {self._rng.choice(self._seen)}")
        if self._rng.random() < 0.1:
            words.append(f"multipv {self._number()}")
        return " ".join(words)

    def _option(self) -> str:
        return self._rng.choice(
            (
                f"setoption name Seed value {self._number()}",
                f"setoption name MultiPV value {self._rng.choice(('1', '1', '3'))}",
                f"setoption name MoveOverhead value {self._number()}",
                f"setoption name Algorithm value {self._rng.choice(('greedy', 'random'))}",
                f"setoption name RiverRule value {self._rng.choice(('loop', 'diameter'))}",
                f"setoption name Packs value {self._rng.choice(('base', 'base+pulse', 'no'))}",
            )
        )

    def _words(self) -> str:
        return " ".join(self._rng.choice(WORDS) for _ in range(self._rng.randint(0, 8)))
