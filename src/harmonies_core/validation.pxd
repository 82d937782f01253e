"""Can a position occur? Kept apart from reading it and from playing on."""

from harmonies_core.rules cimport Rules
from harmonies_core.state cimport State

cdef int check_state(Rules rules, const State* s) except -1
