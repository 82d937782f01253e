"""Turns, for modules that look inside them."""


cdef class Turn:
    cdef readonly tuple codes
    cdef readonly str chance
    cdef readonly bint open

cdef Turn make_turn(tuple codes)
