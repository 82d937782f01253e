"""One turn deep: every placement of the three tokens, valued by the hand-made estimate.

All distinct landscapes of all spaces are valued, each with its best card; the best of them are
then played out in earnest, in every order of the tokens and with cubes early or late, and the
turn whose position is worth most is kept.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from harmonies_core.board cimport (
    L, R, F, M, T, W, NO_TOKEN, legal_cells, place_token,
)
from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.game cimport Position, canonical_turn
from harmonies_core.grid cimport Mask, lowest
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.rules cimport Rules
from harmonies_core.search.limits cimport Limits, StopFlag, timed_out
from harmonies_core.state cimport (
    A_CUBE, A_PLACE, A_SPACE, A_SPIRIT, A_TAKE, IN_TURN, MAX_HELD, MAX_TURN, OVER, Player,
    RuleTable, State, action_code, apply_action, check_action, end_turn, may_end, player_points,
    spirit_due,
)
from harmonies_core.values.handmade cimport (
    N_WEIGHTS, Weights, board_value, card_value, default_weights, player_value,
)

from harmonies_core.errors import PositionError

cdef enum:
    KEEP = 64               # placements that are played out in earnest
    POLL = 256              # evaluations between two looks at the stop flag
    HAND = 3                # most tokens to be placed in one turn
    BEST_CARD = 20          # points, more than a card of the row can add to a landscape's value


cdef struct Candidate:
    double value
    int n
    uint16_t action[3]
    uint8_t space
    uint8_t card
    uint8_t spirit


cdef struct Line:
    double value
    int n
    uint16_t action[64]


cdef struct Search:
    const RuleTable* rules
    const Weights* weights
    Limits limits
    uint64_t nodes
    bint stopped
    Candidate kept[64]      # best first
    int n_kept
    Line best[64]           # best first, distinct positions
    uint64_t best_key[64]
    int n_best
    int most_best
    uint16_t path[3]


cdef void keep(Search* x, const Candidate* c) noexcept nogil:
    cdef int i = x.n_kept
    if i == KEEP:
        if c.value <= x.kept[KEEP - 1].value:
            return
        i = KEEP - 1
    else:
        x.n_kept += 1
    while i > 0 and x.kept[i - 1].value < c.value:
        x.kept[i] = x.kept[i - 1]
        i -= 1
    x.kept[i] = c[0]


cdef void judge(
    Search* x, const State* s, const Player* p, int space, int spirit, int n
) noexcept nogil:
    """Value one landscape with the cards held and with the best card of the row."""
    cdef Candidate c
    cdef double value = board_value(x.rules, p, x.weights) + p.done_points
    cdef double best = 0, extra
    cdef int i
    x.nodes += 1
    if x.nodes >= x.limits.most_nodes or (x.nodes % POLL == 0 and timed_out(&x.limits)):
        x.stopped = True
    for i in range(MAX_HELD):
        if p.card[i]:
            if not x.rules.card[p.card[i]].is_spirit:
                value += x.rules.card[p.card[i]].points[p.placed[i]]
            value += card_value(x.rules, p, p.card[i], p.placed[i], x.weights)
    c.card = 0
    c.n = n
    for i in range(min(n, HAND)):
        c.action[i] = x.path[i]
    c.space = space
    c.spirit = spirit
    if x.n_kept == KEEP and value + BEST_CARD < x.kept[KEEP - 1].value:
        return
    # A full hand does not rule a card out: a cube may free a slot in the middle of the turn.
    if not s.progress.card_taken:
        for i in range(x.rules.spaces):
            if s.row[i]:
                extra = card_value(x.rules, p, s.row[i], 0, x.weights)
                if extra > best:
                    best = extra
                    c.card = s.row[i]
    c.value = value + best
    keep(x, &c)


cdef void place_rest(
    Search* x, const State* s, const Player* p, const uint8_t* order, int n, int done, Mask allowed,
    int space, int spirit
) noexcept nogil:
    """Every landscape once: colours in one fixed order, equal tokens on ascending cells."""
    cdef Mask m, cell
    cdef Player after
    if done >= n or done >= HAND:
        judge(x, s, p, space, spirit, n)
        return
    m = legal_cells(&p.board, order[done]) & allowed
    while m and not x.stopped:
        cell = m & (~m + 1)
        m ^= cell
        after = p[0]
        place_token(&after.board, order[done], cell)
        x.path[done] = action_code(A_PLACE, order[done], lowest(cell))
        allowed = ~<Mask>0
        if done + 1 < n and order[done + 1] == order[done]:
            allowed = ~(cell - 1)
        place_rest(x, s, &after, order, n, done + 1, allowed, space, spirit)


cdef int build_order(const uint8_t* tokens, int n, uint8_t* order) noexcept nogil:
    """Sort up to HAND tokens by the order in which their colours are placed."""
    cdef uint8_t colours[6]
    cdef int i, j, k = 0
    colours[:] = [T, M, W, F, L, R]
    for i in range(6):
        for j in range(n):
            if tokens[j] == colours[i] and k < HAND:
                order[k] = colours[i]
                k += 1
    return k


cdef void put_cubes(Search* x, State* s, Line* line) noexcept nogil:
    """Put down every cube that can be; the dearest first, on the cell fewest cards want."""
    cdef Player* p = &s.player[s.seat]
    cdef Mask want[4]
    cdef Mask m, cell, chosen
    cdef int i, j, gain, best_gain, best_slot, others, fewest
    cdef uint16_t action
    while line.n < MAX_TURN - 4:
        best_gain = -1
        best_slot = -1
        for i in range(MAX_HELD):
            want[i] = 0
            if p.card[i]:
                want[i] = habitat_cells(&x.rules.card[p.card[i]].habitat, p.board.kind,
                                        ~p.board.cubes)
                if want[i]:
                    gain = 6
                    if not x.rules.card[p.card[i]].is_spirit:
                        gain = (x.rules.card[p.card[i]].points[p.placed[i] + 1]
                                - x.rules.card[p.card[i]].points[p.placed[i]])
                    if gain > best_gain:
                        best_gain = gain
                        best_slot = i
        if best_slot < 0:
            return
        m = want[best_slot]
        chosen = 0
        fewest = 99
        while m:
            cell = m & (~m + 1)
            m ^= cell
            others = 0
            for j in range(MAX_HELD):
                others += (want[j] & cell) != 0
            if others < fewest:
                fewest = others
                chosen = cell
        action = action_code(A_CUBE, p.card[best_slot], lowest(chosen))
        apply_action(x.rules, s, action)
        line.action[line.n] = action
        line.n += 1


cdef uint64_t outcome_key(const State* s) noexcept nogil:
    cdef const Player* p = &s.player[s.seat]
    cdef uint64_t h = s.progress.space
    cdef int i
    for i in range(13):
        h = (h ^ p.board.kind[i]) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
    h = (h ^ p.board.cubes) * <uint64_t>0x9E3779B97F4A7C15
    for i in range(MAX_HELD):
        h = (h ^ (h >> 31) ^ (p.card[i] * 8 + p.placed[i])) * <uint64_t>0xD6E8FEB86659FD93
    return h ^ (h >> 32)


cdef void offer(Search* x, const State* s, Line* line) noexcept nogil:
    """Keep a finished turn if it is among the best; equal outcomes once."""
    cdef uint64_t key = outcome_key(s)
    cdef int i
    line.value = player_value(x.rules, &s.player[s.seat], x.weights)
    x.nodes += 1
    for i in range(x.n_best):
        if x.best_key[i] == key:
            return
    i = x.n_best
    if i == x.most_best:
        if line.value <= x.best[i - 1].value:
            return
        i -= 1
    else:
        x.n_best += 1
    while i > 0 and x.best[i - 1].value < line.value:
        x.best[i] = x.best[i - 1]
        x.best_key[i] = x.best_key[i - 1]
        i -= 1
    x.best[i] = line[0]
    x.best_key[i] = key


cdef void step(Search* x, State* s, Line* line, uint16_t action) noexcept nogil:
    apply_action(x.rules, s, action)
    line.action[line.n] = action
    line.n += 1


cdef void play_out(Search* x, const State* base, const Candidate* c, int card, int order, bint early
                   ) noexcept nogil:
    """Play a candidate's tokens in one of six orders, cubes early or late, perhaps a card."""
    cdef State s = base[0]
    cdef Line line
    cdef uint16_t take = action_code(A_TAKE, card, 0)
    cdef int i, k
    cdef int orders[6][3]
    orders[0][:] = [0, 1, 2]
    orders[1][:] = [0, 2, 1]
    orders[2][:] = [1, 0, 2]
    orders[3][:] = [1, 2, 0]
    orders[4][:] = [2, 0, 1]
    orders[5][:] = [2, 1, 0]
    line.n = 0
    if c.spirit:
        step(x, &s, &line, action_code(A_SPIRIT, c.spirit, 0))
    if s.progress.space == 0:
        step(x, &s, &line, action_code(A_SPACE, c.space, 0))
    if card and check_action(x.rules, &s, take) == 0:
        step(x, &s, &line, take)
        card = 0
    if early:
        put_cubes(x, &s, &line)
    for i in range(3):
        k = orders[order][i]
        if k >= c.n:
            continue
        if check_action(x.rules, &s, c.action[k]):
            return
        step(x, &s, &line, c.action[k])
        if early:
            put_cubes(x, &s, &line)
            if card and check_action(x.rules, &s, take) == 0:
                step(x, &s, &line, take)
                card = 0
                put_cubes(x, &s, &line)
    put_cubes(x, &s, &line)
    if card and check_action(x.rules, &s, take) == 0:
        step(x, &s, &line, take)
        put_cubes(x, &s, &line)
    if may_end(x.rules, &s):
        offer(x, &s, &line)


cdef void explore(Search* x, const State* base, int spirit) noexcept nogil:
    """Value all placements of all spaces (or of the tokens in hand)."""
    cdef State s = base[0]
    cdef uint8_t order[3]
    cdef int space, n
    if spirit:
        apply_action(x.rules, &s, action_code(A_SPIRIT, spirit, 0))
    if s.progress.space:
        n = build_order(s.progress.hand, s.progress.n_hand, order)
        place_rest(x, &s, &s.player[s.seat], order, n, 0, ~<Mask>0, s.progress.space, spirit)
        return
    for space in range(x.rules.spaces):
        if s.centre[space][0] == NO_TOKEN or x.stopped:
            continue
        n = build_order(s.centre[space], 3, order)
        place_rest(x, &s, &s.player[s.seat], order, n, 0, ~<Mask>0, space + 1, spirit)


cdef void run(Search* x, const State* base) noexcept nogil:
    """Fill x.best; the state must be in a turn that has not been closed by a discard."""
    cdef int i, order
    cdef int early
    x.nodes = 0
    x.stopped = False
    x.n_kept = 0
    x.n_best = 0
    if spirit_due(x.rules, base):
        explore(x, base, base.pair[0])
        if not x.stopped:
            explore(x, base, base.pair[1])
    else:
        explore(x, base, 0)
    for i in range(x.n_kept):
        if x.stopped and x.n_best >= x.most_best:
            break
        for order in range(6):
            for early in range(2):
                play_out(x, base, &x.kept[i], x.kept[i].card, order, early)
                if x.kept[i].card:
                    play_out(x, base, &x.kept[i], 0, order, early)


def greedy_lines(
    Position position not None, int multipv=1, max_nodes=None, StopFlag stop=None,
    double deadline=0
):
    """[(Turn, value in points)], best first, and the nodes spent.

    A node is one evaluation. Either flag ends the search. At least one turn comes back, however
    small the limit.
    """
    cdef Search x
    cdef Weights weights
    cdef int never = 0, i, j
    if position.state.phase != IN_TURN:
        raise PositionError("it is no player's move: the game is over or a deal is due")
    default_weights(&weights)
    x.rules = &position.rules.table
    x.weights = &weights
    x.limits.stop = &stop.flag if stop is not None else &never
    x.limits.deadline = deadline
    x.limits.most_nodes = max(1, min(2**62, max_nodes)) if max_nodes is not None else 2**62
    x.most_best = max(1, min(KEEP, multipv))
    if position.state.progress.discarded:
        return [(canonical_turn(position, ()), player_value(
            x.rules, &position.state.player[position.state.seat], &weights))], 1
    with nogil:
        run(&x, &position.state)
    lines = []
    for i in range(x.n_best):
        codes = tuple([x.best[i].action[j] for j in range(x.best[i].n)])
        lines.append((canonical_turn(position, codes), x.best[i].value))
    return lines, x.nodes


def player_estimates(Position position not None):
    """Expected final points of every seat by the hand-made evaluation."""
    cdef Weights weights
    cdef int i
    default_weights(&weights)
    if position.state.phase == OVER:
        return [float(player_points(&position.rules.table, &position.state.player[i]))
                for i in range(position.rules.players)]
    return [player_value(&position.rules.table, &position.state.player[i], &weights)
            for i in range(position.rules.players)]


def evaluate_often(Position position not None, int times):
    """Value the boards of a position `times` times in turn; for benchmarks."""
    cdef Weights weights
    cdef double total = 0
    cdef int i
    default_weights(&weights)
    with nogil:
        for i in range(times):
            total += player_value(&position.rules.table,
                                  &position.state.player[i % position.rules.table.players],
                                  &weights)
    return total


def self_play(Rules rules not None, int games, uint64_t seed=0, changes=None):
    """Points of every seat of `games` greedy games, a list of tuples.

    `changes` maps the index of a weight to another value for all seats.
    """
    cdef Deal deal
    cdef State s
    cdef Search x
    cdef Weights weights
    cdef int game, i, never = 0
    default_weights(&weights)
    for i, value in (changes or {}).items():
        if not 0 <= i < N_WEIGHTS:
            raise ValueError(f"weight {i}: 0 to {N_WEIGHTS - 1} expected")
        weights.w[i] = value
    x.rules = &rules.table
    x.weights = &weights
    x.limits.stop = &never
    x.limits.deadline = 0
    x.limits.most_nodes = <uint64_t>2**62
    x.most_best = 1
    results = []
    for game in range(games):
        with nogil:
            deal_start(&deal, &rules.table, &s, seed + game)
            while s.phase != OVER:
                if s.phase == IN_TURN:
                    run(&x, &s)
                    for i in range(x.best[0].n):
                        apply_action(&rules.table, &s, x.best[0].action[i])
                    end_turn(&rules.table, &s)
                else:
                    deal_pending(&deal, &rules.table, &s)
        results.append(tuple([
            player_points(&rules.table, &s.player[i]) for i in range(rules.players)
        ]))
    return results
