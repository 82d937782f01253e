"""SplitMix64: the one generator of the project, always passed in by its owner."""

from libc.stdint cimport uint64_t


cdef struct Rng:
    uint64_t s


cdef inline uint64_t rng_next(Rng* g) noexcept nogil:
    cdef uint64_t z
    g.s += <uint64_t>0x9E3779B97F4A7C15
    z = g.s
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


# The high 32 bits scaled to 0 .. n-1; for n <= 2^16 the bias is below 2^-16 and irrelevant here.
cdef inline unsigned int rng_below(Rng* g, unsigned int n) noexcept nogil:
    return <unsigned int>(((rng_next(g) >> 32) * n) >> 32)


# Independent stream `k` (0 to 3) of a seed: docs/notation.md, "How a seed deals".
cdef inline Rng rng_stream(uint64_t seed, unsigned int k) noexcept nogil:
    cdef Rng g
    g.s = 4 * seed + k
    g.s = rng_next(&g)
    return g
