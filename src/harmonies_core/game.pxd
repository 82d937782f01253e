"""The public Python objects, for modules that look inside them."""

from harmonies_core.dealer cimport Deal
from harmonies_core.rules cimport Rules
from harmonies_core.state cimport Player, State


cdef class Turn:
    cdef readonly tuple codes
    cdef readonly str chance
    cdef readonly bint open


cdef class Position:
    cdef State state
    cdef readonly Rules rules

    cdef const Player* _player(self, seat) except NULL
    cdef int _play(self, Turn turn) except -1
    cdef int _reveal(self, text) except -1


cdef class Dealer:
    cdef Deal order
    cdef readonly Rules rules
    cdef readonly object seed

cdef Turn make_turn(tuple codes)
cdef Turn canonical_turn(Position position, tuple codes)
