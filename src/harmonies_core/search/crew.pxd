"""Threads that share out a block of samples among themselves."""

from cpython.pythread cimport PyThread_type_lock

cdef enum:
    MAX_ITEMS = 64


# Takes sample number `step` of an item on a thread; False when all must stop.
ctypedef bint (*Job)(void* context, int thread, int item, int step) noexcept nogil


cdef struct Item:
    int done                # samples so far
    int owner               # thread that took the last one
    bint busy               # one is being taken


cdef struct Crew:
    # All of it is read and written with the lock held.
    PyThread_type_lock lock
    Job job
    void* context
    int n                   # items of the block
    int last                # samples that each of them is to have
    Item item[64]
    bint open               # there may be something to do
    long block              # number of the block, of all there were
    int inside              # threads at work
    long called             # number of the search that has the crew; others' threads leave

cdef int make_crew(Crew* c, void* context) except -1
cdef void free_crew(Crew* c) noexcept
cdef long muster(Crew* c) noexcept nogil
cdef void open_block(Crew* c, Job job, int n, int last) noexcept nogil
cdef void dismiss(Crew* c) noexcept nogil
cdef void work(Crew* c, int thread) noexcept nogil
cdef void serve(Crew* c, int thread, long call) noexcept nogil
cdef void finish_block(Crew* c) noexcept nogil
