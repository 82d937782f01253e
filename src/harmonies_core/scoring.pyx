"""Points of a landscape by category (RULES.md, "Points")."""

from harmonies_core.board cimport (
    K_BLD, K_F, K_L, K_M, K_MM, K_MMM, K_R, K_T, K_TL, K_TT, K_TTL, K_W,
)
from harmonies_core.grid cimport bit, flood, lowest, neighbours, popcount


cdef int tree_points(const Board* b) noexcept nogil:
    """L 1, TL 3, TTL 7."""
    return (popcount(b.kind[K_L]) + 3 * popcount(b.kind[K_TL]) + 7 * popcount(b.kind[K_TTL]))


cdef int mountain_points(const Board* b, Mask cells) noexcept nogil:
    """M 1, MM 3, MMM 7, each only next to another mountain."""
    cdef Mask near = b.kind[K_M] | b.kind[K_MM] | b.kind[K_MMM]
    if near == 0:
        return 0
    near = neighbours(near, cells)
    return (popcount(b.kind[K_M] & near) + 3 * popcount(b.kind[K_MM] & near)
            + 7 * popcount(b.kind[K_MMM] & near))


cdef int field_points(const Board* b, Mask cells) noexcept nogil:
    """5 for each connected group of two or more fields."""
    cdef Mask left = b.kind[K_F], group
    cdef int groups = 0
    left &= neighbours(left, cells)
    while left:
        group = flood(left & (~left + 1), left)
        left ^= group
        groups += 1
    return 5 * groups


cdef Mask colourful_cells(const Board* b, Mask cells) noexcept nogil:
    """Cells whose neighbours' top tokens show at least three colours."""
    cdef Mask top[6]
    cdef Mask one = 0, two = 0, three = 0, near
    cdef int i
    top[0] = b.kind[K_W]
    top[1] = b.kind[K_F]
    top[2] = b.kind[K_L] | b.kind[K_TL] | b.kind[K_TTL]
    top[3] = b.kind[K_M] | b.kind[K_MM] | b.kind[K_MMM]
    top[4] = b.kind[K_T] | b.kind[K_TT]
    top[5] = b.kind[K_R] | b.kind[K_BLD]
    for i in range(6):
        near = neighbours(top[i], cells)
        three |= two & near
        two |= one & near
        one |= near
    return three


cdef int building_points(const Board* b, Mask cells) noexcept nogil:
    """5 for each building with three colours around it."""
    if b.kind[K_BLD] == 0:
        return 0
    return 5 * popcount(b.kind[K_BLD] & colourful_cells(b, cells))


cdef int river_length(Mask water, Mask cells) noexcept nogil:
    """Cells on the longest of all shortest paths inside one water group (diameter + 1)."""
    cdef Mask left = water, start, reached, grown
    cdef int best = 0, steps
    while left:
        start = left & (~left + 1)
        left ^= start
        reached = start
        steps = 1
        while True:
            grown = reached | neighbours(reached, water)
            if grown == reached:
                break
            reached = grown
            steps += 1
        if steps > best:
            best = steps
    return best


cdef int river_loop_length(Mask water, Mask cells) noexcept nogil:
    """Longest loop that the depth-first walk of the parity mode meets, 0 without one.

    RULES.md, "Parity mode for rivers": the walk starts at the first cell of each group, visits
    N, NW, SW, S, SE, NE, and never comes back to a cell.
    """
    cdef int step[6]
    cdef int path[32]
    cdef int nexts[32]
    cdef int best = 0, depth, cell, other, d
    cdef Mask left = water, start, seen
    # A step in axial rows: N (0,-1), NW (-1,0), SW (-1,+1), S (0,+1), SE (+1,0), NE (+1,-1).
    step[0] = -1
    step[1] = -8
    step[2] = -7
    step[3] = 1
    step[4] = 8
    step[5] = 7
    while left:
        start = left & (~left + 1)
        left ^= flood(start, left)
        seen = start
        path[0] = lowest(start)
        nexts[0] = 0
        depth = 1
        while depth > 0:
            cell = path[depth - 1]
            d = nexts[depth - 1]
            if d == 6:
                depth -= 1
                continue
            nexts[depth - 1] = d + 1
            other = cell + step[d]
            if other < 0 or other > 63 or not water & bit(other):
                continue
            if depth > 1 and other == path[depth - 2]:
                continue
            if other == path[0]:
                if depth > 2 and depth > best:
                    best = depth
                continue
            if seen & bit(other):
                continue
            seen |= bit(other)
            path[depth] = other
            nexts[depth] = 0
            depth += 1
    return best


cdef int length_points(int length) noexcept nogil:
    """0 0 2 5 8 11 15, each further cell 4 more."""
    if length < 2:
        return 0
    if length < 6:
        return 3 * length - 4
    return 15 + 4 * (length - 6)


cdef int island_points(const Board* b, Mask cells) noexcept nogil:
    """5 for each connected group of cells without water; empty cells are land."""
    cdef Mask left = cells & ~b.kind[K_W]
    cdef int groups = 0
    while left:
        left ^= flood(left & (~left + 1), left)
        groups += 1
    return 5 * groups


cdef int water_points(const Board* b, int side, Mask cells, bint loop) noexcept nogil:
    """The river of side A (0) or the islands of side B (1)."""
    cdef int length, other
    if side == 1:
        return island_points(b, cells)
    length = river_length(b.kind[K_W], cells)
    if loop:
        other = river_loop_length(b.kind[K_W], cells)
        if other > length:
            length = other
    return length_points(length)


cdef int spirit_points(const SpiritScore* s, const Board* b, Mask cells) noexcept nogil:
    """What a spirit adds once its cube is on the board."""
    cdef Mask left, group
    cdef Mask high[3]
    cdef int total = 0, i
    high[1] = 0
    high[2] = 0
    if s.of == OF_FIELD:
        high[0] = b.kind[K_F]
    elif s.of == OF_WATER:
        high[0] = b.kind[K_W]
    elif s.of == OF_BUILDING:
        high[0] = b.kind[K_BLD]
    elif s.of == OF_TREE:
        high[0] = b.kind[K_L]
        high[1] = b.kind[K_TL]
        high[2] = b.kind[K_TTL]
    else:
        high[0] = b.kind[K_M]
        high[1] = b.kind[K_MM]
        high[2] = b.kind[K_MMM]
    if s.by == BY_COUNT:
        for i in range(3):
            total += popcount(high[i]) * s.points[i if i < s.n else s.n - 1]
        return total
    left = high[0] | high[1] | high[2]
    while left:
        group = flood(left & (~left + 1), left)
        left ^= group
        i = popcount(group) - 1
        total += s.points[i if i < s.n else s.n - 1]
    return total


cdef void score_landscape(
    Landscape* out, const Board* b, int side, Mask cells, bint loop
) noexcept nogil:
    """All five landscape categories."""
    out.trees = tree_points(b)
    out.mountains = mountain_points(b, cells)
    out.fields = field_points(b, cells)
    out.buildings = building_points(b, cells)
    out.water = water_points(b, side, cells, loop)
