"""How many tokens a habitat lacks at every cube cell of a landscape."""

cimport harmonies_core.values.clones  # noqa: F401
from harmonies_core.board cimport (
    EMPTY, K_BLD, K_M, K_MM, K_MMM, K_R, K_T, K_TL, K_TT, K_TTL, TOP,
)
from harmonies_core.grid cimport Mask
from harmonies_core.habitats cimport Habitat
from harmonies_core.state cimport Player


# Four orientations of a habitat at once: what is lacking at the cube cell and at the further
# cells adds up, and more than three does not count.
cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__)
    #define HM_COUNT(x) __builtin_popcountll(x)   /* one instruction where there is one */
    typedef uint64_t hm_m4 __attribute__((vector_size(32), aligned(8), may_alias));
    #define HM_STEP 4
    #define HM_ALL(x) ((hm_m4){(x), (x), (x), (x)})
    #define HM_ANY(x) ((x)[0] | (x)[1] | (x)[2] | (x)[3])
    #else
    #define HM_COUNT(x) hm_popcount(x)
    typedef uint64_t hm_m4;
    #define HM_STEP 1
    #define HM_ALL(x) (x)
    #define HM_ANY(x) (x)
    #endif
    #define HM_TURN(x, by, back) ((HM_ALL(x) >> (by)) | (HM_ALL(x) << (back)))

    #if defined(__x86_64__) && defined(__GNUC__)
    #define HM_INLINE static inline __attribute__((always_inline))
    #else
    #define HM_INLINE static
    #endif

    HM_INLINE void hm_shortage_as(const uint64_t* cube, const uint64_t* other, int n_others,
                            const uint64_t* anchor, const uint64_t* offset, int n, uint64_t* found,
                            int* count, int* missing) {
        hm_m4 f0 = HM_ALL(0), f1 = f0, f2 = f0, f3 = f0;
        hm_m4 one[7], lone[7];  /* one token is lacking, and it is at this cell */
        int i, j, k;
        for (j = 0; j <= n_others; j++)
            lone[j] = HM_ALL(0);
        for (i = 0; i < n; i += HM_STEP) {
            const hm_m4 fits = *(const hm_m4*)(anchor + i);
            hm_m4 a0 = HM_ALL(cube[0]) & fits, a1 = HM_ALL(cube[1]) & fits;
            hm_m4 a2 = HM_ALL(cube[2]) & fits, a3 = HM_ALL(cube[3]) & fits;
            one[0] = a1;
            for (j = 0; j < n_others; j++) {
                const uint64_t* o = other + 4 * j;
                const hm_m4 by = *(const hm_m4*)(offset + 12 * j + i);
                const hm_m4 back = (HM_ALL(64) - by) & HM_ALL(63);
                const hm_m4 b0 = HM_TURN(o[0], by, back), b1 = HM_TURN(o[1], by, back);
                const hm_m4 b2 = HM_TURN(o[2], by, back), b3 = HM_TURN(o[3], by, back);
                a3 = (a3 & b0) | (a2 & b1) | (a1 & b2) | (a0 & b3);
                a2 = (a2 & b0) | (a1 & b1) | (a0 & b2);
                for (k = 0; k <= j; k++)
                    one[k] &= b0;
                one[j + 1] = a0 & b1;
                a1 = (a1 & b0) | one[j + 1];
                a0 = a0 & b0;
            }
            for (j = 0; j <= n_others; j++)
                lone[j] |= one[j];
            f0 |= a0; f1 |= a1; f2 |= a2; f3 |= a3;
        }
        found[0] = HM_ANY(f0);
        found[1] = HM_ANY(f1) & ~found[0];
        found[2] = HM_ANY(f2) & ~(found[0] | found[1]);
        found[3] = HM_ANY(f3) & ~(found[0] | found[1] | found[2]);
        for (i = 0; i < 4; i++)
            count[i] = HM_COUNT(found[i]);
        *missing = 0;
        for (j = 0; j <= n_others; j++)
            if (HM_ANY(lone[j]) & found[1])
                *missing |= 1 << j;
    }

    #define HM_LIST const uint64_t* cube, const uint64_t* other, int n_others, \
        const uint64_t* anchor, const uint64_t* offset, int n, uint64_t* found, int* count, \
        int* missing
    /* With the number of further cells known, the compiler keeps all sets in registers. */
    #define HM_SHORTAGE_OF(n_others) \
        hm_shortage_as(cube, other, n_others, anchor, offset, n, found, count, missing)
    #define HM_SHORTAGE \
        switch (n_others) { \
        case 1: HM_SHORTAGE_OF(1); break; \
        case 2: HM_SHORTAGE_OF(2); break; \
        case 3: HM_SHORTAGE_OF(3); break; \
        default: HM_SHORTAGE_OF(n_others); \
        }
    #define HM_SAME cube, other, n_others, anchor, offset, n, found, count, missing

    #if defined(__x86_64__) && defined(__GNUC__)
    __attribute__((target("avx512f,avx512vl,avx2,popcnt")))
    static void hm_shortage_vl(HM_LIST) { HM_SHORTAGE }
    __attribute__((target("avx2,popcnt")))
    static void hm_shortage_avx2(HM_LIST) { HM_SHORTAGE }
    static void hm_shortage_any(HM_LIST) { HM_SHORTAGE }
    static void hm_shortage(HM_LIST) {
        if (__builtin_cpu_supports("avx512vl")) hm_shortage_vl(HM_SAME);
        else if (__builtin_cpu_supports("avx2")) hm_shortage_avx2(HM_SAME);
        else hm_shortage_any(HM_SAME);
    }
    #else
    static void hm_shortage(HM_LIST) { HM_SHORTAGE }
    #endif
    """
    void hm_shortage(
        const Mask* cube, const Mask* other, int n_others, const Mask* anchor, const Mask* offset,
        int n, Mask* found, int* count, int* missing) noexcept nogil


# Cells whose stack becomes `kind` with `short` more tokens; nothing can be added under a cube.
cdef inline Mask cells_short(const Player* p, int kind, int short) noexcept nogil:
    cdef Mask free = ~p.board.cubes
    cdef const Mask* k = &p.board.kind[0]
    if short == 0:
        return k[kind]
    if kind == K_TL:
        return free & (k[K_T] if short == 1 else k[EMPTY] if short == 2 else 0)
    if kind == K_TTL:
        return free & (k[K_TT] if short == 1 else k[K_T] if short == 2 else k[EMPTY])
    if kind == K_MM:
        return free & (k[K_M] if short == 1 else k[EMPTY] if short == 2 else 0)
    if kind == K_MMM:
        return free & (k[K_MM] if short == 1 else k[K_M] if short == 2 else k[EMPTY])
    if kind == K_TT:
        return free & (k[K_T] if short == 1 else k[EMPTY] if short == 2 else 0)
    if kind == K_BLD:
        return free & (k[K_T] | k[K_M] | k[K_R] if short == 1 else k[EMPTY] if short == 2 else 0)
    return free & k[EMPTY] if short == 1 else 0


cdef int habitat_shortage(
    const Player* p, const Habitat* h, Mask* found, int* count
) noexcept nogil:
    """found[s]: cube cells where the habitat lacks s tokens (0 to 3) in its best orientation.

    count[s]: how many they are. Returns the colours of single tokens that would complete the
    habitat somewhere, as bits.
    """
    cdef Mask cube[4]
    cdef Mask other[6][4]
    cdef Mask free = ~p.board.cubes
    cdef int i, j, missing, colours = 0
    for i in range(4):
        cube[i] = cells_short(p, h.cube_kind, i) & free
    for j in range(h.n_others):
        for i in range(4):
            other[j][i] = cells_short(p, h.kind[j], i)
    hm_shortage(
        cube, &other[0][0], h.n_others, h.anchor, &h.offset[0][0], h.n_orientations, found, count,
        &missing)
    if missing & 1:
        colours = 1 << TOP[h.cube_kind]
    for j in range(h.n_others):
        if missing >> (j + 1) & 1:
            colours |= 1 << TOP[h.kind[j]]
    return colours
