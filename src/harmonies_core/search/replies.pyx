"""What one landscape can make of each group of tokens, remembered.

A seat's best answer depends on what lies in the centre only through the groups that are there.
So each group is worked out once for a landscape, whatever the position it turns up in.
"""

from libc.math cimport NAN, isnan
from libc.stdint cimport uint8_t
from libc.string cimport memset

from harmonies_core.board cimport EMPTY
from harmonies_core.grid cimport popcount
from harmonies_core.search.beam cimport (
    BY_NET, Beam, Node, new_salt, stand, start_node, sweep, try_card,
)
from harmonies_core.search.market cimport TOKENS_OF
from harmonies_core.state cimport Player, hand_full
from harmonies_core.values.features cimport Ground, Pace
from harmonies_core.values.inference cimport Hidden, pace_hidden

cdef enum:
    UNKNOWN = 255


cdef void prepare_replies(Beam* x, Replies* r, const Player* me, const Pace* pace) noexcept nogil:
    """Forget everything and start with a landscape."""
    cdef Pace shown = pace[0]
    r.pace = pace[0]
    if x.by == BY_NET:
        shown.turns_left = max(1, shown.turns_left)
        pace_hidden(x.net, &shown, &r.base)
    x.pace = r.pace
    x.base = r.base
    new_salt(x)
    r.salt = x.salt
    start_node(x, me, &r.start)
    memset(&r.n[0], UNKNOWN, sizeof(r.n))
    r.ready = True


cdef void look_at(Beam* x, Replies* r, int group) noexcept nogil:
    cdef int i, n
    sweep(x, &r.start, 1, 1, TOKENS_OF[group], 3)
    n = x.n_level[2] if x.n_level[2] < KEPT else KEPT
    for i in range(n):
        r.node[group][i] = x.level[2][i]
    r.n[group] = n
    for i in range(128):
        r.with_card[group][i] = NAN


cdef void look_at_cards(
    Beam* x, Replies* r, int group, const uint8_t* cards, int n_cards
) noexcept nogil:
    """Set the best value with each of the cards."""
    cdef float* best = &r.with_card[group][0]
    cdef Ground cells
    cdef Hidden ground
    cdef Node other
    cdef uint8_t fresh[6]
    cdef int i, j, n = 0
    for j in range(n_cards):
        if isnan(best[cards[j]]):
            fresh[n] = cards[j]
            best[cards[j]] = -1000
            n += 1
    if n == 0:
        return
    for i in range(r.n[group]):
        if hand_full(&r.node[group][i].me):
            continue
        stand(x, &r.node[group][i], &cells, &ground)
        for j in range(n):
            try_card(x, &ground, &r.node[group][i], fresh[j], &other)
            if other.value > best[fresh[j]]:
                best[fresh[j]] = other.value


cdef void choose_reply(
    Beam* x, Replies* r, const uint8_t* groups, int n_groups, const uint8_t* cards, int n_cards,
    Reply* out
) noexcept nogil:
    """The best of the groups offered, with one of the cards offered or none."""
    cdef int i, j, k, g
    cdef int top[2]
    cdef float value
    x.pace = r.pace
    x.base = r.base
    x.salt = r.salt
    top[0] = -1
    top[1] = -1
    for i in range(n_groups):
        g = groups[i]
        if r.n[g] == UNKNOWN:
            look_at(x, r, g)
        if top[0] < 0 or r.node[g][0].value > r.node[groups[top[0]]][0].value:
            top[1] = top[0]
            top[0] = i
        elif top[1] < 0 or r.node[g][0].value > r.node[groups[top[1]]][0].value:
            top[1] = i
    out.place = top[0]
    out.card = 0
    out.value = r.node[groups[top[0]]][0].value
    for k in range(TRIED):
        if top[k] < 0:
            continue
        g = groups[top[k]]
        look_at_cards(x, r, g, cards, n_cards)
        for j in range(n_cards):
            value = r.with_card[g][cards[j]]
            if value > out.value:
                out.value = value
                out.place = top[k]
                out.card = cards[j]
    g = groups[out.place]
    out.error = r.node[g][0].error
    out.points = r.node[g][0].points
    out.empties = popcount(r.node[g][0].me.board.kind[EMPTY])
    if out.error == 0:
        out.points = out.value


cdef void reply_node(Beam* x, Replies* r, int group, int card, Node* out) noexcept nogil:
    """The landscape after the reply with a group that was chosen, and a card or none (0)."""
    cdef Ground cells
    cdef Hidden ground
    cdef Node other
    cdef int i
    out[0] = r.node[group][0]
    if card == 0:
        return
    x.pace = r.pace
    x.base = r.base
    x.salt = r.salt
    out.value = -1000
    for i in range(r.n[group]):
        if not hand_full(&r.node[group][i].me):
            stand(x, &r.node[group][i], &cells, &ground)
            try_card(x, &ground, &r.node[group][i], card, &other)
            if other.value > out.value:
                out[0] = other
