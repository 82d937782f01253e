"""Active features of one player, listed from scratch."""

from libc.stdint cimport uint8_t, uint16_t

from harmonies_core.board cimport (
    EMPTY, HEIGHT, K_BLD, K_M, K_MM, K_MMM, K_R, K_T, NO_TOKEN, TOP, Board,
)
from harmonies_core.game cimport Position
from harmonies_core.grid cimport Mask, cell_column, cell_row, lowest, neighbours, popcount
from harmonies_core.grid cimport side_cells
from harmonies_core.scoring cimport Landscape, score_landscape, spirit_points
from harmonies_core.state cimport (
    END_EMPTIES, CardData, MAX_HELD, Player, RuleTable, State, bag_total,
)
from harmonies_core.values.shortage cimport habitat_shortage

# Constant tables, written once when the module is loaded.
cdef int ORBIT[2][64]           # class of a cell among those that a mirror maps to each other
cdef int PAIR_OF[13][13]        # feature of two kinds side by side
cdef int NEEDS_COLOURS[13]      # T, M, R and buildings: 0 to 3; others -1
cdef uint8_t TOP_BIT[13]        # one bit for each colour on top
cdef uint8_t COUNT[64]          # bits of a number, at most 4


cdef void fill_tables() noexcept:
    cdef int side, cell, column, row, columns, rows, n, a, b, i
    cdef Mask m
    seen = {}
    for side in range(2):
        columns = 5 if side == 0 else 7
        seen.clear()
        m = side_cells(side)
        while m:
            cell = lowest(m)
            m &= m - 1
            column = cell_column(cell)
            row = cell_row(cell)
            rows = (5 - column % 2) if side == 0 else (4 - column % 2)
            place = (min(column, columns - 1 - column), min(row, rows - 1 - row))
            n = len(seen)
            ORBIT[side][cell] = seen.setdefault(place, n)
    for a in range(13):
        NEEDS_COLOURS[a] = -1
        for b in range(13):
            i = (min(a, b) - 1) * 12 + max(a, b) - 1
            PAIR_OF[a][b] = PAIR + i if i >= 0 else 0
    for i in range(64):
        COUNT[i] = min(4, int(i).bit_count())
    for a in range(13):
        TOP_BIT[a] = 1 << TOP[a] if a != EMPTY else 0
    NEEDS_COLOURS[K_T] = 0
    NEEDS_COLOURS[K_M] = 1
    NEEDS_COLOURS[K_R] = 2
    NEEDS_COLOURS[K_BLD] = 3


fill_tables()


cdef inline int most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef void state_pace(
    const RuleTable* rules, const State* s, int seat, int mover, bint passed, Pace* out
) noexcept nogil:
    """Time and supply for `seat` at the end of the turn of `mover`.

    `passed` says that the turn was passed on already; else `s` is still in the mover's turn.
    """
    cdef int i, j, least = 26, e, finished
    cdef bint over = bag_total(s) < 3
    out.players = rules.players
    out.seat = seat
    out.mover = mover
    out.spirits = rules.spirits
    for i in range(rules.players):
        e = popcount(s.player[i].board.kind[EMPTY])
        over = over or e <= END_EMPTIES
        if i != seat and e < least:
            least = e
    out.others = least
    # Turns of the seat when the mover's turn is done; s.turn counts the round from 1.
    finished = s.turn if seat <= mover else s.turn - 1
    if passed and mover == rules.players - 1 and s.seat == 0:
        finished = s.turn - 1
    out.turn = finished
    out.turns_left = 2
    if over:
        out.turns_left = 1 if seat > mover else 0
        if passed and mover == rules.players - 1:
            out.turns_left = 1      # the round was not the last: the bag ran out by a refill
    out.bag = bag_total(s)
    for i in range(6):
        out.supply[i] = s.bag[i]
    for i in range(5):
        for j in range(3):
            if s.centre[i][j] != NO_TOKEN:
                out.supply[s.centre[i][j]] += 1


cdef int pace_features(const Pace* pace, uint16_t* out) noexcept nogil:
    """The features that only time and supply decide."""
    cdef int i, n
    out[0] = TURN + most(pace.turn, 19)
    out[1] = OTHERS + pace.others
    out[2] = SEATS + ((pace.players - 1) * 4 + pace.seat) * 4 + pace.mover
    out[3] = BAG + most(pace.bag // 3, 30)
    n = 4
    for i in range(6):
        out[n] = SUPPLY + i * 8 + most(pace.supply[i] // 3, 7)
        n += 1
    if pace.turns_left == 1:
        out[n] = LAST
        n += 1
    if pace.spirits:
        out[n] = SPIRITS
        n += 1
    return n


cdef inline int increment_step(int points) noexcept nogil:
    return 0 if points <= 3 else 1 if points <= 5 else 2 if points <= 7 else 3 if points <= 9 else 4


cdef int card_features(
    const RuleTable* rules, const Player* p, int slot, int phase, View* v
) noexcept nogil:
    """Those that change with the landscape; the colours that complete a habitat, as bits."""
    cdef int card = p.card[slot], placed = p.placed[slot], left, inc, rest, i, n = v.n
    cdef int count[4]
    cdef int colours = habitat_shortage(p, &rules.card[card].habitat, &v.short[slot][0], count)
    cdef int step, m
    if rules.card[card].is_spirit:
        v.active[n] = SPIRIT_NEAR + most(count[0], 7)
        v.active[n + 1] = SPIRIT_NEAR + 8 + most(count[1], 7)
        v.active[n + 2] = SPIRIT_NEAR + 16 + most(count[2], 7)
        v.active[n + 3] = SPIRIT_NEAR + 24 + most(count[3] // 2, 7)
        v.n = n + 4
        return 0
    left = rules.card[card].n_cubes - placed
    inc = rules.card[card].points[placed + 1] - rules.card[card].points[placed]
    rest = rules.card[card].points[rules.card[card].n_cubes] - rules.card[card].points[placed]
    i = most(max(inc, 1), 10) - 1
    rest = most(rest // 3, 7)
    left = most(left, 5) - 1
    step = increment_step(inc)
    v.active[n] = CARD_0 + i * 4 + most(count[0], 3)
    v.active[n + 1] = CARD_1 + i * 6 + most(count[1], 5)
    v.active[n + 2] = CARD_2 + i * 8 + most(count[2], 7)
    v.active[n + 3] = CARD_3 + i * 8 + most(count[3] // 2, 7)
    v.active[n + 4] = CARD_NEAR + (most(count[0], 2) * 5 + most(count[1], 4)) * 5 + left
    v.active[n + 5] = CARD_PHASE + phase * 8 + rest
    v.active[n + 6] = CARD_TIME + (
        phase * 5 + most(count[0] + count[1], 4)) * 5 + step
    n += 7
    m = colours
    while m:
        v.active[n] = LACK + step * 6 + lowest(m)
        n += 1
        m &= m - 1
    v.n = n
    return colours


cdef int own_features(const CardData* card, int placed, uint16_t* out) noexcept nogil:
    """The features of a card that no token on the landscape changes."""
    cdef int left = card.n_cubes - placed, i, n = 3
    cdef int rest = card.points[card.n_cubes] - card.points[placed]
    cdef int size = HEIGHT[card.habitat.cube_kind]
    out[0] = CARD_REST + (most(left, 5) - 1) * 8 + most(rest // 3, 7)
    out[1] = CARD_CUBE + card.habitat.cube_kind - 1
    for i in range(card.habitat.n_others):
        size += HEIGHT[card.habitat.kind[i]]
        out[n] = CARD_OTHER + card.habitat.kind[i] - 1
        n += 1
    out[2] = CARD_SIZE + most(size, 8) - 1
    return n


cdef inline int colours_beside(const Ground* g, Mask near) noexcept nogil:
    """How many different top colours there are, four for more."""
    cdef int seen = 0
    while near:
        seen |= TOP_BIT[g.kind[lowest(near)]]
        near &= near - 1
    return COUNT[seen]


cdef int ground_features(
    const RuleTable* rules, const Player* p, Ground* g, uint16_t* out
) noexcept nogil:
    """The features that belong to single cells, pairs of cells and cards as such."""
    cdef const Board* b = &p.board
    cdef Mask m, x, near
    cdef int c, kind, e, i, n = 0
    for i in range(MAX_HELD):
        if p.card[i] and not rules.card[p.card[i]].is_spirit:
            n += own_features(&rules.card[p.card[i]], p.placed[i], &out[n])
    for kind in range(13):
        m = b.kind[kind]
        while m:
            g.kind[lowest(m)] = kind
            m &= m - 1
    m = rules.cells & ~b.kind[EMPTY]
    while m:
        c = lowest(m)
        x = m & (~m + 1)
        m ^= x
        kind = g.kind[c]
        near = neighbours(x, rules.cells)
        e = popcount(near & b.kind[EMPTY])
        g.empties[c] = e
        out[n] = KIND_ORBIT + (kind - 1) * 8 + ORBIT[rules.side][c]
        out[n + 1] = ROOM + (kind - 1) * 7 + e
        n += 2
        if b.cubes & x:
            out[n] = BLOCKED + kind - 1
            n += 1
        if NEEDS_COLOURS[kind] >= 0:
            out[n] = COLOURS + (
                NEEDS_COLOURS[kind] * 5 + colours_beside(g, near)) * 4 + most(e, 3)
            n += 1
        near &= m           # each pair once: m holds the cells still to come
        while near:
            out[n] = PAIR_OF[kind][g.kind[lowest(near)]]
            n += 1
            near &= near - 1
    return n


cdef void ground_change(
    const RuleTable* rules, const Board* b, const Ground* g, int cell, int after, Change* out
) noexcept nogil:
    """What becomes of those features when a cell's kind turns into `after`; `b` is before."""
    cdef Mask x = (<Mask>1) << cell, near = neighbours(x, rules.cells), m, beside
    cdef int before = g.kind[cell], e = popcount(near & b.kind[EMPTY]), y, k, n, fewer
    cdef int i, j, seen, colours = 0
    cdef int minus = 0, plus = 0
    if NEEDS_COLOURS[before] >= 0 or NEEDS_COLOURS[after] >= 0:
        colours = colours_beside(g, near)
    if before:
        out.minus[0] = KIND_ORBIT + (before - 1) * 8 + ORBIT[rules.side][cell]
        out.minus[1] = ROOM + (before - 1) * 7 + e
        minus = 2
        if NEEDS_COLOURS[before] >= 0:
            out.minus[2] = COLOURS + (NEEDS_COLOURS[before] * 5 + colours) * 4 + most(e, 3)
            minus = 3
    out.plus[0] = KIND_ORBIT + (after - 1) * 8 + ORBIT[rules.side][cell]
    out.plus[1] = ROOM + (after - 1) * 7 + e
    plus = 2
    if NEEDS_COLOURS[after] >= 0:
        out.plus[2] = COLOURS + (NEEDS_COLOURS[after] * 5 + colours) * 4 + most(e, 3)
        plus = 3
    fewer = before == 0
    m = near & ~b.kind[EMPTY]
    while m:
        y = lowest(m)
        m &= m - 1
        k = g.kind[y]
        if before:
            out.minus[minus] = PAIR_OF[before][k]
            minus += 1
        else:
            out.minus[minus] = ROOM + (k - 1) * 7 + g.empties[y]
            out.plus[plus] = ROOM + (k - 1) * 7 + g.empties[y] - 1
            minus += 1
            plus += 1
        out.plus[plus] = PAIR_OF[after][k]
        plus += 1
        n = NEEDS_COLOURS[k]
        if n >= 0:
            beside = neighbours((<Mask>1) << y, rules.cells) & ~x
            seen = 0
            while beside:
                seen |= TOP_BIT[g.kind[lowest(beside)]]
                beside &= beside - 1
            i = COUNT[seen | TOP_BIT[before]] * 4 + most(g.empties[y], 3)
            j = COUNT[seen | TOP_BIT[after]] * 4 + most(g.empties[y] - fewer, 3)
            if i != j:
                out.minus[minus] = COLOURS + n * 20 + i
                out.plus[plus] = COLOURS + n * 20 + j
                minus += 1
                plus += 1
    out.n_minus = minus
    out.n_plus = plus


cdef void cube_change(
    const RuleTable* rules, const Player* p, int slot, Change* out
) noexcept nogil:
    """What becomes of the features that ground_features lists when a card's next cube is placed.

    `p` is before.
    """
    cdef const CardData* card = &rules.card[p.card[slot]]
    cdef int placed = p.placed[slot]
    out.n_minus = 0
    out.plus[0] = BLOCKED + card.habitat.cube_kind - 1
    out.n_plus = 1
    if card.is_spirit:
        return
    out.n_minus = own_features(card, placed, &out.minus[0])
    if placed + 1 < card.n_cubes:
        out.n_plus = 1 + own_features(card, placed + 1, &out.plus[1])


cdef void card_change(const RuleTable* rules, int card, Change* out) noexcept nogil:
    """The same when a card is taken."""
    out.n_minus = 0
    out.n_plus = 0
    if not rules.card[card].is_spirit:
        out.n_plus = own_features(&rules.card[card], 0, &out.plus[0])


cdef void view_player(
    const RuleTable* rules, const Player* p, int others, View* v
) noexcept nogil:
    """List the features of landscape, cards and pace, and find the points now and cube cells."""
    cdef Ground ground
    cdef int n
    view_rest(rules, p, others, v)
    n = v.n
    v.n = n + ground_features(rules, p, &ground, &v.active[n])


cdef void view_rest(
    const RuleTable* rules, const Player* p, int others, View* v
) noexcept nogil:
    """As view_player, without what ground_features lists."""
    cdef Landscape land
    cdef Mask near
    cdef const Mask* k = &p.board.kind[0]
    cdef int i, phase, free = MAX_HELD, n, sp = 0, colours = 0
    cdef const CardData* spirit
    v.n = 0
    v.empties = popcount(p.board.kind[EMPTY])
    phase = most(v.empties // 3, 8)
    score_landscape(&land, &p.board, rules.side, rules.cells, rules.loop)
    v.points = land.trees + land.mountains + land.fields + land.buildings + land.water
    v.points += p.done_points
    for i in range(MAX_HELD):
        if p.card[i]:
            free -= 1
            if not rules.card[p.card[i]].is_spirit:
                v.points += rules.card[p.card[i]].points[p.placed[i]]
            colours |= card_features(rules, p, i, phase, v)
    n = v.n
    v.active[n] = EMPTIES + v.empties
    v.active[n + 1] = PACE + (v.empties // 2) * 14 + others // 2
    if rules.side == 0:
        v.active[n + 2] = WATER + most((land.water + 1) // 3, 15)
    else:
        v.active[n + 2] = WATER + most(land.water // 5, 15)
    v.active[n + 3] = FIELDS + most(land.fields // 5, 6)
    v.active[n + 4] = BUILDINGS + most(land.buildings // 5, 6)
    v.active[n + 5] = SLOTS + free * 9 + phase
    near = neighbours(k[K_M] | k[K_MM] | k[K_MMM], rules.cells)
    v.active[n + 6] = MOUNTAINS + most(popcount(k[K_M] & near), 5)
    v.active[n + 7] = MOUNTAINS + 6 + most(popcount(k[K_MM] & near), 5)
    v.active[n + 8] = MOUNTAINS + 12 + most(popcount(k[K_MMM] & near), 5)
    v.active[n + 9] = LACK_COLOURS + popcount(colours)
    n += 10
    if p.spirit:
        spirit = &rules.card[p.spirit]
        sp = spirit_points(&spirit.score, &p.board, rules.cells)
        i = p.board.spirit_cube != 0
        v.active[n] = SPIRIT_KIND + (
            (i * 2 + (spirit.score.by == 1)) * 5 + spirit.score.of) * 4 + most(
                spirit.score.points[0] // 2, 3)
        v.active[n + 1] = SPIRIT_NOW + i * 12 + most(sp // 3, 11)
        n += 2
        if i:
            v.points += sp
    v.n = n


def active_features(Position position not None, int seat):
    """Features of a seat (from 1) between two turns, the seat to move being next; a list."""
    cdef Pace pace
    cdef View view
    cdef uint16_t timing[32]
    cdef int i, n, players = position.rules.players
    cdef State* s = &position.state
    if not 1 <= seat <= players:
        raise ValueError(f"seat: {seat} is not a number from 1 to {players}")
    state_pace(&position.rules.table, s, seat - 1, (s.seat + players - 1) % players, True, &pace)
    view_player(&position.rules.table, &s.player[seat - 1], pace.others, &view)
    n = pace_features(&pace, timing)
    return [timing[i] for i in range(n)] + [view.active[i] for i in range(view.n)]
