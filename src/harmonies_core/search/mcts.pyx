"""Monte Carlo tree search over turns, with the tree split by seat.

The candidates of the root are the edges that compete by their chance to win. Below them every
seat has a tree of its own landscapes: an edge is a group of tokens and, perhaps, a card, used in
the best way found; what lies in the centre decides which edges are open. Refills are chance,
drawn anew for each visit; the n-th visits of all candidates meet the same refills. So a
landscape that was worked out once serves every deal that leads to it, and, after the turn was
played, the next search: the tree below a landscape depends on nothing else.
"""

from concurrent.futures import ThreadPoolExecutor

from libc.math cimport log, sqrt
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from harmonies_core.board cimport EMPTY, NO_TOKEN
from harmonies_core.dealer cimport Deal, shuffle_deal
from harmonies_core.game cimport Position
from harmonies_core.grid cimport popcount
from harmonies_core.search.base cimport (
    Searcher, find_candidates, found, set_noise, set_width, with_discards,
)
from harmonies_core.search.beam cimport (
    BY_NET, Beam, Node, init_beam, new_salt, stand, start_node, sweep, try_card,
)
from harmonies_core.search.limits cimport Limits, StopFlag, timed_out
from harmonies_core.search.outlook cimport seat_outlook
from harmonies_core.search.replies cimport GROUPS, KEPT, TOKENS_OF, drop_card, group_id
from harmonies_core.search.utility cimport (
    FOR_POINTS, Outlook, sd_of_error, set_chances, win_chance,
)
from harmonies_core.state cimport (
    A_DISCARD, A_TAKE, END_EMPTIES, Player, RuleTable, State, action_first, action_kind, bag_total,
    hand_full, player_points,
)
from harmonies_core.values.features cimport Ground, Pace, state_pace
from harmonies_core.values.network cimport Hidden, Net, Weights, pace_hidden

cdef enum:
    NONE = -1
    ROOTS = 64                  # candidates at the root, at most
    MAX_ROUNDS = 6              # rounds that one simulation may go on for
    GROW = 2                    # visits of an edge before there is a landscape below it
    BLOCK = 32                  # visits between two looks at the clock of the GUI
    MOST_BLOCKS = 100_000


cdef struct Edge:
    Node turn
    int card                    # card taken, 0 = none
    int next                    # another edge of the same group
    int below                   # landscape it leads to
    int visits
    double total                # of final points expected further down


cdef struct Place:
    # A seat's landscape before its turn.
    Node start
    Hidden base
    Pace pace
    uint64_t salt
    int first[56]               # edges by group; NONE = not looked at yet
    double gain                 # sum over visits: points that looking further added
    int visits
    uint64_t key                # of the landscape, the seat and its turn


cdef struct Root:
    Node turn
    int place[2]                # landscape after it: ordinary, last turn
    int visits
    double total                # of utility
    double points[4]
    double squares[4]


cdef struct Tree:
    const RuleTable* rules
    const Net* net
    Limits limits
    int objective
    uint64_t seed
    const State* s
    Beam* beam
    Edge* edge
    Place* place
    int n_edges
    int n_places
    int most_edges
    int most_places
    bint full
    int n_roots
    Root root[64]
    int theirs[4][2]
    int* table              # landscapes by key: number + 1, a power of 2 of them
    int table_size
    int visits
    int deepest
    Deal deal


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
    state_pace(t.rules, t.s, seat, seat, False, &p.pace)
    p.pace.turn = t.s.turn + rounds
    p.pace.turns_left = 0 if last else 2
    if p.pace.others < 26:
        p.pace.others = max(0, p.pace.others - 2 * max(1, rounds))
    p.pace.bag = max(0, p.pace.bag - 3 * steps)
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
    cdef uint8_t groups[6]
    cdef uint8_t cards[6]
    cdef int here[4]            # landscape of each seat; NONE = unknown yet
    cdef const Player* board[4]
    cdef double value[4]
    cdef double error[4]
    cdef double points[4]
    cdef double sd[4]
    cdef int path[32]
    cdef int from_place[32]
    cdef int seat_of[32]
    cdef int n_path = 0, n_groups = 0, n_cards = 0, i, q, step = 0, round, e, where = 0
    cdef int n = t.rules.players, me = s.seat, token = 0, card = 0, taken = 0, bag = bag_total(s)
    cdef bint over = False, triggered = bag < 3, leaf = False
    cdef double x
    for i in range(t.rules.spaces):
        if i + 1 != r.turn.space and s.centre[i][0] != NO_TOKEN:
            groups[n_groups] = group_id(s.centre[i])
            n_groups += 1
        if s.row[i]:
            cards[n_cards] = s.row[i]
            n_cards += 1
    for i in range(r.turn.n):
        if action_kind(r.turn.action[i]) in (A_TAKE, A_DISCARD):
            n_cards = drop_card(cards, n_cards, action_first(r.turn.action[i]))
            taken = 1
    for q in range(n):
        board[q] = &s.player[q]
        here[q] = NONE
        value[q] = 0
        error[q] = 0
        points[q] = -1
        if popcount(s.player[q].board.kind[EMPTY]) <= END_EMPTIES:
            triggered = True
    board[me] = &r.turn.me
    value[me] = r.turn.value
    error[me] = r.turn.error
    points[me] = r.turn.points
    if popcount(r.turn.me.board.kind[EMPTY]) <= END_EMPTIES:
        triggered = True
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
        if q == 0 and triggered:
            over = True
            break
        if t.rules.solo:
            n_groups = 0
        while n_groups < t.rules.spaces and bag >= 3 and token + 3 <= t.deal.n_tokens:
            groups[n_groups] = group_id(&t.deal.token[token])
            n_groups += 1
            token += 3
            bag -= 3
        if taken and card < t.deal.n_cards:
            cards[n_cards] = t.deal.card[card]
            n_cards += 1
            card += 1
        if n_groups == 0:
            over = True
            break
        i = 1 if triggered else 0
        if step <= n:
            # The first turn of everyone: landscapes shared between candidates.
            if q == me:
                if r.place[i] == NONE:
                    r.place[i] = new_place(t, board[q], q, 1, step, triggered)
                here[q] = r.place[i]
            else:
                if t.theirs[q][i] == NONE:
                    t.theirs[q][i] = new_place(t, board[q], q, 1 if q < me else 0, step, triggered)
                here[q] = t.theirs[q][i]
        elif here[q] == NONE or t.place[here[q]].pace.turns_left != (0 if triggered else 2):
            # The tree has no landscape for this case: stop with what is known.
            break
        if here[q] == NONE:
            break
        e = choose(t, &t.place[here[q]], groups, n_groups, cards, n_cards, &where)
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
        n_groups -= 1
        groups[where] = groups[n_groups]
        taken = t.edge[e].card != 0
        if taken:
            n_cards = drop_card(cards, n_cards, t.edge[e].card)
        if popcount(board[q].board.kind[EMPTY]) <= END_EMPTIES or bag < 3:
            triggered = True
        # Deeper once an edge was visited often enough; the round is always played out.
        if t.edge[e].below == NONE and t.edge[e].visits + 1 >= GROW and not t.full and (
                not triggered) and round < MAX_ROUNDS:
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

    cdef Tree* t

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


cdef class Mcts(Searcher):
    """Monte Carlo tree search; with several threads, a tree for each, their visits added up."""

    cdef list trees
    cdef object pool
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
            self.pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        elif self.known[0] != known[0] or self.known[1] is not known[1]:
            self.forget()
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
        cdef int i, number, seat = position.state.seat, players = position.rules.players
        cdef Outlook outlook
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
        for i in range(players):
            seat_outlook(first.t.rules, first.t.net, &position.state, i, seat, False, &outlook)
        best = self.ranked(position, &outlook, multipv)
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
            best = self.ranked(position, &outlook, multipv)
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

    cdef void outlook_of(
        self, int i, const Outlook* before, int players, int seat, Outlook* out
    ):
        """What is expected after candidate i, from the visits of all trees."""
        cdef TreeMemory memory, first = self.trees[0]
        cdef int q, visits = 0
        cdef double mean
        out[0] = before[0]
        for q in range(players):
            out.points[q] = 0
            out.sd[q] = 0
        for memory in self.trees:
            visits += memory.t.root[i].visits
            for q in range(players):
                out.points[q] += memory.t.root[i].points[q]
                out.sd[q] += memory.t.root[i].squares[q]
        for q in range(players):
            if visits:
                mean = out.points[q] / visits
                out.sd[q] = sqrt(max(0.0, out.sd[q] / visits - mean * mean))
                out.points[q] = mean
            elif q == seat:
                out.points[q] = first.t.root[i].turn.value
                out.sd[q] = sd_of_error(first.t.root[i].turn.error)
            else:
                out.points[q] = before.points[q]
                out.sd[q] = before.sd[q]
        set_chances(out, players, seat)

    cdef list ranked(self, Position position, const Outlook* before, int multipv):
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
            self.outlook_of(i, before, position.rules.players, position.state.seat, &outlook)
            lines.append(found(position, &first.t.root[i].turn, &outlook))
        return lines
