"""The hidden part of a game: the order of bag, deck and spirits."""

from libc.stdint cimport uint8_t, uint64_t

from harmonies_core.state cimport RuleTable, State


cdef struct Deal:
    uint8_t token[120]
    uint8_t card[128]
    uint8_t spirit[128]
    int n_tokens
    int n_cards
    int n_spirits
    int next_token
    int next_card
    int next_spirit

cdef void shuffle_deal(
    Deal* d, const RuleTable* rules, const State* s, uint64_t seed
) noexcept nogil
cdef void deal_pending(Deal* d, const RuleTable* rules, State* s) noexcept nogil
cdef void deal_start(Deal* d, const RuleTable* rules, State* s, uint64_t seed) noexcept nogil
cdef object checked_seed(seed)
