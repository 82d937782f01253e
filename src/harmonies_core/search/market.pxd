"""What a simulated game offers the next seat, and how much time is left by then."""

from libc.stdint cimport uint8_t

from harmonies_core.dealer cimport Deal
from harmonies_core.search.beam cimport Node
from harmonies_core.state cimport RuleTable, State
from harmonies_core.values.features cimport Pace


cdef struct Market:
    uint8_t group[6]        # groups in the centre by number (replies.pxd), in any order
    int n_groups
    uint8_t card[6]         # cards in the row, in any order
    int n_cards
    int bag                 # tokens in the bag
    int next_token          # of the deal
    int next_card
    bint taken              # the row lacks a card
    bint last               # this round is the last

cdef int group_id(const uint8_t* tokens) noexcept nogil
cdef void open_market(
    Market* m, const RuleTable* rules, const State* s, const Node* turn
) noexcept nogil
cdef bint refill_market(Market* m, const RuleTable* rules, const Deal* deal) noexcept nogil
cdef void leave_market(Market* m, int place, int card, int empties) noexcept nogil
cdef void later_pace(
    const RuleTable* rules, const State* s, int seat, int rounds, int steps, bint last, Pace* out
) noexcept nogil
cdef uint8_t[56][3] TOKENS_OF       # tokens of each group, ascending; constant
