"""The learned value function: its file, and networks ready to play."""

from harmonies_core.state cimport RuleTable
from harmonies_core.values.inference cimport PlayNet
from harmonies_core.values.parameters cimport Net

cdef enum:
    N_NETWORKS = 4


cdef class Weights:
    cdef Net* net               # for side A without and with spirits, side B likewise
    cdef PlayNet* play          # the same, rounded
    cdef void* memory           # where they are kept
    cdef readonly str source
    cdef readonly dict header


# The network for a kind of game.
cdef inline const PlayNet* network_for(Weights weights, const RuleTable* rules) noexcept:
    return &weights.play[2 * rules.side + rules.spirits]
