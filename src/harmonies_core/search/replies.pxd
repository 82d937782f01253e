"""What one landscape can make of each group of tokens, remembered."""

from libc.stdint cimport uint8_t, uint64_t

from harmonies_core.search.beam cimport Beam, Node
from harmonies_core.state cimport Player
from harmonies_core.values.features cimport Pace
from harmonies_core.values.inference cimport Hidden

cdef enum:
    GROUPS = 56             # different groups of three tokens
    KEPT = 3                # landscapes kept for each group
    TRIED = 2               # groups that are tried with every card


cdef struct Replies:
    bint ready
    Pace pace
    Hidden base
    uint64_t salt
    Node start              # the seat before its turn
    uint8_t n[56]           # landscapes by group, 255 = not looked at yet
    Node node[56][3]
    float with_card[56][128]    # best value with a card, NaN = not looked at yet


cdef struct Reply:
    int place               # index into the groups offered
    int card                # card taken, 0 = none
    int empties
    float value             # expected final points
    float error
    float points            # points on the board after it; without the card's cubes

cdef void prepare_replies(Beam* x, Replies* r, const Player* me, const Pace* pace) noexcept nogil
cdef void choose_reply(
    Beam* x, Replies* r, const uint8_t* groups, int n_groups, const uint8_t* cards, int n_cards,
    Reply* out
) noexcept nogil
cdef void reply_node(Beam* x, Replies* r, int group, int card, Node* out) noexcept nogil
