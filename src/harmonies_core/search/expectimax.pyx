"""Look-ahead: candidate turns, sampled refills, everyone's best reply until one's own.

Every candidate meets the same samples (common random numbers); after each doubling of the
samples the worse half is dropped. Replies come from tables (replies.pyx): those of the other
seats are shared by all candidates of a thread, one's own belong to the candidate. The best
candidates are then played on for further rounds. There only one's own landscape grows; the
others choose as they did in the first round.
"""

import os
from concurrent.futures import ThreadPoolExecutor, wait

from libc.math cimport sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from harmonies_core.board cimport EMPTY
from harmonies_core.dealer cimport Deal, shuffle_deal
from harmonies_core.game cimport Position
from harmonies_core.grid cimport popcount
from harmonies_core.search.base cimport (
    Searcher, check_threads, find_candidates, found, set_noise, set_width, with_discards,
)
from harmonies_core.search.beam cimport (
    BY_NET, Beam, Node, find_turns, find_turns_of, init_beam, offer, ready_beam,
)
from harmonies_core.search.crew cimport (
    dismiss, finish_block, free_crew, make_crew, muster, open_block, serve, work,
)
from harmonies_core.search.limits cimport StopFlag
from harmonies_core.search.market cimport (
    Market, later_pace, leave_market, open_market, refill_market,
)
from harmonies_core.search.outlook cimport turn_outlook
from harmonies_core.search.replies cimport (
    Replies, Reply, choose_reply, prepare_replies, reply_node,
)
from harmonies_core.search.utility cimport (
    FOR_POINTS, sd_of_error, set_chances, win_chance,
)
from harmonies_core.state cimport player_points
from harmonies_core.values.features cimport Pace


cdef class Memory:
    """What a search works in, used again from turn to turn."""

    def __cinit__(self, int threads=1):
        cdef int i
        self.threads = threads
        self.x = <Lookahead*>calloc(1, sizeof(Lookahead))
        if self.x == NULL:
            raise MemoryError
        self.x.threads = threads
        make_crew(&self.x.crew, self.x)
        self.x.mine = <Replies*>malloc(2 * MAX_CANDIDATES * sizeof(Replies))
        if self.x.mine == NULL:
            raise MemoryError
        for i in range(threads):
            self.x.worker[i].beam = <Beam*>calloc(1, sizeof(Beam))
            self.x.worker[i].theirs = <Replies*>malloc(8 * sizeof(Replies))
            self.x.worker[i].later = <Replies*>malloc(LATER * sizeof(Replies))
            if (self.x.worker[i].beam == NULL or self.x.worker[i].theirs == NULL
                    or self.x.worker[i].later == NULL):
                raise MemoryError
            init_beam(self.x.worker[i].beam)

    def __dealloc__(self):
        cdef int i
        if self.x != NULL:
            free_crew(&self.x.crew)
            for i in range(self.threads):
                free(self.x.worker[i].beam)
                free(self.x.worker[i].theirs)
                free(self.x.worker[i].later)
            free(self.x.mine)
            free(self.x)


cdef Replies* next_round(
    const Lookahead* x, Worker* w, Replies* r, int group, int card, int round, bint last
) noexcept nogil:
    """What the seat to move can do in a later round, after a reply from the table `r`."""
    cdef uint64_t key = (r.salt ^ (group * 512 + card * 2 + last + 1)) * <uint64_t>(
        0x9E3779B97F4A7C15)
    cdef Replies* later
    cdef Node node
    cdef Pace pace
    cdef int i, at = <int>(key >> 50) & (LATER - 1)
    for i in range(4):
        if w.later_key[(at + i) & (LATER - 1)] == key:
            return &w.later[(at + i) & (LATER - 1)]
    for i in range(4):
        if w.later_key[(at + i) & (LATER - 1)] == 0:
            at = (at + i) & (LATER - 1)
            break
    w.later_key[at] = key
    later = &w.later[at]
    reply_node(w.beam, r, group, card, &node)
    later_pace(x.rules, x.root, x.root.seat, round, round * x.rules.players, last, &pace)
    prepare_replies(w.beam, later, &node.me, &pace)
    return later


cdef double sample(
    Lookahead* x, Worker* w, const Candidate* k, const Deal* deal, float* values, float* errors
) noexcept nogil:
    """Play one sample from a candidate on; the utility for the seat to move."""
    cdef const State* s = x.root
    cdef Beam* b = w.beam
    cdef Replies* r
    cdef Replies* before = NULL     # what the seat to move replied from
    cdef Reply reply
    cdef Pace pace
    cdef Market m
    cdef double value[4]
    cdef double error[4]
    cdef double points[4]
    cdef int empties[4]
    cdef int i, q, step, group = 0, card = 0, n = x.rules.players, me = s.seat
    cdef bint over = False
    open_market(&m, x.rules, s, &k.turn)
    for i in range(n):
        value[i] = 0
        error[i] = 0
        points[i] = 0
        empties[i] = popcount(s.player[i].board.kind[EMPTY])
    value[me] = k.turn.value
    error[me] = k.turn.error
    points[me] = k.turn.points
    for step in range(1, n * x.plan.rounds + 1):
        q = (me + step) % n
        if (q == 0 and m.last) or not refill_market(&m, x.rules, deal):
            over = True
            break
        i = 1 if m.last else 0
        if x.blind and q != me:
            # As if the others had passed, for measuring what modelling them brings.
            m.taken = False
            continue
        if q == me and step > n:
            r = next_round(x, w, before, group, card, step // n, m.last)
        else:
            r = &k.mine[i] if q == me else &w.theirs[2 * q + i]
            if not r.ready:
                later_pace(x.rules, s, q, 0 if q > me else 1, min(step, n), m.last, &pace)
                prepare_replies(b, r, &k.turn.me if q == me else &s.player[q], &pace)
        choose_reply(b, r, m.group, m.n_groups, m.card, m.n_cards, &reply)
        if b.stopped:
            return 0
        if step <= n or q == me:
            value[q] = reply.value
            error[q] = reply.error
            points[q] = reply.points
            empties[q] = reply.empties
        else:
            # In later rounds the others choose as in the first, and their cells fill alike.
            i = popcount(s.player[q].board.kind[EMPTY])
            empties[q] = max(0, empties[q] - (i - reply.empties))
        if q == me:
            before = r
            group = m.group[reply.place]
            card = reply.card
        leave_market(&m, reply.place, reply.card, empties[q])
        w.deepest = max(w.deepest, step)
    if over:
        for i in range(n):
            if i == me or step <= n:
                value[i] = points[i] if points[i] > 0 or i == me else player_points(
                    x.rules, &s.player[i])
                error[i] = 0
    for i in range(n):
        values[i] = value[i]
        errors[i] = error[i]
        error[i] = sd_of_error(error[i])
    if x.objective == FOR_POINTS or n == 1:
        return value[me]
    # The points break ties where the game is decided.
    return win_chance(value, error, n, me) + 1e-4 * value[me]


cdef void begin_level(Lookahead* x, const State* s, const Plan* plan) noexcept nogil:
    """Forget everything; the first worker's beam is to find the candidates next."""
    cdef Beam* b
    cdef uint64_t left = 0
    cdef int i, j
    if x.limits.most_nodes > x.nodes:
        left = x.limits.most_nodes - x.nodes
    x.plan = plan[0]
    x.root = s
    x.together = 0
    x.stopped = False
    for i in range(x.threads):
        b = x.worker[i].beam
        b.rules = x.rules
        b.net = x.net
        b.by = BY_NET
        b.width = plan.root
        b.limits = x.limits
        b.limits.most_nodes = left + 1
        b.most_turns = plan.candidates
        b.nodes = 0
        b.stopped = False
        x.worker[i].seen = 0
        x.worker[i].dealt = -1
        memset(&x.worker[i].later_key[0], 0, sizeof(x.worker[i].later_key))
        if not plan.again:
            for j in range(8):
                x.worker[i].theirs[j].ready = False


cdef bint take_space(void* context, int thread, int at, int _) noexcept nogil:
    """The turns with the group of one space into the list of a thread's beam."""
    cdef Lookahead* x = <Lookahead*>context
    find_turns_of(x.worker[thread].beam, x.root, 1 << at)
    return True


cdef void find_together(Lookahead* x) noexcept nogil:
    """As find_turns with the beam of the first worker, on all threads."""
    cdef Beam* b
    cdef int i, j
    for i in range(x.threads):
        ready_beam(x.worker[i].beam, x.root)
    for i in range(x.rules.spaces):
        x.crew.item[i].done = 0
        x.crew.item[i].owner = i % x.threads
    open_block(&x.crew, take_space, x.rules.spaces, 1)
    work(&x.crew, 0)
    finish_block(&x.crew)
    for i in range(1, x.threads):
        b = x.worker[i].beam
        for j in range(b.n_turns):
            offer(x.worker[0].beam, &b.turn[j])


cdef void take_candidates(Lookahead* x) noexcept nogil:
    """Begin with the turns that the first worker's beam has."""
    cdef Beam* b = x.worker[0].beam
    cdef int i
    count_nodes(x)
    x.n = b.n_turns
    x.alive = x.n
    for i in range(x.n):
        x.candidate[i].turn = b.turn[i]
        x.candidate[i].done = 0
        x.candidate[i].owner = i % x.threads
        x.candidate[i].utility = b.turn[i].value
        x.candidate[i].mine = &x.mine[2 * i]
        x.mine[2 * i].ready = False
        x.mine[2 * i + 1].ready = False
    for i in range(x.threads):
        x.worker[i].beam.width = x.plan.reply


cdef void keep_candidates(Lookahead* x) noexcept nogil:
    """Begin with the best candidates of the level before, and with what they know."""
    cdef int i
    x.alive = max(x.keep, x.plan.candidates)
    if x.alive > x.n:
        x.alive = x.n
    for i in range(x.alive):
        x.candidate[i].done = 0
    for i in range(x.threads):
        x.worker[i].beam.width = x.plan.reply


cdef inline int place_of(const Lookahead* x, const Candidate* k) noexcept nogil:
    return <int>((k.mine - x.mine) // 2)


cdef int block_end(const Plan* plan, int first) noexcept nogil:
    """Samples are taken in blocks, each as long as all before it."""
    cdef int last = 1 if first == 0 else 2 * first
    return min(last, plan.samples)


cdef bint take_sample(void* context, int thread, int at, int m) noexcept nogil:
    """Sample number m of a candidate, on a thread; False if that must stop."""
    cdef Lookahead* x = <Lookahead*>context
    cdef Worker* w = &x.worker[thread]
    cdef Candidate* k = &x.candidate[at]
    cdef int p = place_of(x, k)
    if w.dealt != m:
        shuffle_deal(&w.deal, x.rules, x.root, x.seed + m)
        w.dealt = m
    x.utility[p][m] = sample(x, w, k, &w.deal, x.value[p][m], x.error[p][m])
    if w.beam.stopped:
        return False
    k.done = m + 1
    return True


cdef void share_out(Lookahead* x, int last) noexcept nogil:
    """Let the candidates that are alive have samples up to number `last`."""
    cdef int i
    for i in range(x.alive):
        x.crew.item[i].done = x.candidate[i].done
        x.crew.item[i].owner = x.candidate[i].owner
    open_block(&x.crew, take_sample, x.alive, last)


cdef void count_nodes(Lookahead* x) noexcept nogil:
    """Add up what the threads have done since the last time."""
    cdef Beam* b
    cdef int i
    for i in range(x.threads):
        b = x.worker[i].beam
        x.nodes += b.nodes - x.worker[i].seen
        x.worker[i].seen = b.nodes
        x.stopped = x.stopped or b.stopped


cdef int close_block(Lookahead* x, int last) noexcept nogil:
    """Rank the candidates by the samples that all of them had, and drop the worse half.

    The number of those samples.
    """
    cdef Candidate c
    cdef int i, j, m, q, p, common = last
    cdef double total, squares, mean
    count_nodes(x)
    for i in range(x.alive):
        common = min(common, x.candidate[i].done)
        x.candidate[i].owner = x.crew.item[i].owner
    if common == 0:
        return 0
    for i in range(x.alive):
        p = place_of(x, &x.candidate[i])
        total = 0
        for m in range(common):
            total += x.utility[p][m]
        x.candidate[i].utility = total / common
        for q in range(x.rules.players):
            mean = 0
            squares = 0
            for m in range(common):
                mean += x.value[p][m][q]
                squares += x.value[p][m][q] * x.value[p][m][q]
                squares += sd_of_error(x.error[p][m][q]) ** 2
            mean /= common
            x.candidate[i].outlook.points[q] = mean
            x.candidate[i].outlook.sd[q] = sqrt(max(0.0, squares / common - mean * mean))
        set_chances(
            &x.candidate[i].outlook, x.rules.players, x.root.seat, x.root.turn, True)
    for i in range(1, x.alive):
        j = i
        while j > 0 and x.candidate[j].utility > x.candidate[j - 1].utility:
            c = x.candidate[j]
            x.candidate[j] = x.candidate[j - 1]
            x.candidate[j - 1] = c
            j -= 1
    if last >= x.plan.halve and not x.stopped and x.alive > x.keep:
        # But as many as keep all threads busy.
        x.alive = min(x.alive, max(x.keep, (x.alive + 1) // 2, x.threads))
    return common


cdef void look_ahead(Lookahead* x, const State* s, const Plan* plan) noexcept nogil:
    """One level on one thread; candidates come out best first."""
    cdef int first = 0, last
    begin_level(x, s, plan)
    find_turns(x.worker[0].beam, s)
    take_candidates(x)
    while first < plan.samples and x.alive > 1 and not x.stopped:
        last = block_end(plan, first)
        share_out(x, last)
        work(&x.crew, 0)
        close_block(x, last)
        first = last


# How far each level of deepening looks: beam for the candidates (cards, tokens one to three; None
# for the candidates of the level before), the same for replies, candidates, samples, samples
# before the worse half is dropped, samples before the level may change the choice, rounds.
# Twelve rounds are the rest of nearly every game, and its result says little each time: such a
# level has to be surer before it may speak.
LEVELS = (
    ((4, 24, 24, 12), (0, 3, 3, 2), 24, 32, 8, 1, 1),
    (None, (0, 3, 3, 2), 6, 64, 16, 8, 2),
    ((6, 48, 48, 32), (0, 4, 4, 3), 40, 64, 8, 8, 1),
    (None, (0, 3, 3, 2), 8, 256, 64, 32, 12),
    ((6, 64, 64, 32), (0, 8, 8, 3), 64, 256, 8, 8, 1),
    (None, (0, 8, 8, 3), 16, 256, 64, 256, 12),
)


# Alone, what comes later is all one's own doing: further rounds pay sooner.
ALONE = (
    ((4, 24, 24, 12), (0, 3, 3, 2), 24, 32, 8, 1, 1),
    (None, (0, 3, 3, 2), 12, 64, 16, 8, 2),
    (None, (0, 3, 3, 2), 8, 256, 32, 8, 3),
    ((6, 48, 48, 32), (0, 4, 4, 3), 40, 64, 8, 8, 1),
    (None, (0, 4, 4, 3), 12, 256, 32, 8, 3),
    (None, (0, 8, 8, 3), 12, 256, 64, 8, 4),
)


cdef int read_plan(tuple level, Plan* plan) except -1:
    root, reply, plan.candidates, plan.samples, plan.halve, plan.settled, plan.rounds = level
    plan.again = root is None
    if root is not None:
        set_width(&plan.root, root[0], root[1], root[2], root[3], True)
    set_width(&plan.reply, reply[0], reply[1], reply[2], reply[3], False)
    return 0


cdef class Expectimax(Searcher):
    """Looks ahead to the seat's own next turns, wider and further level by level."""

    cdef Memory memory
    cdef object pool
    cdef list others            # what its threads are doing
    cdef int home               # process that they belong to
    cdef public bint blind      # leave the other seats out, for measurements
    cdef public tuple levels    # others than LEVELS or ALONE, for measurements

    def __cinit__(self):
        self.others = []

    def __dealloc__(self):
        if self.pool is not None:
            self.pool.shutdown(wait=False)

    def serve(self, Memory memory, int thread, long call):
        """Take samples as one of several threads, until the search is over."""
        with nogil:
            serve(&memory.x.crew, thread, call)

    cdef list lines(self, Position position, int multipv):
        cdef Lookahead* x = self.memory.x
        return [found(position, &x.candidate[i].turn, &x.candidate[i].outlook)
                for i in range(min(multipv, x.n))]

    cdef void first_outlook(self, Position position):
        """What is expected of the candidates before any sample."""
        cdef Lookahead* x = self.memory.x
        cdef int i
        for i in range(x.n):
            turn_outlook(
                x.rules, x.net, &position.state, &x.candidate[i].turn, &x.candidate[i].outlook)

    def think(self, Position position not None, limit, int multipv=1, StopFlag stop=None,
              on_info=None, only=None):
        """See Searcher."""
        cdef Lookahead* x
        check_threads(self)
        if self.home != os.getpid():
            # Threads stay behind in a fork.
            self.others = []
            self.memory = None
            self.home = os.getpid()
        # A search that was interrupted may not have waited for all of them.
        wait(self.others)
        if self.memory is None or self.memory.threads != self.threads:
            memory = Memory(self.threads)
            self.pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
            self.memory = memory
        x = self.memory.x
        x.rules = &position.rules.table
        x.net = self.net(position)
        x.objective = self.objective
        x.seed = self.seed
        x.blind = self.blind
        x.nodes = 0
        x.keep = max(2, multipv)
        for thread in range(self.threads):
            init_beam(x.worker[thread].beam)
            x.worker[thread].deepest = 0
            # Candidates change threads: what two threads number must never be the same.
            x.worker[thread].beam.salts = <uint64_t>thread << 40
            set_noise(x.worker[thread].beam, self, position)
        self.set_limits(&x.limits, limit, stop)
        if self.threads > 1:
            x.limits.together = &x.together
        call = muster(&x.crew)
        self.others = []
        try:
            for thread in range(1, self.threads):
                self.others.append(self.pool.submit(self.serve, self.memory, thread, call))
            return self.deepen(position, limit, multipv, on_info, only)
        finally:
            dismiss(&x.crew)
            wait(self.others)

    cdef tuple deepen(self, Position position, limit, int multipv, on_info, only):
        """Level after level until a limit is reached; what `think` returns."""
        cdef Lookahead* x = self.memory.x
        cdef Beam* b
        cdef Plan plan
        cdef int i, level, first, last, common, depth = 1, rounds = 1
        cdef bint settled
        levels = self.levels or (ALONE if x.rules.solo else LEVELS)
        best = []
        self.seldepth = 1
        for level in range(1, len(levels) + 1):
            if limit.depth is not None and level > max(1, limit.depth - 1):
                break
            read_plan(levels[level - 1], &plan)
            if multipv > plan.candidates and not plan.again:
                plan.candidates = min(multipv, MAX_CANDIDATES)
            begin_level(x, &position.state, &plan)
            if plan.again:
                keep_candidates(x)
            else:
                if x.threads > 1 and only is None and not position.state.progress.space:
                    with nogil:
                        find_together(x)
                else:
                    find_candidates(x.worker[0].beam, position, only)
                if only is None:
                    b = x.worker[0].beam
                    b.n_turns = with_discards(x.rules, x.root, &b.turn[0], b.n_turns)
                take_candidates(x)
            if level == 1:
                self.first_outlook(position)
                best = self.lines(position, multipv)
                if on_info is not None:
                    on_info(best, depth, x.nodes)
                if limit.depth == 1:
                    break
            if x.n == 1:
                break
            first = 0
            settled = False
            while first < plan.samples and x.alive > 1 and not x.stopped:
                last = block_end(&plan, first)
                with nogil:
                    share_out(x, last)
                    work(&x.crew, 0)
                    finish_block(&x.crew)
                common = close_block(x, last)
                settled = settled or common >= plan.settled
                first = last
                # What looks less far must not replace what looked further.
                if settled and common and plan.rounds >= rounds:
                    depth = level + 1
                    rounds = plan.rounds
                    self.seldepth = 1
                    for i in range(x.threads):
                        self.seldepth = max(self.seldepth, 1 + x.worker[i].deepest)
                    best = self.lines(position, multipv)
                    if on_info is not None:
                        on_info(best, depth, x.nodes)
            if x.stopped:
                break
        return best, depth, x.nodes
