"""The learned value function: a small network over active features."""

from libc.stdint cimport uint16_t

from harmonies_core.state cimport Player, RuleTable
from harmonies_core.values.features cimport N_FEATURES, Change, Pace, View

cdef enum:
    H1 = 64
    H2 = 32
    # Offsets into the parameters, in floats.
    P_B1 = N_FEATURES * H1
    P_HEADS = P_B1 + H1         # all that follows the first layer, once for each part of the game
    HEADS = 4
    # In a head:
    P_W2 = 0                    # one row of H2 for each unit of the first layer
    P_B2 = P_W2 + H1 * H2
    P_W3 = P_B2 + H2            # two outputs: points to come, and their mean error
    P_B3 = P_W3 + 2 * H2
    HEAD = P_B3 + 2
    N_PARAMETERS = P_HEADS + HEADS * HEAD
    N_NETWORKS = 4


cdef struct Net:
    float p[N_PARAMETERS]


cdef struct Hidden:
    # Sums of the first layer, before the activation.
    float h[H1]


# Where the head begins that judges a landscape with so many empty cells.
cdef inline int head_of(int empties) noexcept nogil:
    return P_HEADS + HEAD * (empties // 6 if empties < 24 else 3)


cdef class Weights:
    cdef Net* net               # for side A without and with spirits, side B likewise
    cdef readonly str source
    cdef readonly dict header


# The network for a kind of game.
cdef inline const Net* network_for(Weights weights, const RuleTable* rules) noexcept:
    return &weights.net[2 * rules.side + rules.spirits]

cdef void add_rows(float* acc, const float* w, const uint16_t* rows, int n) noexcept nogil
cdef void change_rows(float* acc, const float* w, const Change* change) noexcept nogil
cdef void pace_hidden(const Net* net, const Pace* pace, Hidden* out) noexcept nogil
cdef void run_network(const Net* net, const Hidden* base, const View* v, float* out) noexcept nogil
