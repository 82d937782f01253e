"""The trees of Monte Carlo tree search: one for each seat, of its own landscapes.

The candidates of the root are the edges that compete by their chance to win. Below them every
seat has a tree of its own landscapes: an edge is a group of tokens and, perhaps, a card, used in
the best way found; what lies in the centre decides which edges are open. Refills are chance,
drawn anew for each visit; the n-th visits of all candidates meet the same refills. So a
landscape that was worked out once serves every deal that leads to it, and, after the turn was
played, the next search: the tree below a landscape depends on nothing else.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from harmonies_core.board cimport EMPTY
from harmonies_core.dealer cimport shuffle_deal
from harmonies_core.grid cimport popcount
from harmonies_core.search.beam cimport (
    init_beam, new_salt, stand, start_node, sweep, try_card,
)
from harmonies_core.search.limits cimport timed_out
from harmonies_core.search.market cimport (
    TOKENS_OF, Market, later_pace, leave_market, open_market, refill_market,
)
from harmonies_core.search.replies cimport GROUPS, KEPT
from harmonies_core.search.utility cimport FOR_POINTS, sd_of_error, win_chance
from harmonies_core.state cimport Player, hand_full, player_points
from harmonies_core.values.features cimport Ground
from harmonies_core.values.inference cimport Hidden, pace_hidden

cdef enum:
    MAX_ROUNDS = 6              # rounds that one simulation may go on for
    GROW = 2                    # visits of an edge before there is a landscape below it


cdef uint64_t player_key(const Player* p) noexcept nogil:
    """Hash of everything that a seat has; equal players are equal bytes (state.pxd)."""
    cdef const uint64_t* word = <const uint64_t*>p
    cdef uint64_t h = 0x243F6A8885A308D3
    cdef int i
    for i in range(<int>(sizeof(Player) // 8)):
        h = (h ^ word[i]) * <uint64_t>0x9FB21C651E98DF25
        h ^= h >> 29
    return h


cdef int new_place(
    Tree* t, const Player* me, int seat, int rounds, int steps, bint last
) noexcept nogil:
    """The number of a landscape whose seat is to move `steps` turns from now, made if need be."""
    cdef Place* p
    cdef Pace shown
    cdef int i, slot
    cdef uint64_t key = player_key(me) ^ ((t.s.turn + rounds) * 16 + seat * 2 + last + 1)
    key *= <uint64_t>0x9FB21C651E98DF25
    slot = <int>(key >> 40) & (t.table_size - 1)
    while t.table[slot]:
        if t.place[t.table[slot] - 1].key == key:
            return t.table[slot] - 1
        slot = (slot + 1) & (t.table_size - 1)
    if t.n_places == t.most_places:
        t.full = True
        return NONE
    p = &t.place[t.n_places]
    t.n_places += 1
    t.table[slot] = t.n_places
    p.key = key
    later_pace(t.rules, t.s, seat, rounds, steps, last, &p.pace)
    shown = p.pace
    shown.turns_left = max(1, shown.turns_left)
    pace_hidden(t.net, &shown, &p.base)
    t.beam.pace = p.pace
    t.beam.base = p.base
    new_salt(t.beam)
    p.salt = t.beam.salt
    start_node(t.beam, me, &p.start)
    for i in range(GROUPS):
        p.first[i] = NONE
    p.gain = 0
    p.visits = 0
    return t.n_places - 1


cdef int add_edge(Tree* t, Place* p, int group, const Node* turn, int card) noexcept nogil:
    cdef Edge* e
    if t.n_edges == t.most_edges:
        t.full = True
        return NONE
    e = &t.edge[t.n_edges]
    e.turn = turn[0]
    e.card = card
    e.next = p.first[group]
    e.below = NONE
    e.visits = 0
    e.total = 0
    p.first[group] = t.n_edges
    t.n_edges += 1
    return t.n_edges - 1


cdef void look_at(Tree* t, Place* p, int group) noexcept nogil:
    """Work out the best uses of a group, without cards."""
    cdef int i
    cdef int n
    sweep(t.beam, &p.start, 1, 1, TOKENS_OF[group], 3)
    n = min(t.beam.n_level[2], KEPT)
    for i in range(n - 1, -1, -1):
        add_edge(t, p, group, &t.beam.level[2][i], 0)


cdef int edge_with_card(const Tree* t, const Place* p, int group, int card) noexcept nogil:
    """The edge that takes a card too; NONE without one."""
    cdef int i = p.first[group]
    while i != NONE and t.edge[i].card != card:
        i = t.edge[i].next
    return i


cdef void look_at_cards(
    Tree* t, Place* p, int group, const uint8_t* cards, int n_cards
) noexcept nogil:
    """Make the edges that take a card, where a slot is free."""
    cdef Node best[6]
    cdef Node other
    cdef Ground cells
    cdef Hidden ground
    cdef uint8_t fresh[6]
    cdef int i, j, n = 0
    cdef bint any = False
    for j in range(n_cards):
        if edge_with_card(t, p, group, cards[j]) == NONE:
            fresh[n] = cards[j]
            n += 1
    if n == 0:
        return
    i = p.first[group]
    while i != NONE:
        if t.edge[i].card == 0 and not hand_full(&t.edge[i].turn.me):
            stand(t.beam, &t.edge[i].turn, &cells, &ground)
            for j in range(n):
                try_card(t.beam, &ground, &t.edge[i].turn, fresh[j], &other)
                if not any or other.value > best[j].value:
                    best[j] = other
            any = True
        i = t.edge[i].next
    if any:
        for j in range(n):
            add_edge(t, p, group, &best[j], fresh[j])


cdef double score(const Tree* t, const Place* p, int i, double explore) noexcept nogil:
    """Upper bound of an edge in points. What was not looked into yet gets the usual gain."""
    cdef const Edge* e = &t.edge[i]
    cdef double usual = p.gain / p.visits if p.visits else 0
    cdef double prior = e.turn.value + usual
    return (prior + e.total) / (1 + e.visits) + explore / sqrt(1.0 + e.visits)


cdef int choose(
    Tree* t, Place* p, const uint8_t* groups, int n_groups, const uint8_t* cards, int n_cards,
    int* where
) noexcept nogil:
    """The edge to follow, and the place of its group in the centre; NONE if the tree is full."""
    cdef int i, j, k, e, best = NONE
    cdef int top[2]
    cdef double high = -1e9, x, explore
    t.beam.pace = p.pace
    t.beam.base = p.base
    t.beam.salt = p.salt
    top[0] = NONE
    top[1] = NONE
    for i in range(n_groups):
        if p.first[groups[i]] == NONE:
            look_at(t, p, groups[i])
            if p.first[groups[i]] == NONE:
                return NONE
        # The first edge of a group without a card is its best.
        e = p.first[groups[i]]
        while t.edge[e].card:
            e = t.edge[e].next
        if top[0] == NONE or t.edge[e].turn.value > t.edge[top[0]].turn.value:
            top[1] = top[0]
            top[0] = e
        elif top[1] == NONE or t.edge[e].turn.value > t.edge[top[1]].turn.value:
            top[1] = e
    explore = 1.5 * sqrt(log(2.0 + p.visits))
    for i in range(n_groups):
        e = p.first[groups[i]]
        while t.edge[e].card:
            e = t.edge[e].next
        if e == top[0] or e == top[1]:
            look_at_cards(t, p, groups[i], cards, n_cards)
        e = p.first[groups[i]]
        while e != NONE:
            if t.edge[e].card == 0:
                x = score(t, p, e, explore)
                if x > high:
                    high = x
                    best = e
                    where[0] = i
                if e == top[0] or e == top[1]:
                    for j in range(n_cards):
                        k = edge_with_card(t, p, groups[i], cards[j])
                        if k != NONE:
                            x = score(t, p, k, explore)
                            if x > high:
                                high = x
                                best = k
                                where[0] = i
            e = t.edge[e].next
    return best


cdef void simulate(Tree* t, Root* r) noexcept nogil:
    """One visit of a candidate: down the trees of all seats, and back up."""
    cdef const State* s = t.s
    cdef Market m
    cdef int here[4]            # landscape of each seat; NONE = unknown yet
    cdef const Player* board[4]
    cdef double value[4]
    cdef double error[4]
    cdef double points[4]
    cdef double sd[4]
    cdef int path[32]
    cdef int from_place[32]
    cdef int seat_of[32]
    cdef int n_path = 0, i, q, step = 0, round, e, where = 0, n = t.rules.players, me = s.seat
    cdef bint over = False, leaf = False
    cdef double x
    open_market(&m, t.rules, s, &r.turn)
    for q in range(n):
        board[q] = &s.player[q]
        here[q] = NONE
        value[q] = 0
        error[q] = 0
        points[q] = -1
    board[me] = &r.turn.me
    value[me] = r.turn.value
    error[me] = r.turn.error
    points[me] = r.turn.points
    # A visit counts as a node: where the game ends, nothing else may be left to value.
    t.beam.nodes += 1
    if t.beam.nodes >= t.limits.most_nodes or timed_out(&t.limits):
        t.beam.stopped = True
        return
    shuffle_deal(&t.deal, t.rules, s, t.seed + r.visits)
    while not over and not leaf and n_path < 32:
        step += 1
        q = (me + step) % n
        round = (me + step) // n
        if (q == 0 and m.last) or not refill_market(&m, t.rules, &t.deal):
            over = True
            break
        i = 1 if m.last else 0
        if step <= n:
            # The first turn of everyone: landscapes shared between candidates.
            if q == me:
                if r.place[i] == NONE:
                    r.place[i] = new_place(t, board[q], q, 1, step, m.last)
                here[q] = r.place[i]
            else:
                if t.theirs[q][i] == NONE:
                    t.theirs[q][i] = new_place(t, board[q], q, 1 if q < me else 0, step, m.last)
                here[q] = t.theirs[q][i]
        elif here[q] == NONE or t.place[here[q]].pace.turns_left != (0 if m.last else 2):
            # The tree has no landscape for this case: stop with what is known.
            break
        if here[q] == NONE:
            break
        e = choose(t, &t.place[here[q]], m.group, m.n_groups, m.card, m.n_cards, &where)
        if e == NONE or t.beam.stopped:
            break
        path[n_path] = e
        from_place[n_path] = here[q]
        seat_of[n_path] = q
        n_path += 1
        value[q] = t.edge[e].turn.value
        error[q] = t.edge[e].turn.error
        points[q] = t.edge[e].turn.points
        board[q] = &t.edge[e].turn.me
        leave_market(&m, where, t.edge[e].card, popcount(board[q].board.kind[EMPTY]))
        # Deeper once an edge was visited often enough; the round is always played out.
        if t.edge[e].below == NONE and t.edge[e].visits + 1 >= GROW and not t.full and (
                not m.last) and round < MAX_ROUNDS:
            t.edge[e].below = new_place(
                t, board[q], q, (me + step + n) // n, step + n, False)
        here[q] = t.edge[e].below
        if q == me and here[q] == NONE:
            leaf = True
    if step > t.deepest:
        t.deepest = step
    if over:
        for q in range(n):
            if points[q] < 0:
                points[q] = player_points(t.rules, &s.player[q])
            value[q] = points[q]
            error[q] = 0
    if t.beam.stopped:
        return
    for i in range(n_path):
        q = seat_of[i]
        t.edge[path[i]].visits += 1
        t.edge[path[i]].total += value[q]
        t.place[from_place[i]].visits += 1
        t.place[from_place[i]].gain += value[q] - t.edge[path[i]].turn.value
    r.visits += 1
    t.visits += 1
    for q in range(n):
        sd[q] = sd_of_error(error[q])
        if points[q] < 0 and not over:
            # A seat that did not come to move in this simulation.
            value[q] = t.root[0].points[q] / max(1, t.root[0].visits) if t.root[0].visits else 0
        r.points[q] += value[q]
        r.squares[q] += value[q] * value[q] + sd[q] * sd[q]
    x = value[me]
    if t.objective != FOR_POINTS and n > 1:
        x = win_chance(value, sd, n, me) + 1e-4 * value[me]
    r.total += x


cdef int select(const Tree* t) noexcept nogil:
    """The candidate to visit next; the list opens as the visits grow."""
    cdef int i, best = 0, n
    cdef double high = -1e9, x, explore
    explore = (2.5 if t.objective == FOR_POINTS or t.rules.players == 1 else 0.05) * sqrt(
        log(1.0 + t.visits))
    n = min(t.n_roots, 8 + <int>sqrt(2.0 * t.visits))
    for i in range(n):
        if t.root[i].visits == 0:
            return i
        x = t.root[i].total / t.root[i].visits + explore / sqrt(<double>t.root[i].visits)
        if x > high:
            high = x
            best = i
    return best


cdef void grow(Tree* t, int visits) noexcept nogil:
    """Visit candidates until the time is up."""
    cdef int _
    for _ in range(visits):
        if t.beam.stopped:
            return
        simulate(t, &t.root[select(t)])


cdef class TreeMemory:
    """The memory of one tree."""

    def __cinit__(self, int megabytes):
        cdef int edges = megabytes * 1500
        self.t = <Tree*>calloc(1, sizeof(Tree))
        if self.t == NULL:
            raise MemoryError
        self.t.most_edges = edges
        self.t.most_places = edges // 8
        self.t.table_size = 1
        while self.t.table_size < 2 * self.t.most_places:
            self.t.table_size *= 2
        self.t.beam = <Beam*>calloc(1, sizeof(Beam))
        self.t.edge = <Edge*>malloc(edges * sizeof(Edge))
        self.t.place = <Place*>malloc(self.t.most_places * sizeof(Place))
        self.t.table = <int*>calloc(self.t.table_size, sizeof(int))
        if (self.t.beam == NULL or self.t.edge == NULL or self.t.place == NULL
                or self.t.table == NULL):
            raise MemoryError
        init_beam(self.t.beam)

    def __dealloc__(self):
        if self.t != NULL:
            free(self.t.beam)
            free(self.t.edge)
            free(self.t.place)
            free(self.t.table)
            free(self.t)

    def clear(self):
        """Forget every landscape."""
        self.t.n_edges = 0
        self.t.n_places = 0
        self.t.full = False
        memset(self.t.table, 0, self.t.table_size * sizeof(int))
        init_beam(self.t.beam)

    def run(self, int visits):
        """Visits without the GIL, until done or out of time."""
        with nogil:
            grow(self.t, visits)
