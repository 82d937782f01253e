"""Expands a card's habitat over rotations (and mirrors, if its pack says so) and positions."""

from harmonies_core.grid cimport bit, side_cells

from harmonies_core.board import KIND_OF_STACK


def orientations(others, bint mirrors):
    """Distinct sets of (q, r, stack) under the six rotations, and mirrored ones if asked."""
    shapes = [[(cell.q, cell.r, cell.stack) for cell in others]]
    if mirrors:
        shapes.append([(r, q, stack) for q, r, stack in shapes[0]])
    seen = {}
    for shape in shapes:
        for _ in range(6):
            shape = [(-r, q + r, stack) for q, r, stack in shape]
            seen.setdefault(frozenset(shape), list(shape))
    return list(seen.values())


cdef int compile_habitat(Habitat* h, card, int side) except -1:
    """Fill `h` for a Card on side A (0) or B (1)."""
    cdef Mask cells = side_cells(side)
    cdef Mask anchor
    cdef int cell, q, r, n = 0, j
    order = [other.stack for other in card.others]
    h.cube_kind = KIND_OF_STACK[card.cube_on]
    h.n_others = len(order)
    for j, stack in enumerate(sorted(order)):
        h.kind[j] = KIND_OF_STACK[stack]
    for shape in orientations(card.others, card.mirrors):
        # One order of stacks for all orientations, so that kind[] can be shared.
        shape.sort(key=lambda item: (item[2], item[0], item[1]))
        anchor = 0
        for cell in range(64):
            if not cells & bit(cell):
                continue
            q = cell >> 3
            r = (cell & 7) - 3
            for dq, dr, _ in shape:
                if not (0 <= q + dq < 8 and -3 <= r + dr <= 4
                        and cells & bit(8 * (q + dq) + r + dr + 3)):
                    break
            else:
                anchor |= bit(cell)
        if anchor == 0:
            continue
        h.anchor[n] = anchor
        for j, (dq, dr, _) in enumerate(shape):
            h.offset[j][n] = (8 * dq + dr) % 64
        n += 1
    h.n_orientations = n
    return 0
