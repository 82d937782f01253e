"""Texts of positions and turns, both ways (docs/notation.md)."""

from libc.stdint cimport uint16_t

from harmonies_core.rules cimport Rules
from harmonies_core.state cimport State

cdef str action_text(uint16_t action)
cdef int parse_action(str text) except -1
cdef str chance_text(Rules rules, const State* before, const State* after)
cdef str hfen_text(Rules rules, const State* s)
cdef Rules parse_hfen(str text, packs, State* s)
