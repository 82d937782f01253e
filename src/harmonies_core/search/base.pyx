"""What all searchers share: options, limits, and how they report."""

from collections import namedtuple

from libc.stdint cimport uint64_t

from harmonies_core.game cimport Position, canonical_turn
from harmonies_core.search.beam cimport Node, Width
from harmonies_core.search.clock cimport now
from harmonies_core.search.limits cimport Limits, StopFlag
from harmonies_core.search.utility cimport Outlook
from harmonies_core.values.network cimport Net, Weights

from harmonies_core.values.weights import default_weights

Found = namedtuple("Found", "turn points sd chances")

OBJECTIVES = ("win", "points")


cdef class Searcher:
    """One algorithm with its options and its memory.

    A subclass has `think(position, limit, multipv, stop, on_info)`. It returns (candidates, best
    first; depth in turns; nodes) and calls `on_info` with the same whenever something new is
    known. One object serves one search at a time.
    """

    def __init__(self, Weights weights=None, int threads=1, str objective="win", seed=0):
        self.weights = default_weights() if weights is None else weights
        self.threads = threads
        self.objective = OBJECTIVES.index(objective)
        self.seed = seed
        self.never = 0

    cdef const Net* net(self, Position position) except NULL:
        return &self.weights.net[position.rules.table.side]

    cdef void set_limits(self, Limits* out, object limit, StopFlag stop):
        """A node is one landscape valued. The time begins now."""
        out.stop = &self.never if stop is None else &stop.flag
        out.deadline = 0 if limit.movetime is None else now() + limit.movetime / 1000
        out.most_nodes = <uint64_t>1 << 62
        if limit.nodes is not None:
            out.most_nodes = max(1, min(limit.nodes, 1 << 62))

    def forget(self):
        """Drop what was kept from earlier searches."""


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
