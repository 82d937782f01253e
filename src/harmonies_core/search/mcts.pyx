"""Monte Carlo tree search over turns; tree.pyx says what the trees are."""

import os
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport sqrt
from libc.string cimport memset

from harmonies_core.game cimport Position
from harmonies_core.search.base cimport (
    Searcher, check_threads, find_candidates, found, set_noise, set_width, with_discards,
)
from harmonies_core.search.beam cimport BY_NET, Beam
from harmonies_core.search.limits cimport StopFlag
from harmonies_core.search.outlook cimport turn_outlook
from harmonies_core.search.tree cimport NONE, ROOTS, Root, Tree, TreeMemory
from harmonies_core.search.utility cimport Outlook, set_chances
from harmonies_core.values.network cimport Weights

cdef enum:
    BLOCK = 32                  # visits between two looks at the clock of the GUI
    MOST_BLOCKS = 100_000


cdef class Mcts(Searcher):
    """Monte Carlo tree search; with several threads, a tree for each, their visits added up."""

    cdef list trees
    cdef object pool
    cdef int home               # process that its threads belong to
    cdef object known           # rules and weights of what the trees hold

    def __init__(self, Weights weights=None, int threads=1, str objective="win", seed=0):
        Searcher.__init__(self, weights, threads, objective, seed)
        self.trees = []
        self.pool = None
        self.known = None

    def forget(self):
        """See Searcher."""
        for tree in self.trees:
            tree.clear()

    cdef void prepare(self, Position position):
        cdef TreeMemory memory
        known = (position.rules, self.weights, self.hash_size)
        if len(self.trees) != self.threads or self.known is None or self.known[2] != known[2]:
            self.trees = [TreeMemory(max(1, self.hash_size // self.threads))
                          for _ in range(self.threads)]
            self.home = 0
        elif self.known[0] != known[0] or self.known[1] is not known[1]:
            self.forget()
        if self.home != os.getpid():
            # Threads stay behind in a fork.
            self.pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
            self.home = os.getpid()
        self.known = known
        for memory in self.trees:
            if memory.t.full or memory.t.n_edges > memory.t.most_edges // 2:
                memory.clear()

    def think(self, Position position not None, limit, int multipv=1, StopFlag stop=None,
              on_info=None, only=None):
        """See Searcher."""
        cdef TreeMemory memory, first
        cdef Tree* t
        cdef Beam* b
        cdef int i, number
        check_threads(self)
        self.prepare(position)
        first = self.trees[0]
        for number, memory in enumerate(self.trees):
            t = memory.t
            t.rules = &position.rules.table
            t.net = self.net(position)
            t.objective = self.objective
            t.seed = self.seed + 1000003 * number
            t.s = &position.state
            t.visits = 0
            t.deepest = 0
            self.set_limits(&t.limits, limit, stop)
            t.limits.most_nodes = t.limits.most_nodes // self.threads + 1
            for i in range(4):
                t.theirs[i][0] = NONE
                t.theirs[i][1] = NONE
            b = t.beam
            b.rules = t.rules
            b.net = t.net
            b.by = BY_NET
            b.limits = t.limits
            set_noise(b, self, position)
            set_width(&b.width, 4, 24, 24, 12, True)
            b.most_turns = ROOTS
            if number == 0:
                find_candidates(b, position, only)
                if only is None:
                    b.n_turns = with_discards(t.rules, t.s, &b.turn[0], b.n_turns)
            else:
                b.nodes = 0
                b.stopped = False
            t.n_roots = first.t.beam.n_turns
            for i in range(t.n_roots):
                memset(&t.root[i], 0, sizeof(Root))
                t.root[i].turn = first.t.beam.turn[i]
                t.root[i].place[0] = NONE
                t.root[i].place[1] = NONE
            set_width(&b.width, 0, 4, 4, 3, False)
        best = self.ranked(position, multipv)
        depth = 1
        self.seldepth = 1
        if on_info is not None:
            on_info(best, depth, self.nodes())
        if limit.depth == 1 or first.t.n_roots == 1:
            return best, depth, self.nodes()
        rounds = 0
        while not first.t.beam.stopped and rounds < MOST_BLOCKS:
            others = [self.pool.submit(memory.run, BLOCK) for memory in self.trees[1:]]
            first.run(BLOCK)
            for other in others:
                other.result()
            rounds += 1
            best = self.ranked(position, multipv)
            depth = self.depth()
            if on_info is not None:
                on_info(best, depth, self.nodes())
            if limit.depth is not None and depth >= limit.depth and rounds * BLOCK >= (
                    256 * limit.depth):
                break
        return best, depth, self.nodes()

    cdef object nodes(self):
        cdef TreeMemory memory
        total = 0
        for memory in self.trees:
            total += memory.t.beam.nodes
        return total

    cdef int depth(self):
        """Rounds looked ahead plus one, in the deepest line."""
        cdef TreeMemory memory
        cdef int most = 0
        for memory in self.trees:
            most = max(most, memory.t.deepest)
        self.seldepth = 1 + most
        return 1 + (most + self.known[0].players - 1) // self.known[0].players

    cdef void outlook_of(self, int i, Position position, Outlook* out):
        """What is expected after candidate i, from the visits of all trees."""
        cdef TreeMemory memory, first = self.trees[0]
        cdef int q, visits = 0, players = position.rules.players
        cdef double mean
        for q in range(players):
            out.points[q] = 0
            out.sd[q] = 0
        for memory in self.trees:
            visits += memory.t.root[i].visits
            for q in range(players):
                out.points[q] += memory.t.root[i].points[q]
                out.sd[q] += memory.t.root[i].squares[q]
        if visits == 0:
            turn_outlook(
                first.t.rules, first.t.net, &position.state, &first.t.root[i].turn, out)
            return
        for q in range(players):
            mean = out.points[q] / visits
            out.sd[q] = sqrt(max(0.0, out.sd[q] / visits - mean * mean))
            out.points[q] = mean
        set_chances(out, players, position.state.seat, position.state.turn, True)

    cdef list ranked(self, Position position, int multipv):
        """The best candidates by visits and value, over all trees."""
        cdef TreeMemory memory, first = self.trees[0]
        cdef Outlook outlook
        cdef int i, n = first.t.n_roots
        cdef long visits
        cdef double total
        order = []
        most = 0
        for i in range(n):
            visits = 0
            total = 0
            for memory in self.trees:
                visits += memory.t.root[i].visits
                total += memory.t.root[i].total
            most = max(most, visits)
            order.append((visits, total / visits if visits else 0.0, -i))
        # What was visited often is compared by value, the rest by visits.
        order.sort(
            key=lambda one: (one[0] > 0 and 2 * one[0] >= most,
                             one[1] if 2 * one[0] >= most else 0.0, one[0], one[2]),
            reverse=True)
        lines = []
        for _, _, place in order[:multipv]:
            i = -place
            self.outlook_of(i, position, &outlook)
            lines.append(found(position, &first.t.root[i].turn, &outlook))
        return lines
