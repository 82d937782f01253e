"""Look-ahead: candidate turns, sampled refills, everyone's best reply until one's own."""

from libc.stdint cimport uint64_t

from harmonies_core.dealer cimport Deal
from harmonies_core.search.base cimport MAX_THREADS
from harmonies_core.search.beam cimport Beam, Node, Width
from harmonies_core.search.crew cimport Crew
from harmonies_core.search.limits cimport Limits
from harmonies_core.search.replies cimport Replies
from harmonies_core.search.utility cimport Outlook
from harmonies_core.state cimport RuleTable, State
from harmonies_core.values.inference cimport PlayNet

cdef enum:
    MAX_CANDIDATES = 64
    MAX_SAMPLES = 256
    LATER = 1024            # own landscapes of later rounds that are remembered, a power of 2


cdef struct Plan:
    # How wide to look: one level of deepening.
    Width root
    Width reply
    int candidates
    int samples
    int halve               # samples after which the worse half is dropped for the first time
    int settled             # samples after which it may change the choice
    int rounds              # own turns that follow
    bint again              # the best candidates of the level before, no new ones


cdef struct Candidate:
    Node turn
    int done                # samples so far
    int owner               # thread that took the last one
    double utility          # mean over the samples that count
    Outlook outlook
    Replies* mine           # ordinary, last turn


cdef struct Worker:
    # What belongs to one thread.
    Beam* beam
    Replies* theirs         # two of each seat: ordinary, last turn
    Replies* later          # own landscapes of later rounds
    uint64_t later_key[1024]
    Deal deal
    int dealt               # sample that it is the deal of; -1 = none
    int deepest             # turns that a sample of this search went on for, at most
    uint64_t seen           # nodes that were added up already


cdef struct Lookahead:
    # One search; the caller sets the first block.
    const RuleTable* rules
    const PlayNet* net
    int objective
    Limits limits
    uint64_t seed
    int threads
    bint blind              # the other seats never reply
    int keep                # candidates that are never dropped
    # The rest is the search's own.
    Plan plan
    const State* root
    int n
    int alive               # the first of the candidates still take part
    bint stopped
    uint64_t nodes
    uint64_t together       # nodes of this level, where there are several threads
    Crew crew
    Candidate candidate[64]
    Replies* mine
    double utility[64][256]     # by the number of `mine`, and sample
    float value[64][256][4]
    float error[64][256][4]
    Worker worker[64]


cdef class Memory:
    cdef Lookahead* x
    cdef readonly int threads

cdef void look_ahead(Lookahead* x, const State* s, const Plan* plan) noexcept nogil
