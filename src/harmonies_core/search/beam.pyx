"""The best turns of a seat by a beam over cards, tokens and cubes.

Cards come first, then token after token, each followed by the cubes that pay; what survives is
tried with every card once more at the end. Equal landscapes are valued once. A landscape's value
is the expected final points of its owner, opponents held as they are.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from harmonies_core.board cimport (
    EMPTY, NO_TOKEN, kind_at, legal_cells, place_token,
)
from harmonies_core.game cimport Position
from harmonies_core.grid cimport Mask, lowest, popcount
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.search.limits cimport timed_out, used_up
from harmonies_core.state cimport (
    A_CUBE, A_PLACE, A_SPACE, A_SPIRIT, A_TAKE, END_EMPTIES, MAX_HELD, Player, State,
    action_code, hand_full, hold_card, player_points, put_cube, spirit_due,
)
from harmonies_core.values.features cimport (
    Change, Ground, Pace, View, card_change, cube_change, ground_change, ground_features,
    state_pace, view_rest,
)
from harmonies_core.values.handmade cimport player_value
from harmonies_core.values.inference cimport (
    Hidden, add_rows, change_rows, pace_hidden, run_network,
)
from harmonies_core.values.network cimport Weights, network_for

cdef enum:
    WIDE = 64                   # width in the last turn
    POLL = 64                   # evaluations between two looks at the stop flags


cdef void init_beam(Beam* x) noexcept nogil:
    """Make the scratch space ready, and forget what was judged before."""
    memset(&x.stamp[0], 0, sizeof(x.stamp))
    memset(&x.memo[0], 0, sizeof(x.memo))
    x.now = 0
    x.salts = 0
    new_salt(x)


cdef inline uint64_t scramble(uint64_t h) noexcept nogil:
    h *= <uint64_t>0x9E3779B97F4A7C15
    h ^= h >> 32
    h *= <uint64_t>0xD6E8FEB86659FD93
    return h ^ (h >> 32)


# Part of a node's key: anything that can be true of a node, as one number.
cdef inline uint64_t kind_key(int cell, int kind) noexcept nogil:
    return scramble(<uint64_t>(cell * 16 + kind + 1))


cdef inline uint64_t card_key(int card, int placed) noexcept nogil:
    return scramble(<uint64_t>(4096 + card * 8 + placed))


cdef inline uint64_t cube_key(int cell) noexcept nogil:
    return scramble(<uint64_t>(8192 + cell))


cdef void new_salt(Beam* x) noexcept nogil:
    """Nothing judged so far is what will be judged from now on, until a salt is set again."""
    x.salts += 1
    x.salt = scramble(x.salts)


cdef bint first_time(Beam* x, uint64_t key) noexcept nogil:
    """Enter a key into the set of those seen in this sweep; False if it was there."""
    cdef uint32_t i = key & (TABLE - 1), _
    for _ in range(16):
        if x.stamp[i] != x.now:
            x.stamp[i] = x.now
            x.seen[i] = key
            return True
        if x.seen[i] == key:
            return False
        i = (i + 1) & (TABLE - 1)
    return True


cdef inline float error_of_judgement(const Beam* x, const Node* node) noexcept nogil:
    """The same for the same landscape: a mistaken idea of it, not a tremor of the hand."""
    cdef uint64_t h = scramble(node.key ^ x.noise_seed)
    return x.noise * (<float>(h & 0xFFFF) + <float>((h >> 16) & 0xFFFF) - 65535) / 65536


cdef inline float hope(const Node* node, float to_come) noexcept nogil:
    """In a last turn: a share of the points to come, for what the tokens in hand may still do.

    The points alone would not tell which first token leads to something.
    """
    return <float>10 / 3 * node.n_hand * (to_come if to_come > 0 else 0)


cdef inline void count_node(Beam* x) noexcept nogil:
    x.nodes += 1
    if x.nodes >= x.limits.most_nodes or (
            x.nodes % POLL == 0 and (timed_out(&x.limits) or used_up(&x.limits, POLL))):
        x.stopped = True


cdef void stand(Beam* x, const Node* node, Ground* cells, Hidden* out) noexcept nogil:
    """Where a node stands: the sums of the first layer as far as ground_features goes."""
    cdef uint16_t active[240]
    cdef int n
    if x.by == BY_NET:
        n = ground_features(x.rules, &node.me, cells, active)
        out[0] = x.base
        add_rows(out, x.net, active, n)


cdef void judge(Beam* x, Node* node) noexcept nogil:
    """Set a node's value; x.view then tells where its cubes can go."""
    cdef Ground cells
    cdef Hidden ground
    stand(x, node, &cells, &ground)
    judge_on(x, &ground, node)


cdef void judge_on(Beam* x, const Hidden* ground, Node* node) noexcept nogil:
    """As judge, for a node of which it is known where it stands."""
    cdef float out[2]
    cdef View* v = &x.view
    cdef bint exact
    count_node(x)
    node.error = 0
    if x.by != BY_NET:
        judge_simply(x, node)
        return
    view_rest(x.rules, &node.me, x.pace.others, v)
    node.points = v.points
    node.value = v.points
    exact = v.empties <= END_EMPTIES or x.pace.turns_left == 0
    if exact and node.n_hand == 0:
        return
    run_network(x.net, ground, v, out)
    if exact:
        node.value += hope(node, out[0])
        return
    node.value += 10 * out[0]
    node.error = 10 * out[1]
    if x.noise > 0:
        node.value += error_of_judgement(x, node)


cdef void judge_simply(Beam* x, Node* node) noexcept nogil:
    """Judge without a network."""
    cdef int i
    for i in range(MAX_HELD):
        if node.me.card[i]:
            x.view.short[i][0] = habitat_cells(
                &x.rules.card[node.me.card[i]].habitat, node.me.board.kind, ~node.me.board.cubes)
    if x.by == BY_HAND:
        node.value = player_value(x.rules, &node.me, x.hand)
        return
    node.value = player_points(x.rules, &node.me)
    if x.by == BY_RUSH:
        node.value -= 4 * popcount(node.me.board.kind[EMPTY])


cdef bint recall(Beam* x, Node* node) noexcept nogil:
    """Set the judgement of a node that was judged before and has no cube to place."""
    cdef uint64_t key = node.key ^ x.salt
    cdef const Judgement* known = &x.memo[key & (MEMO - 1)]
    if known.check != key >> 32:
        return False
    node.value = known.value
    node.error = known.error
    node.points = known.points
    count_node(x)
    return True


cdef inline void remember(Beam* x, const Node* node) noexcept nogil:
    cdef uint64_t key = node.key ^ x.salt
    cdef Judgement* known = &x.memo[key & (MEMO - 1)]
    known.check = key >> 32
    known.value = node.value
    known.error = node.error
    known.points = node.points


cdef inline bint has_cubes(const Beam* x, const Node* node) noexcept nogil:
    """Whether the node whose view this is could place a cube."""
    cdef Mask any = 0
    cdef int i
    for i in range(MAX_HELD):
        if node.me.card[i]:
            any |= x.view.short[i][0]
    return any != 0


cdef inline void note(Node* node, uint16_t action) noexcept nogil:
    if node.n < MAX_PATH:
        node.action[node.n] = action
        node.n += 1


cdef void take_card(const Beam* x, Node* node, int card) noexcept nogil:
    hold_card(&node.me, card, 0)
    node.card_taken = 1
    node.key ^= card_key(card, 0)
    note(node, action_code(A_TAKE, card, 0))


cdef void cube_down(const Beam* x, Node* node, int slot, Mask cell) noexcept nogil:
    cdef int card = node.me.card[slot], placed = node.me.placed[slot]
    node.key ^= card_key(card, placed) ^ card_key(card, placed + 1) ^ cube_key(lowest(cell))
    put_cube(x.rules, &node.me, slot, cell)
    note(node, action_code(A_CUBE, card, lowest(cell)))


cdef void place_cubes(Beam* x, const Hidden* ground, Node* node) noexcept nogil:
    """Put down cube after cube as long as the value grows.

    ground: where the node stands; x.view must be the node's.
    """
    cdef Node best, other
    cdef Hidden here, there, best_there
    cdef Change change
    cdef Mask want[4]
    cdef Mask m, cell
    cdef int i
    cdef bint better
    if not has_cubes(x, node):
        return
    here = ground[0]
    while node.n < MAX_PATH - 5:
        better = False
        for i in range(MAX_HELD):
            want[i] = x.view.short[i][0] if node.me.card[i] else 0
        for i in range(MAX_HELD):
            m = want[i]
            if m and x.by == BY_NET:
                cube_change(x.rules, &node.me, i, &change)
                there = here
                change_rows(&there, x.net, &change)
            while m:
                cell = m & (~m + 1)
                m ^= cell
                other = node[0]
                cube_down(x, &other, i, cell)
                judge_on(x, &there, &other)
                # The hand-made estimate counts a possible cube as placed: it never gains.
                if (other.value > node.value or x.by == BY_HAND) and (
                        not better or other.value > best.value):
                    best = other
                    best_there = there
                    better = True
        if not better:
            return
        node[0] = best
        here = best_there
        judge_on(x, &here, node)


cdef void try_card(
    Beam* x, const Hidden* ground, const Node* node, int card, Node* out
) noexcept nogil:
    """What a node becomes when a card is taken and its cubes that pay are placed."""
    cdef Hidden there
    cdef Change change
    out[0] = node[0]
    take_card(x, out, card)
    if x.by == BY_NET:
        card_change(x.rules, card, &change)
        there = ground[0]
        change_rows(&there, x.net, &change)
    judge_on(x, &there, out)
    place_cubes(x, &there, out)


cdef void keep(Node* list, int* n, int width, const Node* node) noexcept nogil:
    """Insert into a list that is sorted by value, best first."""
    cdef int i = n[0]
    if i == width:
        if node.value <= list[i - 1].value:
            return
        i -= 1
    else:
        n[0] += 1
    while i > 0 and list[i - 1].value < node.value:
        list[i] = list[i - 1]
        i -= 1
    list[i] = node[0]


cdef void offer(Beam* x, const Node* node) noexcept nogil:
    """Keep a finished turn if it is among the best; equal outcomes once."""
    cdef int i
    for i in range(x.n_turns):
        if x.turn[i].key == node.key:
            return
    keep(&x.turn[0], &x.n_turns, x.most_turns, node)


cdef void finish(Beam* x, const State* s, const Node* node) noexcept nogil:
    """Offer a node with no token left as it is, and with each card it can still take."""
    cdef Node other
    cdef Ground cells
    cdef Hidden ground
    cdef int i
    offer(x, node)
    if node.card_taken or hand_full(&node.me):
        return
    stand(x, node, &cells, &ground)
    for i in range(x.rules.spaces):
        if s.row[i]:
            try_card(x, &ground, node, s.row[i], &other)
            offer(x, &other)


cdef void expand(Beam* x, const Node* node, int depth, int width) noexcept nogil:
    """All ways to place one more token, into the list of a depth."""
    cdef Node child, plain
    cdef Mask m, cell
    cdef int i, j, token, before, after, c
    cdef Ground cells
    cdef Hidden ground, there
    cdef Change change
    stand(x, node, &cells, &ground)
    for i in range(node.n_hand):
        token = node.hand[i]
        if i > 0 and node.hand[i - 1] == token:
            continue
        m = legal_cells(&node.me.board, token)
        while m:
            cell = m & (~m + 1)
            m ^= cell
            if x.stopped and x.n_level[depth] > 0:
                return
            child = node[0]
            c = lowest(cell)
            before = kind_at(&child.me.board, cell)
            place_token(&child.me.board, token, cell)
            after = kind_at(&child.me.board, cell)
            child.key ^= kind_key(c, before) ^ kind_key(c, after)
            if not first_time(x, child.key):
                continue
            for j in range(i, node.n_hand - 1):
                child.hand[j] = child.hand[j + 1]
            child.n_hand -= 1
            note(&child, action_code(A_PLACE, token, c))
            if not recall(x, &child):
                if x.by == BY_NET:
                    ground_change(x.rules, &node.me.board, &cells, c, after, &change)
                    there = ground
                    change_rows(&there, x.net, &change)
                judge_on(x, &there, &child)
                if has_cubes(x, &child):
                    plain = child
                    place_cubes(x, &there, &child)
                    if x.width.cube_later and child.key != plain.key:
                        keep(&x.level[depth][0], &x.n_level[depth], width, &plain)
                else:
                    remember(x, &child)
            keep(&x.level[depth][0], &x.n_level[depth], width, &child)


cdef void sweep(
    Beam* x, const Node* root, int n_roots, int space, const uint8_t* hand, int n_hand
) noexcept nogil:
    """Place one hand of tokens from every root; what comes out best is in x.level[2]."""
    cdef Node start
    cdef int i, j, depth
    cdef int widths[3]
    widths[0] = x.width.first
    widths[1] = x.width.second
    widths[2] = x.width.third
    depth = 3 - n_hand
    x.now += 1
    for i in range(3):
        x.n_level[i] = 0
    for i in range(n_roots):
        start = root[i]
        start.n_hand = n_hand
        for j in range(n_hand):
            start.hand[j] = hand[j]
        if start.space == 0:
            start.space = space
            note(&start, action_code(A_SPACE, space, 0))
        if n_hand == 0:
            keep(&x.level[2][0], &x.n_level[2], widths[2], &start)
        else:
            expand(x, &start, depth, widths[depth])
    while depth < 2:
        x.now += 1
        for i in range(x.n_level[depth]):
            expand(x, &x.level[depth][i], depth + 1, widths[depth + 1])
        depth += 1


cdef void start_node(Beam* x, const Player* me, Node* out) noexcept nogil:
    """A seat before its turn, judged, with the cubes that pay at once."""
    cdef Ground cells
    cdef Hidden ground
    memset(out, 0, sizeof(Node))
    out.me = me[0]
    out.n_hand = 3
    stand(x, out, &cells, &ground)
    judge_on(x, &ground, out)
    place_cubes(x, &ground, out)


cdef void sweep_and_finish(
    Beam* x, const State* s, const Node* root, int n_roots, int space, const uint8_t* hand,
    int n_hand
) noexcept nogil:
    cdef int i
    sweep(x, root, n_roots, space, hand, n_hand)
    for i in range(x.n_level[2]):
        finish(x, s, &x.level[2][i])


cdef void ready_beam(Beam* x, const State* s) noexcept nogil:
    """Begin to look for turns of the seat to move."""
    cdef Pace pace
    state_pace(x.rules, s, s.seat, s.seat, False, &x.pace)
    if x.by == BY_NET:
        pace = x.pace
        pace.turns_left = max(1, pace.turns_left)       # for what `hope` asks
        pace_hidden(x.net, &pace, &x.base)
    new_salt(x)
    x.nodes = 0
    x.stopped = False
    x.n_turns = 0


cdef void find_turns(Beam* x, const State* s) noexcept nogil:
    """Fill x.turn with the best turns of the seat to move, from its start or its middle."""
    ready_beam(x, s)
    find_turns_of(x, s, ALL_SPACES)


cdef void find_turns_of(Beam* x, const State* s, int spaces) noexcept nogil:
    """The same for those spaces of the centre whose bits are set, after ready_beam.

    What is found joins what is in x.turn. In the middle of a turn its own space counts.
    """
    cdef Width usual = x.width
    if x.pace.turns_left == 0 and x.by == BY_NET:
        # The last turn: what counts is exact and cheap, so look at nearly everything.
        x.width.cards = 6
        x.width.first = WIDE
        x.width.second = WIDE
        x.width.third = WIDE
    look_for_turns(x, s, spaces)
    x.width = usual


cdef void look_for_turns(Beam* x, const State* s, int spaces) noexcept nogil:
    cdef Node root[16]
    cdef Node start, node
    cdef Ground cells
    cdef Hidden ground
    cdef int n_roots = 0, i, j, k, n_pairs, spirit, width
    if s.progress.discarded:
        # A discard closes the turn.
        memset(&start, 0, sizeof(Node))
        start.me = s.player[s.seat]
        start.space = s.progress.space
        judge(x, &start)
        offer(x, &start)
        return
    n_pairs = 2 if spirit_due(x.rules, s) else 1
    for k in range(n_pairs):
        memset(&start, 0, sizeof(Node))
        start.me = s.player[s.seat]
        start.space = s.progress.space
        start.card_taken = s.progress.card_taken
        start.n_hand = s.progress.n_hand if s.progress.space else 3
        if n_pairs == 2:
            spirit = s.pair[k]
            start.me.spirit = spirit
            hold_card(&start.me, spirit, 0)
            start.key = card_key(spirit, 0)
            note(&start, action_code(A_SPIRIT, spirit, 0))
        stand(x, &start, &cells, &ground)
        judge_on(x, &ground, &start)
        place_cubes(x, &ground, &start)
        # The root without a card comes first and stays; cards are sorted behind it.
        root[n_roots] = start
        n_roots += 1
        if not start.card_taken and not hand_full(&start.me):
            width = min(x.width.cards, 6)
            j = 0
            stand(x, &start, &cells, &ground)
            for i in range(x.rules.spaces):
                if s.row[i]:
                    try_card(x, &ground, &start, s.row[i], &node)
                    keep(&root[n_roots], &j, width, &node)
            n_roots += j
    if s.progress.space:
        sweep_and_finish(
            x, s, &root[0], n_roots, s.progress.space, &s.progress.hand[0],
            s.progress.n_hand)
        return
    for i in range(x.rules.spaces):
        # A search that was stopped still looks at a turn of every space if so many were asked for.
        if spaces >> i & 1 and s.centre[i][0] != NO_TOKEN and not (
                x.stopped and x.n_turns >= x.most_turns):
            sweep_and_finish(
                x, s, &root[0], n_roots, i + 1, &s.centre[i][0], 3)


def judgements(Position position not None, Weights weights not None):
    """Values of every placement of a first token: [(incremental, from scratch), ...], for tests."""
    cdef Beam* x = <Beam*>calloc(1, sizeof(Beam))
    cdef Node root, again
    cdef int i, never = 0
    if x == NULL:
        raise MemoryError
    init_beam(x)
    x.rules = &position.rules.table
    x.net = network_for(weights, &position.rules.table)
    x.by = BY_NET
    x.limits.stop = &never
    x.limits.most_nodes = <uint64_t>1 << 62
    ready_beam(x, &position.state)
    memset(&root, 0, sizeof(Node))
    root.me = position.state.player[position.state.seat]
    root.n_hand = 3
    found = []
    for first in range(0, 6, 3):
        for i in range(3):
            root.hand[i] = first + i
        x.now += 1
        x.n_level[0] = 0
        expand(x, &root, 0, MAX_WIDTH)
        for i in range(x.n_level[0]):
            again = x.level[0][i]
            judge(x, &again)
            found.append((x.level[0][i].value, again.value))
    free(x)
    return found
