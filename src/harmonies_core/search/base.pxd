"""What all searchers share."""

from libc.stdint cimport uint64_t

from harmonies_core.game cimport Position
from harmonies_core.search.beam cimport Beam, Node, Width
from harmonies_core.search.limits cimport Limits, StopFlag
from harmonies_core.search.utility cimport Outlook
from harmonies_core.state cimport RuleTable, State
from harmonies_core.values.inference cimport PlayNet
from harmonies_core.values.network cimport Weights


cpdef enum:
    MAX_THREADS = 64


cdef class Searcher:
    cdef public Weights weights
    cdef public int threads
    cdef public int objective
    cdef public object seed
    cdef public double noise        # points by which judgement may err
    cdef public object most_nodes   # whatever the limit says; None = no such cap
    cdef public int hash_size       # megabytes for what is kept between turns
    cdef readonly int seldepth      # turns that the longest line of the last search has
    cdef int never

    cdef const PlayNet* net(self, Position position) except NULL
    cdef void set_limits(self, Limits* out, object limit, StopFlag stop)

cdef int check_threads(Searcher searcher) except -1
cdef void set_width(Width* w, int cards, int first, int second, int third, bint later) noexcept
cdef object found(Position position, const Node* turn, const Outlook* outlook)
cdef void set_noise(Beam* b, Searcher searcher, Position position)
cdef int with_discards(const RuleTable* rules, const State* s, Node* turn, int n) noexcept nogil
cdef int find_candidates(Beam* b, Position position, only) except -1
