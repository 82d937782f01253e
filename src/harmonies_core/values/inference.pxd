"""A network as it plays: its parameters rounded to whole numbers."""

from libc.stdint cimport int16_t, int32_t, uint16_t

from harmonies_core.values.features cimport N_FEATURES, Change, Pace, View
from harmonies_core.values.parameters cimport H1, H2, HEADS, Net


cdef struct Head:
    int16_t w2[H1 * H2]         # row 2 i and row 2 i + 1 of the second layer take turns
    int32_t b2[H2]
    float w3[2 * H2]
    float b3[2]
    float unit                  # what 1 in a sum of the second layer stands for
    float spare[13]             # so that each begins at a cache line


cdef struct PlayNet:
    int16_t w1[N_FEATURES * H1]
    int16_t b1[H1]
    Head head[HEADS]


cdef struct Hidden:
    # Sums of the first layer, before the activation.
    int16_t h[H1]


cdef void round_network(const Net* net, PlayNet* out) noexcept nogil
cdef void add_rows(Hidden* sums, const PlayNet* net, const uint16_t* rows, int n) noexcept nogil
cdef void change_rows(Hidden* sums, const PlayNet* net, const Change* change) noexcept nogil
cdef void pace_hidden(const PlayNet* net, const Pace* pace, Hidden* out) noexcept nogil
cdef void run_network(
    const PlayNet* net, const Hidden* base, const View* v, float* out
) noexcept nogil
