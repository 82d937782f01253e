"""When a search must end: the one thing every searcher asks."""

from libc.stdint cimport uint64_t

from harmonies_core.search.clock cimport now


cdef struct Limits:
    const int* stop         # set from another thread
    double deadline         # on the clock of clock.pxd; 0 = none
    uint64_t most_nodes


cdef inline bint timed_out(const Limits* limits) noexcept nogil:
    return limits.stop[0] != 0 or (limits.deadline > 0 and now() >= limits.deadline)


cdef class StopFlag:
    cdef int flag
