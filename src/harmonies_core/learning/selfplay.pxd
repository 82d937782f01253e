"""Games that a network plays to learn from."""

from libc.stdint cimport uint64_t

from harmonies_core.learning.samples cimport Moment
from harmonies_core.search.beam cimport Beam, Node, Width
from harmonies_core.search.expectimax cimport Memory, Plan as LookPlan
from harmonies_core.state cimport MAX_SEATS, RuleTable, State
from harmonies_core.rng cimport Rng
from harmonies_core.values.handmade cimport Weights as HandWeights
from harmonies_core.values.inference cimport PlayNet

cdef enum:
    MAX_PLIES = 160             # moments of one seat in one game that are kept
    MAX_MIXTURE = 32            # configurations of a plan


cdef struct Trace:
    # One seat's moments of the game that is being played.
    int n
    Moment moment[160]


cdef class Plan:
    cdef readonly list rules                # keeps the tables alive
    cdef const RuleTable* table[32]
    cdef int share[32]
    cdef int n_tables
    cdef int total                          # of the shares
    cdef int style_share[4]                 # by style of beam.pxd
    cdef int style_total
    cdef Width width
    cdef bint looking                       # turns are chosen by look-ahead
    cdef LookPlan look
    cdef double decay
    cdef uint64_t whim                      # of 2^32: a turn that is not the best
    cdef uint64_t others                    # of 2^32: a game with other styles


cdef int read_width(tuple numbers, Width* out) except -1


cdef class Games:
    cdef Moment* moment
    cdef readonly int n
    cdef int room
    # What is needed while they are played.
    cdef PlayNet net
    cdef HandWeights hand
    cdef Beam* beam
    cdef Trace* trace
    cdef Memory memory                      # of the look-ahead
    cdef Rng rng
    cdef int never

    cdef bint play(self, Plan plan, uint64_t seed, int number, bint warm) noexcept nogil
    cdef void note(
        self, const RuleTable* rules, const State* s, int seat, int number) noexcept nogil
    cdef Node* look(self, Plan plan, const RuleTable* rules, const State* s) noexcept nogil
    cdef bint keep_searched(
        self, const RuleTable* rules, const State* s, int number) noexcept nogil
    cdef bint room_for(self, int moments) noexcept nogil
    cdef bint keep(self, int seat, float final, float decay) noexcept nogil
