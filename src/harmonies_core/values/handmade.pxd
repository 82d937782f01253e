"""A hand-made estimate of a player's final points."""

from harmonies_core.state cimport Player, RuleTable

cdef enum:
    N_WEIGHTS = 22


cdef struct Weights:
    double w[22]

cdef void default_weights(Weights* out) noexcept nogil
cdef double player_value(
    const RuleTable* rules, const Player* p, const Weights* weights
) noexcept nogil
cdef double board_value(
    const RuleTable* rules, const Player* p, const Weights* weights
) noexcept nogil
cdef double card_value(
    const RuleTable* rules, const Player* p, int card, int placed, const Weights* weights
) noexcept nogil
