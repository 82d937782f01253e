"""The parameters of the learned value function: how many there are, and where each of them is."""

from harmonies_core.values.features cimport N_FEATURES

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


cdef struct Net:
    float p[N_PARAMETERS]


# The part of the game, from 0 to HEADS - 1, of a landscape with so many empty cells.
cdef inline int part_of(int empties) noexcept nogil:
    return empties // 6 if empties < 24 else 3


# Where the head begins that judges a landscape with so many empty cells.
cdef inline int head_of(int empties) noexcept nogil:
    return P_HEADS + HEAD * part_of(empties)
