"""What is agreed before a game, with its cards compiled for the side."""

from harmonies_core.state cimport RuleTable


cdef class Rules:
    cdef RuleTable table
    cdef readonly int players
    cdef readonly str side
    cdef readonly bint spirits
    cdef readonly str river
    cdef readonly tuple packs
    cdef readonly object catalogue
    cdef tuple pack_objects
