"""The hex grid as bits of a 64-bit word, one layout for both sides.

The cell in column q (0 = a) and axial row r = row - q // 2 (row 0-based from the top) is bit
8 * q + r + 3. Axial r runs from -3 to 4, so a step to any of the six neighbours is a shift by
1, 7 or 8 bits, and a step off the board lands on a bit that is no cell of the side.
"""

from libc.stdint cimport uint64_t, uint8_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int hm_popcount(uint64_t x) {
        x = x - ((x >> 1) & 0x5555555555555555ull);
        x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
        return (int)((x * 0x0101010101010101ull) >> 56);
    }
    static inline int hm_lowest(uint64_t x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    #else
    static inline int hm_popcount(uint64_t x) {
    #if defined(__POPCNT__) || !defined(__x86_64__)
        return __builtin_popcountll(x);
    #else
        /* Faster than the library call that it would become. */
        x = x - ((x >> 1) & 0x5555555555555555ull);
        x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
        return (int)((x * 0x0101010101010101ull) >> 56);
    #endif
    }
    static inline int hm_lowest(uint64_t x) { return __builtin_ctzll(x); }
    #endif
    static inline uint64_t hm_rotate(uint64_t x, unsigned n) {
        return (x >> (n & 63)) | (x << ((64 - n) & 63));
    }
    """
    int popcount "hm_popcount"(uint64_t x) noexcept nogil
    # Index of the lowest set bit; x must not be 0.
    int lowest "hm_lowest"(uint64_t x) noexcept nogil
    uint64_t rotate "hm_rotate"(uint64_t x, unsigned n) noexcept nogil

ctypedef uint64_t Mask


cdef inline Mask bit(int cell) noexcept nogil:
    return (<Mask>1) << cell


# All cells next to a cell of `m` (cells of `m` itself only where they are each other's).
cdef inline Mask neighbours(Mask m, Mask cells) noexcept nogil:
    return ((m << 1) | (m >> 1) | (m << 8) | (m >> 8) | (m << 7) | (m >> 7)) & cells


# The connected component of `within` that contains `seed`.
cdef inline Mask flood(Mask seed, Mask within) noexcept nogil:
    cdef Mask found = seed, grown
    while True:
        grown = found | neighbours(found, within)
        if grown == found:
            return found
        found = grown


# The k-th set bit (from 0) as a mask; m must have more than k bits.
cdef inline Mask nth_bit(Mask m, int k) noexcept nogil:
    while k > 0:
        m &= m - 1
        k -= 1
    return m & (~m + 1)


cdef Mask side_cells(int side) noexcept nogil
cdef int cell_index(int column, int row) noexcept nogil
cdef int cell_column(int cell) noexcept nogil
cdef int cell_row(int cell) noexcept nogil
