"""All distinct turns of a position."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from harmonies_core.state cimport Player, Progress, RuleTable, State


cdef struct Node:
    Player me           # the mover after the actions so far
    Progress progress
    uint8_t took        # card taken on the way, 0 = none
    uint8_t dropped     # card discarded on the way, 0 = none
    uint16_t action     # the last action
    uint32_t parent     # node before it
    uint64_t hash       # equal for equal nodes


cdef struct TurnGraph:
    Node* node
    uint32_t n
    uint32_t capacity
    uint32_t* final         # nodes at which the turn may end
    uint32_t n_finals
    uint32_t final_capacity
    uint32_t* table         # hash table of node numbers + 1
    uint32_t table_size     # a power of 2

cdef void init_graph(TurnGraph* g) noexcept nogil
cdef void free_graph(TurnGraph* g) noexcept nogil
cdef int build_graph(TurnGraph* g, const RuleTable* rules, const State* base) except -1 nogil
cdef int turn_path(const TurnGraph* g, uint32_t final, uint16_t* out) noexcept nogil
cdef int canonical_order(
    const RuleTable* rules, const State* base, const uint16_t* actions, int n, uint16_t* out
) except -1
cdef uint64_t placements(const RuleTable* rules, const State* s) noexcept nogil
