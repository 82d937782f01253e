"""Habitats compiled to masks: a test for all rotations is a handful of rotates and ANDs."""

from libc.stdint cimport uint8_t
from harmonies_core.grid cimport Mask, rotate

cdef enum:
    MAX_OTHERS = 6
    MAX_ORIENTATIONS = 12


cdef struct Habitat:
    uint8_t cube_kind       # stack kind under the cube
    uint8_t n_others        # further cells, 0 to MAX_OTHERS
    uint8_t n_orientations  # distinct orientations that fit on the side somewhere
    uint8_t kind[6]         # stack kind of each further cell
    Mask anchor[12]         # per orientation: cube cells whose further cells are all on the board
    Mask offset[6][12]      # per further cell and orientation: bit distance, modulo 64


# Cube cells among `free` at which the habitat stands; kind[k] is the mask of cells of kind k.
# Rotating instead of shifting is exact: an anchor's further cells are all on the board, so no
# bit that wraps round can fall on an anchor.
cdef inline Mask habitat_cells(const Habitat* h, const Mask* kind, Mask free) noexcept nogil:
    cdef Mask base = kind[h.cube_kind] & free
    cdef Mask found = 0, m
    cdef int i, j
    if base == 0:
        return 0
    for j in range(h.n_others):
        if kind[h.kind[j]] == 0:
            return 0
    for i in range(h.n_orientations):
        m = base & h.anchor[i]
        for j in range(h.n_others):
            m &= rotate(kind[h.kind[j]], <unsigned int>h.offset[j][i])
        found |= m
    return found


cdef int compile_habitat(Habitat* h, card, int side) except -1
