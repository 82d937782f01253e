"""When a search must end: the one thing every searcher asks."""

from libc.stdint cimport uint64_t

from harmonies_core.search.clock cimport now


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define hm_add_to(sum, n) \
        ((uint64_t)_InterlockedExchangeAdd64((volatile long long*)(sum), n) + (n))
    #else
    #define hm_add_to(sum, n) __atomic_add_fetch(sum, (uint64_t)(n), __ATOMIC_RELAXED)
    #endif
    """
    uint64_t add_to "hm_add_to"(uint64_t* sum, int n) noexcept nogil


cdef struct Limits:
    const int* stop         # set from another thread
    double deadline         # on the clock of clock.pxd; 0 = none
    uint64_t most_nodes
    uint64_t* together      # nodes of all threads that share the limit; NULL = of one alone


cdef inline bint timed_out(const Limits* limits) noexcept nogil:
    return limits.stop[0] != 0 or (limits.deadline > 0 and now() >= limits.deadline)


# Whether all threads together have used their nodes, after `n` more of this one.
cdef inline bint used_up(const Limits* limits, int n) noexcept nogil:
    return limits.together != NULL and add_to(limits.together, n) >= limits.most_nodes


cdef class StopFlag:
    cdef int flag
