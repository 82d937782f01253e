"""One player's landscape: its text-level names and whole-board helpers."""

from harmonies_core.grid cimport popcount, side_cells

# Stack texts of the kinds; a building's text depends on what it stands on.
STACK_OF_KIND = ("", "W", "F", "L", "TL", "TTL", "M", "MM", "MMM", "T", "TT", "R", "BLD")
KIND_OF_STACK = {stack: kind for kind, stack in enumerate(STACK_OF_KIND) if stack}
TOKEN_LETTERS = "WMTLFR"
LEGAL_STACKS = ("W", "F", "L", "TL", "TTL", "M", "MM", "MMM", "T", "TT", "R", "RR", "TR", "MR")


cdef void clear_board(Board* b, int side) noexcept nogil:
    """An empty landscape of side A (0) or B (1)."""
    cdef int k
    for k in range(KINDS):
        b.kind[k] = 0
    b.kind[EMPTY] = side_cells(side)
    b.on_trunk = 0
    b.on_mountain = 0
    b.cubes = 0
    b.spirit_cube = 0


cdef int set_stack(Board* b, Mask cell, str stack) except -1:
    """Put a whole legal stack, bottom to top, on an empty cell (a mask of one bit)."""
    b.kind[EMPTY] ^= cell
    if len(stack) == 2 and stack[1] == "R":
        b.kind[K_BLD] |= cell
        if stack[0] == "T":
            b.on_trunk |= cell
        elif stack[0] == "M":
            b.on_mountain |= cell
    else:
        b.kind[KIND_OF_STACK[stack]] |= cell
    return 0


cdef void count_tokens(const Board* b, int* counts) noexcept nogil:
    """Add the tokens on the board to counts[6], by colour."""
    cdef int buildings = popcount(b.kind[K_BLD])
    cdef int trunk = popcount(b.on_trunk), mountain = popcount(b.on_mountain)
    cdef int tl = popcount(b.kind[K_TL]), ttl = popcount(b.kind[K_TTL])
    counts[W] += popcount(b.kind[K_W])
    counts[F] += popcount(b.kind[K_F])
    counts[M] += (popcount(b.kind[K_M]) + 2 * popcount(b.kind[K_MM])
                  + 3 * popcount(b.kind[K_MMM]) + mountain)
    counts[T] += (popcount(b.kind[K_T]) + 2 * popcount(b.kind[K_TT]) + tl + 2 * ttl + trunk)
    counts[L] += popcount(b.kind[K_L]) + tl + ttl
    counts[R] += popcount(b.kind[K_R]) + buildings + (buildings - trunk - mountain)
