"""Positions, for modules that look inside them."""

from harmonies_core.game.actions cimport Turn
from harmonies_core.rules cimport Rules
from harmonies_core.state cimport Player, State


cdef class Position:
    cdef State state
    cdef readonly Rules rules

    cdef const Player* _player(self, seat) except NULL
    cdef int _play(self, Turn turn) except -1
    cdef int _reveal(self, text) except -1

cdef Turn canonical_turn(Position position, tuple codes)
