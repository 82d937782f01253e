"""A hand-made estimate of a player's final points: points now, and what is half built."""

from harmonies_core.board cimport (
    EMPTY, K_BLD, K_F, K_L, K_M, K_MM, K_MMM, K_R, K_T, K_TT, K_W,
)
from harmonies_core.grid cimport Mask, neighbours, popcount
from harmonies_core.scoring cimport (
    Landscape, colourful_cells, score_landscape, spirit_points,
)
from harmonies_core.state cimport MAX_HELD
from harmonies_core.values.shortage cimport habitat_shortage

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


cdef void default_weights(Weights* out) noexcept nogil:
    cdef int i
    for i in range(N_WEIGHTS):
        out.w[i] = DEFAULTS[i]


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
