"""All distinct turns of a position: a graph of in-turn states, equal ones merged.

Only orders that can matter are followed. The space is taken before tokens, cards and cubes. A
card is taken as early as it can be: right after the space if a slot is free, else right after a
cube (which may have freed one); taking it later in the same turn leads to the same position,
because holding a card forbids nothing. Tokens and cubes are followed in every order, and states
that are equal in every byte are one node, so that nothing is lost and nothing is counted twice.
"""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memset

from harmonies_core.board cimport Board, L, R, F, M, T, TOKENS, W, legal_cells, place_token
from harmonies_core.grid cimport Mask
from harmonies_core.state cimport (
    A_CUBE, A_DISCARD, A_END, A_SPACE, A_SPIRIT, A_TAKE, MAX_ACTIONS, MAX_TURN,
    action_cell, action_first, action_kind, apply_action, check_action, hand_full, legal_actions,
    may_end,
)

cdef enum:
    ROOT = 0xFFFF       # the action of a graph's first node
    RING = 64           # landscapes kept while they are counted


cdef void init_graph(TurnGraph* g) noexcept nogil:
    memset(g, 0, sizeof(TurnGraph))


cdef void free_graph(TurnGraph* g) noexcept nogil:
    free(g.node)
    free(g.final)
    free(g.table)
    init_graph(g)


cdef uint64_t scramble(uint64_t x) noexcept nogil:
    x *= <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    return x ^ (x >> 29)


# A sum over actions, so that the order does not count; cubes add card and cell separately,
# because which card a cube came from is not part of the position.
cdef uint64_t action_hash(uint16_t action) noexcept nogil:
    if action_kind(action) == A_CUBE:
        return scramble(0x10000 + action_first(action)) + scramble(0x20000 + action_cell(action))
    return scramble(action)


cdef bint same_node(const Node* a, const Node* b) noexcept nogil:
    return (a.hash == b.hash and a.took == b.took and a.dropped == b.dropped
            and memcmp(&a.progress, &b.progress, sizeof(Progress)) == 0
            and memcmp(&a.me, &b.me, sizeof(Player)) == 0)


cdef int grow_table(TurnGraph* g) except -1 nogil:
    cdef uint32_t size = 2 * g.table_size if g.table_size else 4096
    cdef uint32_t* table = <uint32_t*>calloc(size, sizeof(uint32_t))
    cdef uint32_t i, at
    if table == NULL:
        with gil:
            raise MemoryError("no memory for the turns of a position")
    for i in range(g.n):
        at = <uint32_t>(g.node[i].hash & (size - 1))
        while table[at]:
            at = (at + 1) & (size - 1)
        table[at] = i + 1
    free(g.table)
    g.table = table
    g.table_size = size
    return 0


cdef int add_node(TurnGraph* g, const Node* node, bint final) except -1 nogil:
    """Add a node unless an equal one is there."""
    cdef uint32_t at
    cdef void* more
    if 2 * (g.n + 1) > g.table_size:
        grow_table(g)
    at = <uint32_t>(node.hash & (g.table_size - 1))
    while g.table[at]:
        if same_node(&g.node[g.table[at] - 1], node):
            return 0
        at = (at + 1) & (g.table_size - 1)
    if g.n == g.capacity:
        more = realloc(g.node, (2 * g.capacity + 1024) * sizeof(Node))
        if more == NULL:
            with gil:
                raise MemoryError("no memory for the turns of a position")
        g.node = <Node*>more
        g.capacity = 2 * g.capacity + 1024
    if final:
        if g.n_finals == g.final_capacity:
            more = realloc(g.final, (2 * g.final_capacity + 1024) * sizeof(uint32_t))
            if more == NULL:
                with gil:
                    raise MemoryError("no memory for the turns of a position")
            g.final = <uint32_t*>more
            g.final_capacity = 2 * g.final_capacity + 1024
        g.final[g.n_finals] = g.n
        g.n_finals += 1
    g.node[g.n] = node[0]
    g.n += 1
    g.table[at] = g.n
    return 0


cdef bint worth_following(int kind, bint rooted, int last, bint was_full) noexcept nogil:
    """Is an action of this kind, after one of kind `last`, an order that can matter?"""
    if kind == A_END:
        return False
    if kind == A_TAKE:
        return rooted or last == A_SPACE or (was_full and last == A_CUBE)
    return True


cdef int build_graph(TurnGraph* g, const RuleTable* rules, const State* base) except -1 nogil:
    """Fill an initialised graph with every in-turn state that can be reached from `base`."""
    cdef uint16_t actions[MAX_ACTIONS]
    cdef State s = base[0], after
    cdef Node node
    cdef uint32_t at = 0
    cdef int i, j, n, kind, last
    cdef bint was_full = hand_full(&base.player[base.seat])
    cdef bint rooted
    memset(&node, 0, sizeof(Node))
    node.me = base.player[base.seat]
    node.progress = base.progress
    node.action = ROOT
    add_node(g, &node, may_end(rules, base))
    while at < g.n:
        s.player[base.seat] = g.node[at].me
        s.progress = g.node[at].progress
        s.pair[0] = base.pair[0]
        s.pair[1] = base.pair[1]
        if g.node[at].progress.space == base.progress.space:
            for i in range(5):
                for j in range(3):
                    s.centre[i][j] = base.centre[i][j]
        for i in range(5):
            s.row[i] = base.row[i]
            if s.row[i] and (s.row[i] == g.node[at].took or s.row[i] == g.node[at].dropped):
                s.row[i] = 0
        rooted = g.node[at].action == ROOT and base.progress.space != 0
        last = A_END if g.node[at].action == ROOT else action_kind(g.node[at].action)
        n = legal_actions(rules, &s, actions)
        for i in range(n):
            kind = action_kind(actions[i])
            if not worth_following(kind, rooted, last, was_full):
                continue
            if s.progress.space == 0 and kind != A_SPACE and kind != A_SPIRIT:
                continue
            after = s
            apply_action(rules, &after, actions[i])
            node.me = after.player[base.seat]
            node.progress = after.progress
            node.took = g.node[at].took
            node.dropped = g.node[at].dropped
            if kind == A_TAKE:
                node.took = action_first(actions[i])
            elif kind == A_DISCARD:
                node.dropped = action_first(actions[i])
            node.action = actions[i]
            node.parent = at
            node.hash = g.node[at].hash + action_hash(actions[i])
            add_node(g, &node, may_end(rules, &after))
        at += 1
    return 0


cdef int turn_path(const TurnGraph* g, uint32_t final, uint16_t* out) noexcept nogil:
    """Actions from the root to a node, first to last; returns their number."""
    cdef uint32_t at = final
    cdef int n = 0, i
    cdef uint16_t action
    while g.node[at].action != ROOT:
        out[n] = g.node[at].action
        n += 1
        at = g.node[at].parent
    for i in range(n // 2):
        action = out[i]
        out[i] = out[n - 1 - i]
        out[n - 1 - i] = action
    return n


cdef bint find_order(
    const RuleTable* rules, const State* s, const uint16_t* actions, int n, uint64_t left,
    uint16_t* out, int depth, set failed,
):
    cdef int i
    cdef State after
    cdef uint16_t tried = ROOT
    if left == 0:
        return True
    # What has been played decides what can follow, whatever its order.
    if left in failed:
        return False
    for i in range(n):
        if not (left >> i) & 1 or actions[i] == tried:
            continue
        tried = actions[i]
        if check_action(rules, s, actions[i]):
            continue
        after = s[0]
        apply_action(rules, &after, actions[i])
        out[depth] = actions[i]
        if find_order(rules, &after, actions, n, left ^ ((<uint64_t>1) << i), out, depth + 1,
                      failed):
            return True
    failed.add(left)
    return False


cdef int canonical_order(
    const RuleTable* rules, const State* base, const uint16_t* actions, int n, uint16_t* out
) except -1:
    """Write the first legal order of these actions (none of them "end"); they have one."""
    cdef uint16_t ordered[MAX_TURN]
    cdef int i, j
    cdef uint16_t action
    for i in range(n):
        action = actions[i]
        j = i
        while j > 0 and ordered[j - 1] > action:
            ordered[j] = ordered[j - 1]
            j -= 1
        ordered[j] = action
    if not find_order(rules, base, ordered, n, ((<uint64_t>1) << n) - 1, out, 0, set()):
        raise AssertionError("a legal turn has a legal order")
    return 0


cdef uint64_t count_from(
    const Board* b, const uint8_t* order, int n, Mask allowed, Board* ring, uint64_t total
) noexcept nogil:
    """Write every landscape into the ring and return `total` plus their number."""
    cdef Mask m = legal_cells(b, order[0]) & allowed, cell
    cdef Board* after
    cdef Board between
    while m:
        cell = m & (~m + 1)
        m ^= cell
        if n == 1:
            after = &ring[total % RING]
            after[0] = b[0]
            place_token(after, order[0], cell)
            total += 1
            continue
        between = b[0]
        place_token(&between, order[0], cell)
        # Equal tokens go to cells in ascending order, the same cell included.
        allowed = ~(cell - 1) if order[1] == order[0] else ~<Mask>0
        total = count_from(&between, order + 1, n - 1, allowed, ring, total)
    return total


cdef uint64_t placements(const RuleTable* rules, const State* s) noexcept nogil:
    """Number of distinct (space, landscape) after three tokens, no cubes.

    The colours go down in one fixed order, trunks and mountains first, because nothing else is
    ever built upon. On one cell the same tokens fit in one order only, so each landscape comes up
    once and no table is needed.
    """
    cdef uint8_t order[3]
    cdef uint8_t colours[6]
    cdef Board ring[64]
    cdef uint64_t total = 0
    cdef int space, i, j, n
    colours[:] = [T, M, W, F, L, R]
    for space in range(rules.spaces):
        if s.centre[space][0] >= TOKENS:
            continue
        n = 0
        for i in range(6):
            for j in range(3):
                if s.centre[space][j] == colours[i]:
                    order[n] = colours[i]
                    n += 1
        total = count_from(&s.player[s.seat].board, order, 3, ~<Mask>0, ring, total)
    return total
