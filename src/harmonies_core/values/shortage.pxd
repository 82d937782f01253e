"""How many tokens a habitat lacks at every cube cell of a landscape."""

from harmonies_core.grid cimport Mask
from harmonies_core.habitats cimport Habitat
from harmonies_core.state cimport Player

cdef int habitat_shortage(
    const Player* p, const Habitat* h, Mask* found, int* count
) noexcept nogil
