"""One player's landscape: stacks as one mask per kind, cubes, and what may be placed where."""

from libc.stdint cimport uint8_t
from harmonies_core.grid cimport Mask

cdef enum:
    KINDS = 13
    TOKENS = 6
    NO_TOKEN = 6
    # token colours, in the order of all texts
    W = 0
    M = 1
    T = 2
    L = 3
    F = 4
    R = 5
    # stack kinds
    EMPTY = 0
    K_W = 1
    K_F = 2
    K_L = 3
    K_TL = 4
    K_TTL = 5
    K_M = 6
    K_MM = 7
    K_MMM = 8
    K_T = 9
    K_TT = 10
    K_R = 11
    K_BLD = 12


cdef struct Board:
    Mask kind[13]        # cells of each stack kind; every cell of the side is in exactly one
    Mask on_trunk        # buildings that stand on T; those on neither T nor M stand on R
    Mask on_mountain     # buildings that stand on M
    Mask cubes           # cells with any cube: nothing can be placed there any more
    Mask spirit_cube     # the one of them that is the spirit's, or 0

cdef extern from *:
    """
    /* For each token: the kinds it may be put on and the kinds that result (RULES.md, 14 stacks:
       W, F on empty; L on empty, T, TT; T on empty, T; M on empty, M, MM; R on empty, T, M, R). */
    static const unsigned char HM_SOURCES[6] = {1, 3, 2, 3, 1, 4};
    static const unsigned char HM_FROM[6][4] = {
        {0}, {0, 6, 7}, {0, 9}, {0, 9, 10}, {0}, {0, 9, 6, 11}};
    static const unsigned char HM_TO[6][4] = {
        {1}, {6, 7, 8}, {9, 10}, {3, 4, 5}, {2}, {11, 12, 12, 12}};
    static const unsigned char HM_HEIGHT[13] = {0, 1, 1, 1, 2, 3, 1, 2, 3, 1, 2, 1, 2};
    static const unsigned char HM_TOP[13] = {6, 0, 4, 3, 3, 3, 1, 1, 1, 2, 2, 5, 5};
    """
    const unsigned char[6] SOURCES "HM_SOURCES"
    const unsigned char[6][4] FROM "HM_FROM"
    const unsigned char[6][4] TO "HM_TO"
    const unsigned char[13] HEIGHT "HM_HEIGHT"
    const unsigned char[13] TOP "HM_TOP"        # colour of the top token


# Cells on which a token may be put.
cdef inline Mask legal_cells(const Board* b, int token) noexcept nogil:
    cdef Mask m = b.kind[EMPTY]
    cdef int i
    for i in range(1, SOURCES[token]):
        m |= b.kind[FROM[token][i]]
    return m & ~b.cubes


# Put a token on a legal cell (given as a mask of one bit).
cdef inline void place_token(Board* b, int token, Mask cell) noexcept nogil:
    cdef int i, source = 0
    for i in range(SOURCES[token]):
        source = FROM[token][i]
        if b.kind[source] & cell:
            b.kind[source] ^= cell
            b.kind[TO[token][i]] |= cell
            if token == R:
                if source == K_T:
                    b.on_trunk |= cell
                elif source == K_M:
                    b.on_mountain |= cell
            return


cdef inline int kind_at(const Board* b, Mask cell) noexcept nogil:
    cdef int k
    for k in range(KINDS):
        if b.kind[k] & cell:
            return k
    return EMPTY


cdef void clear_board(Board* b, int side) noexcept nogil
cdef void count_tokens(const Board* b, int* counts) noexcept nogil
cdef int set_stack(Board* b, Mask cell, str stack) except -1
