"""The trees of Monte Carlo tree search: one for each seat, of its own landscapes."""

from libc.stdint cimport uint64_t

from harmonies_core.dealer cimport Deal
from harmonies_core.search.beam cimport Beam, Node
from harmonies_core.search.limits cimport Limits
from harmonies_core.state cimport RuleTable, State
from harmonies_core.values.features cimport Pace
from harmonies_core.values.inference cimport Hidden, PlayNet

cdef enum:
    NONE = -1
    ROOTS = 64                  # candidates at the root, at most


cdef struct Edge:
    Node turn
    int card                    # card taken, 0 = none
    int next                    # another edge of the same group
    int below                   # landscape it leads to
    int visits
    double total                # of final points expected further down


cdef struct Place:
    # A seat's landscape before its turn.
    Node start
    Hidden base
    Pace pace
    uint64_t salt
    int first[56]               # edges by group; NONE = not looked at yet
    double gain                 # sum over visits: points that looking further added
    int visits
    uint64_t key                # of the landscape, the seat and its turn


cdef struct Root:
    Node turn
    int place[2]                # landscape after it: ordinary, last turn
    int visits
    double total                # of utility
    double points[4]
    double squares[4]


cdef struct Tree:
    const RuleTable* rules
    const PlayNet* net
    Limits limits
    int objective
    uint64_t seed
    const State* s
    Beam* beam
    Edge* edge
    Place* place
    int n_edges
    int n_places
    int most_edges
    int most_places
    bint full
    int n_roots
    Root root[64]
    int theirs[4][2]
    int* table              # landscapes by key: number + 1, a power of 2 of them
    int table_size
    int visits
    int deepest
    Deal deal


cdef class TreeMemory:
    cdef Tree* t
