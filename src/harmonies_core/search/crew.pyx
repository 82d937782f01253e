"""Threads that share out a block of samples among themselves.

In a block every item gets samples up to the same number, one after another. A thread goes on with
its own items, the one that is furthest behind first, and then takes over what nobody works at; so
all are busy until the last samples, whatever an item costs, and what a thread remembers of an item
is mostly of use to it again. With one thread the order is always the same.
"""

from cpython.pythread cimport (
    WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock,
    PyThread_release_lock,
)

from harmonies_core.search.clock cimport now, pause

# An idle thread looks again after this share of the time that it has been idle, at most so many
# seconds later: threads in plenty must not keep the cores from those that work.
cdef double AGAIN = 0.25
cdef double LATEST = 0.005
# Seconds for which it only lets others go first.
cdef double SHORT = 5e-5


cdef int make_crew(Crew* c, void* context) except -1:
    """`context` is for the jobs. Raises MemoryError."""
    c.context = context
    c.lock = PyThread_allocate_lock()
    if c.lock == NULL:
        raise MemoryError
    return 0


cdef void free_crew(Crew* c) noexcept:
    if c.lock != NULL:
        PyThread_free_lock(c.lock)


cdef inline void enter(Crew* c) noexcept nogil:
    PyThread_acquire_lock(c.lock, WAIT_LOCK)


cdef inline void leave(Crew* c) noexcept nogil:
    PyThread_release_lock(c.lock)


cdef void rest(double since) noexcept nogil:
    """Wait a little, the longer the longer there has been nothing to do."""
    cdef double idle = now() - since
    pause(0 if idle < SHORT else min(AGAIN * idle, LATEST))


cdef int pick(const Crew* c, int thread, bint* over) noexcept nogil:
    """The item that a thread goes on with, or -1; `over`: no item needs another sample."""
    cdef const Item* it
    cdef int i, own = -1, other = -1
    over[0] = True
    for i in range(c.n):
        it = &c.item[i]
        if it.done >= c.last:
            continue
        over[0] = False
        if it.busy:
            continue
        if it.owner == thread:
            if own < 0 or it.done < c.item[own].done:
                own = i
        elif other < 0 or it.done < c.item[other].done:
            other = i
    return own if own >= 0 else other


cdef void open_block(Crew* c, Job job, int n, int last) noexcept nogil:
    """Let the first n items have samples up to number `last`.

    `done` and `owner` of those must be set.
    """
    cdef int i
    enter(c)
    c.job = job
    c.n = n
    c.last = last
    for i in range(n):
        c.item[i].busy = False
    c.block += 1
    c.open = True
    leave(c)


cdef void work(Crew* c, int thread) noexcept nogil:
    """Take samples until no item needs one, or the job says no to any thread."""
    cdef double since = 0
    cdef bint over
    cdef int i
    enter(c)
    c.inside += 1
    while c.open:
        i = pick(c, thread, &over)
        if over:
            break
        if i < 0:
            leave(c)
            if since == 0:
                since = now()
            rest(since)
            enter(c)
            continue
        since = 0
        c.item[i].busy = True
        c.item[i].owner = thread
        leave(c)
        over = not c.job(c.context, thread, i, c.item[i].done)
        enter(c)
        c.item[i].busy = False
        if over:
            c.open = False
            break
        c.item[i].done += 1
    c.inside -= 1
    leave(c)


cdef void finish_block(Crew* c) noexcept nogil:
    """Wait for the threads that are at work; those that come late find nothing to do."""
    cdef double since = now()
    enter(c)
    c.open = False
    while c.inside > 0:
        leave(c)
        rest(since)
        enter(c)
    leave(c)


cdef void serve(Crew* c, int thread, long call) noexcept nogil:
    """Work at block after block until the crew is dismissed that `muster` gave this number."""
    cdef double since = now()
    cdef long seen = 0
    enter(c)
    while c.called == call:
        if c.open and c.block != seen:
            seen = c.block
            leave(c)
            work(c, thread)
            since = now()
        else:
            leave(c)
            rest(since)
        enter(c)
    leave(c)


cdef long muster(Crew* c) noexcept nogil:
    """Before the first block of a search: its number, for `serve`."""
    cdef long call
    enter(c)
    c.open = False
    c.called += 1
    call = c.called
    leave(c)
    return call


cdef void dismiss(Crew* c) noexcept nogil:
    """Let the other threads go."""
    enter(c)
    c.called += 1
    c.open = False
    leave(c)
