"""Positions: what is seen in them, what may be played, what they score."""

from libc.stdint cimport uint8_t, uint16_t

from harmonies_core.board cimport EMPTY, K_BLD, NO_TOKEN, kind_at
from harmonies_core.dealer cimport Deal, checked_seed, deal_start
from harmonies_core.game.actions cimport Turn, make_turn
from harmonies_core.grid cimport Mask, bit, lowest, popcount
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.notation cimport action_text, hfen_text, parse_hfen
from harmonies_core.scoring cimport Landscape, score_landscape, spirit_points
from harmonies_core.state cimport (
    A_END, CHANCE, IN_TURN, MAX_ACTIONS, MAX_HELD, MAX_TURN, OVER, Player, State, action_cell,
    action_code, action_first, action_kind, animal_points, apply_action, check_action, in_set,
    legal_actions, may_end, pending_cards, pending_pair, pending_spaces, reveal_card,
    reveal_group, settle_chance, spirit_due, state_key,
)
from harmonies_core.turns cimport (
    TurnGraph, build_graph, canonical_order, free_graph, init_graph, turn_path,
)

from collections.abc import Sequence

from harmonies_core.board import STACK_OF_KIND
from harmonies_core.errors import IllegalActionError, PositionError
from harmonies_core.game.actions import Action
from harmonies_core.grid import cell_name
from harmonies_core.notation import LETTERS, parse_chance, shown
from harmonies_core.outcome import HeldCard, Pending, Result, Score

_ON = {"W": "an empty cell", "F": "an empty cell", "L": "an empty cell, T or TT",
       "T": "an empty cell or T", "M": "an empty cell, M or MM", "R": "an empty cell, T, M or R"}


cdef Turn canonical_turn(Position position, tuple codes):
    """Turn of these codes ("end" dropped), in canonical order."""
    cdef uint16_t actions[MAX_TURN]
    cdef uint16_t ordered[MAX_TURN]
    cdef int i, n = 0
    for code in codes:
        if action_kind(code) != A_END:
            actions[n] = code
            n += 1
    canonical_order(&position.rules.table, &position.state, actions, n, ordered)
    return make_turn(tuple([ordered[i] for i in range(n)]))


cdef class _Graph:
    cdef TurnGraph graph

    def __cinit__(self):
        init_graph(&self.graph)

    def __dealloc__(self):
        free_graph(&self.graph)


class Turns(Sequence):
    """All distinct turns of a position; each Turn is built when it is looked at."""

    def __init__(self, position):
        if not isinstance(position, Position):
            raise TypeError(f"a Position expected, not {type(position).__name__}")
        cdef _Graph graph = _Graph()
        cdef Position copied = position.copy()
        if copied.state.phase == IN_TURN:
            with nogil:
                build_graph(&graph.graph, &copied.rules.table, &copied.state)
        self._position = copied
        self._graph = graph

    def __len__(self):
        return (<_Graph>self._graph).graph.n_finals

    def __getitem__(self, index):
        cdef _Graph graph = self._graph
        cdef uint16_t path[MAX_TURN]
        cdef int n, i
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"turn {index} of {len(self)}")
        n = turn_path(&graph.graph, graph.graph.final[at], path)
        return canonical_turn(self._position, tuple([path[i] for i in range(n)]))


def _why(Position position, uint16_t action):
    """The rule that an illegal action breaks, in words."""
    cdef int error = check_action(&position.rules.table, &position.state, action)
    cdef int first = action_first(action)
    cdef const State* s = &position.state
    cell = cell_name(action_cell(action))
    stack = position.stacks(s.seat + 1).get(cell, "nothing")
    letter = LETTERS[first] if first < 6 else "?"
    return {
        1: "the game is over" if s.phase == OVER else "the dealer has to deal first",
        2: f"a spirit is chosen first (s{s.pair[0]} or s{s.pair[1]})",
        3: "no spirit is to be chosen",
        4: f"spirit {first} is not offered (s{s.pair[0]} or s{s.pair[1]})",
        5: f"space {s.progress.space} has been taken this turn",
        6: f"there is no space {first} (1 to {position.rules.spaces})",
        7: f"space {first} is empty",
        8: f"no token {letter} in hand ({position.in_hand or 'none'})",
        9: f"{cell} is not a cell of side {position.rules.side}",
        10: f"{cell} carries a cube, nothing goes on it",
        11: f"{letter} goes on {_ON.get(letter, 'no cell')}, {cell} holds {stack}",
        12: "a card has been taken this turn",
        13: f"{MAX_HELD} uncompleted cards are held already",
        14: f"card {first} is not in the row",
        15: f"card {first} is not held",
        16: f"card {first} has no cube left",
        17: f"{cell} carries a cube already",
        18: f"the habitat of card {first} is not there with its cube on {cell}",
        19: "cards are discarded in solo mode only",
        20: "all three tokens of a space are to be placed first",
        21: "a discard is the last action of a turn",
        22: "no space has been taken yet",
    }[error]


cdef class Position:
    """The whole public state of a game."""

    def __init__(self):
        raise TypeError("use Position.start(...) or Position.from_hfen(...)")

    @classmethod
    def start(cls, players=2, side="A", *, spirits=False, packs=("base",), river="diameter",
              seed=0):
        """The start position dealt by Dealer(seed)."""
        cdef Position position = Position.__new__(Position)
        cdef Deal order
        position.rules = Rules(players, side, spirits=spirits, packs=packs, river=river)
        deal_start(&order, &position.rules.table, &position.state, checked_seed(seed))
        return position

    @classmethod
    def from_hfen(cls, text, packs=()):
        """Read a position (docs/notation.md); raises PositionError naming the field."""
        cdef Position position = Position.__new__(Position)
        if not isinstance(text, str):
            raise PositionError(f"position: text expected, not {type(text).__name__}")
        position.rules = parse_hfen(text, packs, &position.state)
        return position

    def hfen(self):
        """The position as one line of text."""
        return hfen_text(self.rules, &self.state)

    def copy(self):
        """An equal position that changes independently."""
        cdef Position other = Position.__new__(Position)
        other.rules = self.rules
        other.state = self.state
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @property
    def seat(self):
        """Seat to move, from 1."""
        return self.state.seat + 1

    @property
    def turn(self):
        """Turn number of that seat, from 1."""
        return self.state.turn

    @property
    def phase(self):
        """spirit (a pair is to be chosen from), turn, chance (a deal is due), over."""
        if self.state.phase == IN_TURN:
            return "spirit" if spirit_due(&self.rules.table, &self.state) else "turn"
        return "chance" if self.state.phase == CHANCE else "over"

    @property
    def between_turns(self):
        """True if no space and no card has been taken yet in this turn."""
        return (self.state.phase == IN_TURN and self.state.progress.space == 0
                and not self.state.progress.card_taken)

    @property
    def centre(self):
        """Three tokens each in the order WMTLFR, "" for an empty space."""
        return tuple(
            "".join([LETTERS[t] for t in self.state.centre[i][:3] if t != NO_TOKEN])
            for i in range(self.rules.table.spaces)
        )

    @property
    def row(self):
        """Card numbers, None for a gap."""
        return tuple([self.state.row[i] or None for i in range(self.rules.table.spaces)])

    @property
    def bag(self):
        """Tokens left in the bag by letter."""
        return {LETTERS[i]: self.state.bag[i] for i in range(6)}

    @property
    def unseen(self):
        """Animal cards not seen yet."""
        return frozenset([i for i in range(128) if in_set(self.state.unseen, i)])

    @property
    def pair(self):
        """Spirits offered to the seat to move, or None."""
        return (self.state.pair[0], self.state.pair[1]) if self.state.pair[0] else None

    @property
    def space(self):
        """Central space taken in this turn, from 1, or None."""
        return self.state.progress.space or None

    @property
    def in_hand(self):
        """Tokens still to be placed, in the order WMTLFR."""
        return "".join([
            LETTERS[self.state.progress.hand[i]] for i in range(self.state.progress.n_hand)
        ])

    @property
    def card_taken(self):
        """True if a card was taken in this turn."""
        return bool(self.state.progress.card_taken)

    cdef const Player* _player(self, seat) except NULL:
        if not isinstance(seat, int) or not 1 <= seat <= self.rules.players:
            raise PositionError(f"seat: {ascii(seat):.40} (expected 1 to {self.rules.players})")
        return &self.state.player[<int>seat - 1]

    def stacks(self, seat):
        """Cell -> stack bottom to top, occupied cells only."""
        cdef const Player* p = self._player(seat)
        cdef Mask m = self.rules.table.cells & ~p.board.kind[EMPTY], cell
        cdef int kind
        found = {}
        while m:
            cell = m & (~m + 1)
            m ^= cell
            kind = kind_at(&p.board, cell)
            if kind == K_BLD:
                stack = "TR" if p.board.on_trunk & cell else (
                    "MR" if p.board.on_mountain & cell else "RR")
            else:
                stack = STACK_OF_KIND[kind]
            found[cell_name(lowest(cell))] = stack
        return found

    def cubes(self, seat):
        """Cell -> "animal" or "spirit"."""
        cdef const Player* p = self._player(seat)
        return {
            cell_name(i): "spirit" if p.board.spirit_cube & bit(i) else "animal"
            for i in range(64) if p.board.cubes & bit(i)
        }

    def hand(self, seat):
        """All cards, completed ones and the chosen spirit included, ascending by number."""
        cdef const Player* p = self._player(seat)
        cdef int i
        placed = {p.card[i]: p.placed[i] for i in range(MAX_HELD) if p.card[i]}
        for i in range(1, 128):
            if in_set(p.done, i):
                placed[i] = self.rules.table.card[i].n_cubes
        if p.spirit:
            placed[p.spirit] = int(p.board.spirit_cube != 0)
        cards = []
        for i in sorted(placed):
            points = self.rules.table.card[i].points[<int>placed[i]]
            if i == p.spirit and placed[i]:
                points = spirit_points(&self.rules.table.card[i].score, &p.board,
                                       self.rules.table.cells)
            cards.append(HeldCard(self.rules.catalogue.cards[i], placed[i], points))
        return tuple(cards)

    def empties(self, seat):
        """Number of empty cells."""
        return popcount(self._player(seat).board.kind[EMPTY])

    def cube_cells(self, card, seat=None):
        """Cells where a cube of this card could go on that board now, held or not."""
        cdef const Player* p = self._player(self.seat if seat is None else seat)
        cdef Mask m
        if not isinstance(card, int) or not 0 < card < 128 or not self.rules.table.card[
                <int>card].exists:
            raise PositionError(f"no card {ascii(card):.40} in {'+'.join(self.rules.packs)}")
        m = habitat_cells(&self.rules.table.card[<int>card].habitat, p.board.kind, ~p.board.cubes)
        return tuple([cell_name(i) for i in range(64) if m & bit(i)])

    def actions(self):
        """Legal next actions, "end" included where the turn may end; empty in other phases."""
        cdef uint16_t codes[MAX_ACTIONS]
        cdef int n = legal_actions(&self.rules.table, &self.state, codes)
        return [Action(action_text(codes[i])) for i in range(n)]

    def turns(self):
        """All distinct turns, one for each resulting position; rests of a turn in mid-turn."""
        return Turns(self)

    cdef int _play(self, Turn turn) except -1:
        """Play a turn on this very object; it is left in disorder on an error."""
        for number, code in enumerate(turn.codes, 1):
            if check_action(&self.rules.table, &self.state, code):
                raise IllegalActionError(
                    f"{shown(str(turn))}: action {number}, {action_text(code)}: {_why(self, code)}"
                )
            apply_action(&self.rules.table, &self.state, code)
        if (not turn.open and self.state.phase == IN_TURN
                and may_end(&self.rules.table, &self.state)):
            apply_action(&self.rules.table, &self.state, action_code(A_END, 0, 0))
        if turn.chance is not None:
            if self.state.phase == IN_TURN and turn.chance and not self.between_turns:
                raise IllegalActionError(
                    f"{shown(str(turn))}: a chance part after an unfinished turn"
                )
            self._reveal(turn.chance)
        return 0

    def push(self, turn):
        """Play a turn with its chance part, if it has one. Raises IllegalActionError or
        NotationError and changes nothing."""
        cdef Position after = self.copy()
        after._play(turn if isinstance(turn, Turn) else Turn(turn))
        self.state = after.state

    def push_action(self, action):
        """Play one action; "end" ends the turn."""
        cdef uint16_t code = Action(action).code
        if check_action(&self.rules.table, &self.state, code):
            raise IllegalActionError(f"{action}: {_why(self, code)}")
        apply_action(&self.rules.table, &self.state, code)

    def pending(self):
        """What the dealer owes; nothing except in phase "chance"."""
        if self.state.phase != CHANCE:
            return Pending(0, 0, False)
        return Pending(
            pending_spaces(&self.rules.table, &self.state),
            pending_cards(&self.rules.table, &self.state),
            pending_pair(&self.rules.table, &self.state),
        )

    cdef int _reveal(self, text) except -1:
        cdef uint8_t group[3]
        groups, cards, pair = parse_chance(text)
        due = self.pending()
        if (len(groups), len(cards), pair is not None) != (due.spaces, due.cards, due.pair):
            if self.state.phase == OVER and not text:
                return 0
            raise IllegalActionError(
                f"{shown(text)}: {len(groups)} groups, {len(cards)} cards, "
                f"{'a' if pair else 'no'} spirit pair; due are {due.spaces}, {due.cards}, "
                f"{'a' if due.pair else 'no'} pair"
            )
        for tokens in groups:
            for i, token in enumerate(tokens):
                if self.state.bag[<int>token] < tokens.count(token):
                    raise IllegalActionError(
                        f"{shown(text)}: the bag has {self.state.bag[<int>token]} tokens "
                        f"{LETTERS[token]} left"
                    )
                group[<int>i] = token
            reveal_group(&self.state, group)
        for card in cards:
            if not in_set(self.state.unseen, card):
                raise IllegalActionError(f"{shown(text)}: card {card} is not among the unseen ones")
            reveal_card(&self.state, card)
        if pair:
            for card in pair:
                if not self.rules.table.card[<int>card].is_spirit:
                    raise IllegalActionError(f"{shown(text)}: card {card} is no spirit")
                if pair[0] == pair[1] or any(
                    self.state.player[i].spirit == card for i in range(self.rules.players)
                ):
                    raise IllegalActionError(f"{shown(text)}: spirit {card} is out already")
            self.state.pair[0] = pair[0]
            self.state.pair[1] = pair[1]
        settle_chance(&self.rules.table, &self.state)
        return 0

    def push_chance(self, text):
        """Play what the dealer reveals, e.g. "WMT+21". Raises and changes nothing."""
        cdef Position after = self.copy()
        if self.state.phase != CHANCE:
            raise IllegalActionError(f"{shown(text)}: nothing is to be dealt")
        after._reveal(text)
        self.state = after.state

    def canonical(self, turn):
        """The same actions in canonical order, legal here. Raises as push does."""
        cdef Turn given = turn if isinstance(turn, Turn) else Turn(turn)
        cdef Turn ordered
        self.copy().push(given)
        ordered = canonical_turn(self, given.codes)
        ordered.chance = given.chance
        ordered.open = given.open
        return ordered

    def score(self, seat):
        """Points as if the game ended now."""
        cdef const Player* p = self._player(seat)
        cdef Landscape land
        cdef int spirit = 0
        score_landscape(&land, &p.board, self.rules.table.side, self.rules.table.cells,
                        self.rules.table.loop)
        if p.board.spirit_cube:
            spirit = spirit_points(&self.rules.table.card[p.spirit].score, &p.board,
                                   self.rules.table.cells)
        return Score(
            land.trees, land.mountains, land.fields, land.buildings, land.water,
            animal_points(&self.rules.table, p), spirit, p.n_cubes,
            {held.card.id: held.points for held in self.hand(seat)},
        )

    def scores(self):
        """Scores of all seats."""
        return tuple([self.score(seat) for seat in range(1, self.rules.players + 1)])

    def is_over(self):
        """True once the game has ended."""
        return self.state.phase == OVER

    def result(self):
        """Totals, cubes, ranks, winners, suns, as if the game ended now."""
        scores = self.scores()
        totals = tuple([score.total for score in scores])
        cubes = tuple([score.cubes for score in scores])
        marks = list(zip(totals, cubes))
        ranks = tuple([1 + sum([other > mark for other in marks]) for mark in marks])
        winners = tuple([seat for seat, rank in enumerate(ranks, 1) if rank == 1])
        return Result(totals, cubes, ranks, winners, self._suns(totals[0]))

    def _suns(self, points):
        if not self.rules.solo:
            return None
        suns = sum([points >= step for step in (40, 70, 90, 110, 130, 140, 150, 160)])
        if self.rules.side == "A":
            suns += 1
        if not self.rules.spirits:
            return suns + 2
        spirit = self.state.player[0].spirit
        if spirit and self.rules.catalogue.cards[spirit].score.by == "groups":
            suns += 1
        return suns

    def key(self):
        """64-bit hash of the position, the same in every run and on every machine."""
        return state_key(&self.state)

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return self.rules == (<Position>other).rules and self.hfen() == other.hfen()

    def __hash__(self):
        return hash((self.rules, state_key(&self.state)))

    def __repr__(self):
        user = [pack for pack in self.rules.pack_objects if pack.name not in ("base", "pulse")]
        extra = f", packs={user!r}" if user else ""
        return f"Position.from_hfen({self.hfen()!r}{extra})"

    def __str__(self):
        return self.hfen()

    def __reduce__(self):
        return _position, (self.hfen(), self.rules.pack_objects)


def _position(text, packs):
    return Position.from_hfen(text, packs)
