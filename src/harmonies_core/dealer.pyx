"""The hidden part of a game: a seed's order of bag, deck and spirits (docs/notation.md)."""

from harmonies_core.board cimport TOKENS
from harmonies_core.rng cimport Rng, rng_below, rng_stream
from harmonies_core.state cimport (
    MAX_CARD, in_set, init_state, pending_cards, pending_pair, pending_spaces, reveal_card,
    reveal_group, settle_chance,
)

from harmonies_core.errors import PositionError


cdef void shuffle(uint8_t* items, int n, Rng* rng) noexcept nogil:
    """Fisher and Yates, first to last."""
    cdef int i, j
    cdef uint8_t item
    for i in range(n - 1):
        j = i + rng_below(rng, n - i)
        item = items[i]
        items[i] = items[j]
        items[j] = item


cdef void shuffle_deal(
    Deal* d, const RuleTable* rules, const State* s, uint64_t seed
) noexcept nogil:
    """Order everything that is not seen in `s`: bag by colour, cards by number, then shuffled."""
    cdef Rng rng
    cdef int i, j, _
    cdef bint seen
    d.n_tokens = 0
    for i in range(TOKENS):
        for _ in range(s.bag[i]):
            d.token[d.n_tokens] = i
            d.n_tokens += 1
    d.n_cards = 0
    d.n_spirits = 0
    for i in range(1, MAX_CARD):
        if in_set(s.unseen, i):
            d.card[d.n_cards] = i
            d.n_cards += 1
        if rules.card[i].exists and rules.card[i].is_spirit:
            seen = s.pair[0] == i or s.pair[1] == i
            for j in range(rules.players):
                seen = seen or s.player[j].spirit == i
            if not seen:
                d.spirit[d.n_spirits] = i
                d.n_spirits += 1
    d.next_token = 0
    d.next_card = 0
    d.next_spirit = 0
    rng = rng_stream(seed, 0)
    shuffle(d.token, d.n_tokens, &rng)
    rng = rng_stream(seed, 1)
    shuffle(d.card, d.n_cards, &rng)
    rng = rng_stream(seed, 2)
    shuffle(d.spirit, d.n_spirits, &rng)


cdef void deal_pending(Deal* d, const RuleTable* rules, State* s) noexcept nogil:
    """Reveal all that is owed: groups of tokens, cards, the pair of spirits."""
    cdef uint8_t group[3]
    cdef uint8_t t
    cdef int j, _, _pass
    for _ in range(pending_spaces(rules, s)):
        for j in range(3):
            group[j] = d.token[d.next_token + j]
        d.next_token += 3
        for _pass in range(2):
            for j in range(2):
                if group[j] > group[j + 1]:
                    t = group[j]
                    group[j] = group[j + 1]
                    group[j + 1] = t
        reveal_group(s, group)
    for _ in range(pending_cards(rules, s)):
        reveal_card(s, d.card[d.next_card])
        d.next_card += 1
    if pending_pair(rules, s):
        s.pair[0] = min(d.spirit[d.next_spirit], d.spirit[d.next_spirit + 1])
        s.pair[1] = max(d.spirit[d.next_spirit], d.spirit[d.next_spirit + 1])
        d.next_spirit += 2
    settle_chance(rules, s)


cdef void deal_start(Deal* d, const RuleTable* rules, State* s, uint64_t seed) noexcept nogil:
    """The first position of a seed."""
    init_state(rules, s)
    shuffle_deal(d, rules, s, seed)
    deal_pending(d, rules, s)


cdef object checked_seed(seed):
    """The seed, or PositionError if it is none."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**60:
        raise PositionError(f"seed: {ascii(seed):.40} is not a whole number from 0 to 2^60 - 1")
    return seed
