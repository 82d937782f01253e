"""What a simulated game offers the next seat, and how much time is left by then."""

from harmonies_core.board cimport EMPTY, NO_TOKEN
from harmonies_core.grid cimport popcount
from harmonies_core.state cimport (
    A_DISCARD, A_TAKE, END_EMPTIES, action_first, action_kind, bag_total,
)
from harmonies_core.values.features cimport state_pace

# Constant tables, written once when the module is loaded.
cdef uint8_t ID[6][6][6]


cdef void fill_tables() noexcept:
    cdef int a, b, c, n = 0
    for a in range(6):
        for b in range(a, 6):
            for c in range(b, 6):
                ID[a][b][c] = n
                TOKENS_OF[n][0] = a
                TOKENS_OF[n][1] = b
                TOKENS_OF[n][2] = c
                n += 1


fill_tables()


cdef int group_id(const uint8_t* tokens) noexcept nogil:
    """Number of a group of three tokens in any order, 0 to 55."""
    cdef int a = tokens[0], b = tokens[1], c = tokens[2]
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return ID[a][b][c]


cdef void drop_card(Market* m, int card) noexcept nogil:
    cdef int i
    for i in range(m.n_cards):
        if m.card[i] == card:
            m.n_cards -= 1
            m.card[i] = m.card[m.n_cards]
            break
    m.taken = True


cdef void open_market(
    Market* m, const RuleTable* rules, const State* s, const Node* turn
) noexcept nogil:
    """What is there after a turn of the seat to move, not refilled yet."""
    cdef int i
    m.n_groups = 0
    m.n_cards = 0
    m.bag = bag_total(s)
    m.next_token = 0
    m.next_card = 0
    m.taken = False
    for i in range(rules.spaces):
        if i + 1 != turn.space and s.centre[i][0] != NO_TOKEN:
            m.group[m.n_groups] = group_id(s.centre[i])
            m.n_groups += 1
        if s.row[i]:
            m.card[m.n_cards] = s.row[i]
            m.n_cards += 1
    for i in range(turn.n):
        if action_kind(turn.action[i]) in (A_TAKE, A_DISCARD):
            drop_card(m, action_first(turn.action[i]))
    m.last = m.bag < 3 or popcount(turn.me.board.kind[EMPTY]) <= END_EMPTIES
    for i in range(rules.players):
        if i != s.seat and popcount(s.player[i].board.kind[EMPTY]) <= END_EMPTIES:
            m.last = True


cdef bint refill_market(Market* m, const RuleTable* rules, const Deal* deal) noexcept nogil:
    """Refill from a deal; False if there is nothing to take."""
    if rules.solo:
        m.n_groups = 0
    while m.n_groups < rules.spaces and m.bag >= 3 and m.next_token + 3 <= deal.n_tokens:
        m.group[m.n_groups] = group_id(&deal.token[m.next_token])
        m.n_groups += 1
        m.next_token += 3
        m.bag -= 3
    if m.taken and m.next_card < deal.n_cards:
        m.card[m.n_cards] = deal.card[m.next_card]
        m.n_cards += 1
        m.next_card += 1
    return m.n_groups > 0


cdef void leave_market(Market* m, int place, int card, int empties) noexcept nogil:
    """A seat took the group at a place and a card or none (0), and has so many empty cells."""
    m.n_groups -= 1
    m.group[place] = m.group[m.n_groups]
    m.taken = False
    if card:
        drop_card(m, card)
    m.last = m.last or empties <= END_EMPTIES or m.bag < 3


cdef void later_pace(
    const RuleTable* rules, const State* s, int seat, int rounds, int steps, bint last, Pace* out
) noexcept nogil:
    """Time and supply at the end of the turn of a seat so many turns from now, roughly.

    rounds: of the game that are over by then.
    """
    state_pace(rules, s, seat, seat, False, out)
    out.turn = s.turn + rounds
    out.turns_left = 0 if last else 2
    # Every other seat fills about two cells in a round.
    if out.others < 26:
        out.others = max(0, out.others - 2 * max(1, rounds))
    out.bag = max(0, out.bag - 3 * steps)
