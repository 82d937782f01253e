"""A session in any order of requests, followed step by step in the core."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from harmonies_core import Dealer, Position, Rules
from talk import GRAMMAR, Talk

JUNK = ("hello", "go nodes 0", "position startpos moves zz", "newgame players 7", "deal 3")
LIMITS = ("infinite", "ponder", "ponder movetime 5", "ponder nodes 9")


class SessionMachine(RuleBasedStateMachine):
    """Plays, takes back, deals, searches; position and dealer are kept beside the session."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk()
        self.searching = ""

    def teardown(self) -> None:
        if self.searching:
            self.stop()
        self.talk.session.close(finish=False)
        assert not self.talk.session.working
        assert all(GRAMMAR.fullmatch(line) for line in self.talk.transport.lines())

    def ask(self, line: str) -> list[str]:
        return self.talk.ask_but_info(line)

    @initialize(
        players=st.integers(1, 4),
        side=st.sampled_from("AB"),
        spirits=st.booleans(),
        seed=st.integers(0, 2**60 - 1),
    )
    def new_game(self, players: int, side: str, spirits: bool, seed: int) -> None:
        on = "on" if spirits else "off"
        assert self.ask(f"newgame seed {seed} players {players} side {side} spirits {on}") == []
        self.dealer = Dealer(Rules(players, side, spirits=spirits), seed)
        self.start = self.dealer.start()
        self.moves: list[str] = []
        self.positions: list[tuple[Position, Dealer]] = [(self.start.copy(), self.dealer.copy())]

    @property
    def position(self) -> Position:
        return self.positions[-1][0]

    def tell(self) -> None:
        assert self.ask(f"position startpos moves {' '.join(self.moves)}") == []

    def tell_all(self) -> None:
        """Also what came after the last move, if it was dealt already and is not in the list."""
        self.tell()
        if self.position.phase != "chance" and self.ask("query phase") == ["response phase chance"]:
            self.ask("deal")

    idle = precondition(lambda self: not self.searching)
    to_move = precondition(lambda self: self.position.phase in ("turn", "spirit"))
    busy = precondition(lambda self: self.searching)

    @idle
    @to_move
    @rule(data=st.data())
    def play_action_by_action(self, data: st.DataObject) -> None:
        position, dealer = self.position.copy(), self.positions[-1][1].copy()
        words: list[str] = []
        seat_and_turn = (position.seat, position.turn)
        while position.phase in ("turn", "spirit") and seat_and_turn == (
            position.seat,
            position.turn,
        ):
            actions = [str(action) for action in position.actions()]
            offered = self.ask("query actions")
            assert offered == [f"response actions {' '.join(actions)}"]
            words.append(data.draw(st.sampled_from(actions)))
            position.push_action(words[-1])
            comma = "" if words[-1] == "end" else ","
            moves = [*self.moves, ",".join(words) + comma]
            assert self.ask(f"position startpos moves {' '.join(moves)}") == []
            assert self.ask("query key") == [f"response key {position.key() & (2**64 - 1):016x}"]
        self.moves.append(",".join(words))
        self.positions.append((position, dealer))
        self.tell()

    @idle
    @to_move
    @rule(limit=st.sampled_from(("nodes 1", "nodes 30", "depth 1", "movetime 1", "clock 9 0")))
    def play_what_the_engine_plays(self, limit: str) -> None:
        best = self.talk.best(f"go {limit}")
        position, dealer = self.position.copy(), self.positions[-1][1].copy()
        position.push(best)
        self.moves.append(best)
        self.positions.append((position, dealer))
        assert self.ask(f"moves {best}") == []

    @idle
    @precondition(lambda self: self.position.phase == "chance")
    @rule(how=st.sampled_from(("deal", "give back", "leave to the seed")))
    def deal(self, how: str) -> None:
        position, dealer = self.positions[-1]
        text = dealer.deal(position)
        if how == "leave to the seed":
            # the next move would have it dealt; here the position stays as it is
            self.tell()
            assert self.ask("query phase") == ["response phase chance"]
        assert self.ask("deal") == [f"response deal {text}"]
        position.push_chance(text)
        if how == "give back":
            self.moves[-1] += f"/{text}"
            self.tell()

    @idle
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.moves)))
        del self.moves[number:], self.positions[number + 1 :]
        self.tell_all()

    @idle
    @rule()
    def read_back(self) -> None:
        hfen = self.position.hfen()
        assert self.ask(f"position hfen {hfen}") == []
        assert self.ask("query hfen") == [f"response hfen {hfen}"]
        self.tell_all()

    @idle
    @rule(name=st.sampled_from(("Seed value 5", "MultiPV value 2", "Algorithm value random")))
    def set_option(self, name: str) -> None:
        assert self.ask(f"setoption name {name}") == []

    @idle
    @to_move
    @rule(limit=st.sampled_from(LIMITS))
    def begin_to_search(self, limit: str) -> None:
        assert self.ask(f"go {limit}") == []
        self.searching = limit

    @busy
    @rule(line=st.sampled_from(("go nodes 1", "position startpos", "newgame", "deal", "moves g1")))
    def too_early(self, line: str) -> None:
        (answer,) = self.ask(line)
        assert answer.startswith("error busy ")

    @busy
    @rule()
    def stop(self) -> None:
        lines = self.talk.until("stop", "bestmove ")
        assert sum(line.startswith("bestmove ") for line in lines) == 1
        self.position.copy().push(lines[-1].split()[1])
        self.searching = ""

    @precondition(lambda self: self.searching.startswith("ponder"))
    @rule()
    def ponderhit(self) -> None:
        lines = self.talk.until("ponderhit", "bestmove ")
        assert sum(line.startswith("bestmove ") for line in lines) == 1
        self.searching = ""

    @rule(line=st.sampled_from(JUNK))
    def junk(self, line: str) -> None:
        (answer,) = self.ask(line)
        assert answer.startswith("error ")

    @invariant()
    def knows_the_position(self) -> None:
        if not hasattr(self, "positions"):
            return
        position = self.position
        assert self.ask("isready") == ["readyok"]
        assert self.ask("query hfen") == [f"response hfen {position.hfen()}"]
        scores = " ".join(str(score.total) for score in position.scores())
        assert self.ask("query scores") == [f"response scores {scores}"]


SessionMachine.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestSession = SessionMachine.TestCase
