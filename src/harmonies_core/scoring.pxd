"""Points of a landscape by category (RULES.md, "Points")."""

from harmonies_core.board cimport Board
from harmonies_core.grid cimport Mask

cdef enum:
    BY_GROUPS = 0
    BY_COUNT = 1
    OF_FIELD = 0
    OF_WATER = 1
    OF_BUILDING = 2
    OF_TREE = 3
    OF_MOUNTAIN = 4


cdef struct SpiritScore:
    int points[25]  # beyond the last size, as the last
    int by          # BY_GROUPS: points by size of each group; BY_COUNT: by height of each stack
    int of          # what is grouped or counted
    int n           # entries of points in use


cdef struct Landscape:
    int trees
    int mountains
    int fields
    int buildings
    int water

cdef int tree_points(const Board* b) noexcept nogil
cdef int mountain_points(const Board* b, Mask cells) noexcept nogil
cdef int field_points(const Board* b, Mask cells) noexcept nogil
cdef Mask colourful_cells(const Board* b, Mask cells) noexcept nogil
cdef int building_points(const Board* b, Mask cells) noexcept nogil
cdef int river_length(Mask water, Mask cells) noexcept nogil
cdef int river_loop_length(Mask water, Mask cells) noexcept nogil
cdef int length_points(int length) noexcept nogil
cdef int island_points(const Board* b, Mask cells) noexcept nogil
cdef int water_points(const Board* b, int side, Mask cells, bint loop) noexcept nogil
cdef int spirit_points(const SpiritScore* s, const Board* b, Mask cells) noexcept nogil
cdef void score_landscape(
    Landscape* out, const Board* b, int side, Mask cells, bint loop
) noexcept nogil
