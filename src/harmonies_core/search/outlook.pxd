"""Expected final points of every seat, without search."""

from harmonies_core.search.beam cimport Node
from harmonies_core.search.utility cimport Outlook
from harmonies_core.state cimport RuleTable, State
from harmonies_core.values.inference cimport PlayNet

cdef void position_outlook(
    const RuleTable* rules, const PlayNet* net, const State* s, Outlook* out
) noexcept nogil
cdef void turn_outlook(
    const RuleTable* rules, const PlayNet* net, const State* s, const Node* turn, Outlook* out
) noexcept nogil
cdef void end_of_turn(
    const RuleTable* rules, const PlayNet* net, const State* after, Outlook* out
) noexcept nogil
