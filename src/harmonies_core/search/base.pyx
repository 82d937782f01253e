"""What all searchers share: options, limits, and how they report."""

from collections import namedtuple

from libc.stdint cimport uint64_t
from libc.string cimport memset

from harmonies_core.game cimport Position, Turn, canonical_turn
from harmonies_core.search.beam cimport (
    MAX_PATH, MAX_TURNS, Beam, Node, Width, find_turns, judge, offer, ready_beam,
)
from harmonies_core.search.clock cimport now
from harmonies_core.search.limits cimport Limits, StopFlag
from harmonies_core.search.outlook cimport end_of_turn, position_outlook
from harmonies_core.search.utility cimport Outlook
from harmonies_core.state cimport (
    A_DISCARD, A_TAKE, RuleTable, State, action_code, action_kind, apply_action,
)
from harmonies_core.values.inference cimport PlayNet
from harmonies_core.values.network cimport Weights, network_for

from harmonies_core.values.weights import default_weights

cdef enum:
    DISCARDERS = 4              # turns for which discards are tried

Found = namedtuple("Found", "turn points sd chances")

OBJECTIVES = ("win", "points")


cdef class Searcher:
    """One algorithm with its options and its memory.

    A subclass has `think(position, limit, multipv, stop, on_info, only)`. It returns (candidates,
    best first; depth; nodes) and calls `on_info` with the same whenever something new is known.
    `only` restricts the choice to these whole turns. One object serves one search at a time.
    """

    def __init__(self, Weights weights=None, int threads=1, str objective="win", seed=0):
        self.weights = default_weights() if weights is None else weights
        self.threads = threads
        self.objective = OBJECTIVES.index(objective)
        self.seed = seed
        self.noise = 0
        self.most_nodes = None
        self.seldepth = 1
        self.hash_size = 64
        self.never = 0
        check_threads(self)

    cdef const PlayNet* net(self, Position position) except NULL:
        return network_for(self.weights, &position.rules.table)

    cdef void set_limits(self, Limits* out, object limit, StopFlag stop):
        """A node is one landscape valued. The time begins now."""
        out.stop = &self.never if stop is None else &stop.flag
        out.deadline = 0 if limit.movetime is None else now() + limit.movetime / 1000
        out.most_nodes = <uint64_t>1 << 62
        out.together = NULL
        for most in (limit.nodes, self.most_nodes):
            if most is not None and most < out.most_nodes:
                out.most_nodes = max(1, most)

    def forget(self):
        """Drop what was kept from earlier searches."""


cdef int check_threads(Searcher searcher) except -1:
    if not 1 <= searcher.threads <= MAX_THREADS:
        raise ValueError(f"threads: {searcher.threads} is not a number from 1 to {MAX_THREADS}")
    return 0


cdef void set_width(Width* w, int cards, int first, int second, int third, bint later) noexcept:
    w.cards = cards
    w.first = first
    w.second = second
    w.third = third
    w.cube_later = later


cdef object found(Position position, const Node* turn, const Outlook* outlook):
    """A candidate for Python: turn, points by seat, deviations by seat, (win, draw, loss)."""
    cdef int i, n = position.rules.players
    codes = tuple([turn.action[i] for i in range(turn.n)])
    return Found(
        canonical_turn(position, codes),
        tuple([outlook.points[i] for i in range(n)]),
        tuple([outlook.sd[i] for i in range(n)]),
        (outlook.win[0], outlook.win[1], outlook.win[2]),
    )


cdef void set_noise(Beam* b, Searcher searcher, Position position):
    b.noise = searcher.noise
    b.noise_seed = (int(searcher.seed) * 0x9E3779B97F4A7C15 + position.key()) % 2**64


cdef int with_discards(const RuleTable* rules, const State* s, Node* turn, int n) noexcept nogil:
    """Solo: after each of the best turns without a card, the same with each discard.

    The list has room for MAX_TURNS; its new length is returned. Their values are equal: only
    what comes up instead tells them apart.
    """
    cdef int i = 0, j, k, first, done = 0
    cdef bint takes
    if not rules.solo or s.progress.discarded or s.progress.card_taken:
        return n
    while i < n and done < DISCARDERS:
        takes = False
        for j in range(turn[i].n):
            takes = takes or action_kind(turn[i].action[j]) == A_TAKE
        i += 1
        if takes or turn[i - 1].n >= MAX_PATH:
            continue
        done += 1
        first = i - 1
        for k in range(rules.spaces):
            if s.row[k] == 0 or i == MAX_TURNS:
                continue
            for j in range(min(n, MAX_TURNS - 1), i, -1):
                turn[j] = turn[j - 1]
            n = min(n + 1, MAX_TURNS)
            turn[i] = turn[first]
            turn[i].action[turn[i].n] = action_code(A_DISCARD, s.row[k], 0)
            turn[i].n += 1
            i += 1
    return n


cdef int find_candidates(Beam* b, Position position, only) except -1:
    """The best turns into the beam's list, or those of the turns given."""
    cdef State s
    cdef Node node
    cdef Turn turn
    cdef uint64_t key = 0
    if only is None:
        with nogil:
            find_turns(b, &position.state)
        return 0
    ready_beam(b, &position.state)
    for turn in only:
        s = position.state
        memset(&node, 0, sizeof(Node))
        for code in turn.codes[:MAX_PATH]:
            apply_action(&position.rules.table, &s, code)
            node.action[node.n] = code
            node.n += 1
        node.me = s.player[s.seat]
        node.space = s.progress.space
        node.card_taken = s.progress.card_taken
        key += 1
        node.key = key
        judge(b, &node)
        offer(b, &node)
    return 0


def expected_points(Position position not None, Weights weights=None):
    """Expected final points of every seat, without search."""
    cdef Outlook outlook
    cdef int i
    if weights is None:
        weights = default_weights()
    position_outlook(&position.rules.table, network_for(weights, &position.rules.table),
                     &position.state, &outlook)
    return [outlook.points[i] for i in range(position.rules.players)]


def outlook_after(Position position not None, Turn turn not None, Weights weights not None):
    """What is expected after a turn, without search: a candidate."""
    cdef State s = position.state
    cdef Outlook outlook
    cdef int i, n = position.rules.players
    for code in turn.codes:
        apply_action(&position.rules.table, &s, code)
    end_of_turn(
        &position.rules.table, network_for(weights, &position.rules.table), &s, &outlook)
    return Found(
        turn,
        tuple([outlook.points[i] for i in range(n)]),
        tuple([outlook.sd[i] for i in range(n)]),
        (outlook.win[0], outlook.win[1], outlook.win[2]),
    )
