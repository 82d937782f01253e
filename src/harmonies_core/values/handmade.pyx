"""A hand-made estimate of a player's final points: points now, and what is half built."""

from harmonies_core.board cimport (
    EMPTY, K_BLD, K_F, K_L, K_M, K_MM, K_MMM, K_R, K_T, K_TL, K_TT, K_TTL, K_W, TOP,
)
from harmonies_core.grid cimport Mask, neighbours, popcount
from harmonies_core.habitats cimport Habitat
from harmonies_core.scoring cimport (
    Landscape, colourful_cells, score_landscape, spirit_points,
)
from harmonies_core.state cimport MAX_HELD

# Index of each weight, with its meaning. All but SPACE, PACE and the chances are in points, for
# something that has the whole game before it.
cdef enum:
    SPACE = 0           # points an empty cell will still bring
    PACE = 1            # empty cells that count as "the whole game before it"
    TRUNK = 2           # T
    TRUNKS = 3          # TT
    LONE_M = 4          # M, MM, MMM with no mountain beside them
    LONE_MM = 5
    LONE_MMM = 6
    LOW_M = 7           # room to grow of an M, an MM that scores
    LOW_MM = 8
    LONE_F = 9          # a field with no field beside it
    DULL = 10           # a building without its three colours
    LONE_R = 11         # a red token that is no building yet
    WATER = 12          # each water cell
    SHORT_1 = 13        # chance to complete a habitat that lacks 1, 2, 3 tokens
    SHORT_2 = 14
    SHORT_3 = 15
    FREE_SLOT = 16      # a slot for one more card
    CHANCES = 17        # most cubes that chances can add up to
    SPIRIT = 18         # points a spirit still to be earned brings beyond those on the board
    LOW_TL = 19         # room to grow: an L or TL is worth less than its cells could be
    NEAR_END = 20       # cost of bringing the end near, below 6 empty cells
    BASE = 21


cdef extern from *:
    """
    static const double HM_WEIGHTS[22] = {
        3.2, 8.4, 1.6, 4.6, 0.5, 1.6, 3.6, 0.9, 1.4, 1.7, 2.2, 1.3, 0.9,
        0.36, 0.12, 0.03, 1.2, 2.4, 3.0, -0.3, 0.0, 0.0};
    """
    const double[22] DEFAULTS "HM_WEIGHTS"


# Four orientations of a habitat at once: what is lacking at the cube cell and at the further
# cells adds up, and more than three does not count.
cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
    #define HM_CLONES __attribute__((target_clones("avx2", "default")))
    #else
    #define HM_CLONES
    #endif
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

    HM_CLONES
    static void hm_shortage(const uint64_t* cube, const uint64_t* other, int n_others,
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
    """
    void hm_shortage(
        const Mask* cube, const Mask* other, int n_others, const Mask* anchor, const Mask* offset,
        int n, Mask* found, int* count, int* missing) noexcept nogil


cdef void default_weights(Weights* out) noexcept nogil:
    cdef int i
    for i in range(N_WEIGHTS):
        out.w[i] = DEFAULTS[i]


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


cdef double time_left(const Player* p, const Weights* weights) noexcept nogil:
    """How much of the game is left for things to grow, 0 to 1."""
    cdef double t = (popcount(p.board.kind[EMPTY]) - 2) / weights.w[PACE]
    return 0.0 if t < 0 else 1.0 if t > 1 else t


cdef double card_value(
    const RuleTable* rules, const Player* p, int card, int placed, const Weights* weights
) noexcept nogil:
    """Points a card with `placed` cubes on the board will bring beyond those it brings now."""
    cdef Mask found[4]
    cdef int count[4]
    cdef double t = time_left(p, weights), cubes, chances, whole
    cdef int left = rules.card[card].n_cubes - placed, n, before, after
    cdef double value
    habitat_shortage(p, &rules.card[card].habitat, found, count)
    chances = t * (weights.w[SHORT_1] * count[1] + weights.w[SHORT_2] * count[2]
                   + weights.w[SHORT_3] * count[3])
    # Chances crowd each other: the more there are, the less one more adds.
    chances = t * weights.w[CHANCES] * chances / (chances + weights.w[CHANCES])
    cubes = count[0] + chances
    if cubes > left:
        cubes = left
    if rules.card[card].is_spirit:
        value = spirit_points(&rules.card[card].score, &p.board, rules.cells)
        return cubes * (value + t * weights.w[SPIRIT])
    n = <int>cubes
    whole = rules.card[card].points[placed + n] - rules.card[card].points[placed]
    if n < left:
        before = rules.card[card].points[placed + n]
        after = rules.card[card].points[placed + n + 1]
        whole += (cubes - n) * (after - before)
    return whole


cdef double board_value(
    const RuleTable* rules, const Player* p, const Weights* weights
) noexcept nogil:
    """Final points of everything but the cards still in hand."""
    cdef Landscape land
    cdef const double* w = &weights.w[0]
    cdef const Mask* k = &p.board.kind[0]
    cdef Mask mountains = k[K_M] | k[K_MM] | k[K_MMM], near, free = ~p.board.cubes, room
    cdef int empties = popcount(k[EMPTY])
    cdef double t = time_left(p, weights), value, more
    score_landscape(&land, &p.board, rules.side, rules.cells, rules.loop)
    value = land.trees + land.mountains + land.fields + land.buildings + land.water
    if p.board.spirit_cube:
        value += spirit_points(&rules.card[p.spirit].score, &p.board, rules.cells)
    room = neighbours(k[EMPTY], rules.cells)
    near = neighbours(mountains, rules.cells)
    more = w[TRUNK] * popcount(k[K_T] & free) + w[TRUNKS] * popcount(k[K_TT] & free)
    more += w[LOW_TL] * popcount(k[K_L] & free)
    more += (w[LONE_M] * popcount(k[K_M] & ~near & room) + w[LONE_MM] * popcount(
        k[K_MM] & ~near & room) + w[LONE_MMM] * popcount(k[K_MMM] & ~near & room))
    more += w[LOW_M] * popcount(k[K_M] & near & free) + w[LOW_MM] * popcount(k[K_MM] & near & free)
    more += w[LONE_F] * popcount(k[K_F] & ~neighbours(k[K_F], rules.cells) & room)
    if k[K_BLD]:
        more += w[DULL] * popcount(k[K_BLD] & ~colourful_cells(&p.board, rules.cells) & room)
    more += w[LONE_R] * popcount(k[K_R] & free) + w[WATER] * popcount(k[K_W])
    value += t * more
    if empties > 2:
        value += w[SPACE] * (empties - 2)
    return value + w[BASE]


cdef double player_value(
    const RuleTable* rules, const Player* p, const Weights* weights
) noexcept nogil:
    """Expected final points of one player."""
    cdef double value = board_value(rules, p, weights) + p.done_points
    cdef int i, slots = MAX_HELD
    for i in range(MAX_HELD):
        if p.card[i]:
            slots -= 1
            if not rules.card[p.card[i]].is_spirit:
                value += rules.card[p.card[i]].points[p.placed[i]]
            value += card_value(rules, p, p.card[i], p.placed[i], weights)
    return value + weights.w[FREE_SLOT] * slots * time_left(p, weights)
