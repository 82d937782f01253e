"""The best turns of a seat by a beam over cards, tokens and cubes."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from harmonies_core.search.limits cimport Limits
from harmonies_core.state cimport Player, RuleTable, State
from harmonies_core.values.features cimport Ground, Pace, View
from harmonies_core.values.handmade cimport Weights as HandWeights
from harmonies_core.values.inference cimport Hidden, PlayNet

cdef enum:
    MAX_PATH = 24               # actions of one turn that the beam can hold
    MAX_WIDTH = 64
    ALL_SPACES = 63         # a bit for each space of the centre
    MAX_TURNS = 64
    TABLE = 8192                # entries of the set of boards seen, a power of 2
    MEMO = 16384                # judgements that are remembered, a power of 2
    # what a landscape is valued by
    BY_NET = 0
    BY_HAND = 1                 # the hand-made estimate
    BY_NOW = 2                  # points on the board
    BY_RUSH = 3                 # points on the board, and every filled cell


cdef struct Width:
    int cards               # cards of the row tried before the tokens
    int first               # nodes kept per space after the first, second, third token
    int second
    int third
    bint cube_later         # also keep what does not place a possible cube at once


cdef struct Node:
    Player me
    uint64_t key            # of the landscape, cards and cubes
    float value             # expected final points of the seat
    float error             # mean absolute error of that
    float points            # points on the board, where the network judges
    uint8_t hand[3]         # colours still to place, ascending
    uint8_t n_hand
    uint8_t space
    uint8_t card_taken
    uint8_t n               # actions so far
    uint16_t action[24]


cdef struct Judgement:
    uint32_t check          # half of the key of the node and what it grew from; 0 = none
    float value
    float error
    float points


cdef struct Beam:
    # One search for turns; the caller sets the first block.
    const RuleTable* rules
    const PlayNet* net
    const HandWeights* hand
    int by
    Width width
    int most_turns
    Limits limits
    float noise             # points by which judgement may err, for play below full strength
    uint64_t noise_seed
    # What it is about.
    Pace pace
    Hidden base
    uint64_t salt           # number of the landscape and pace that all keys are relative to
    # What it found.
    uint64_t nodes
    bint stopped
    int n_turns
    Node turn[64]           # best first, distinct outcomes
    # Scratch.
    Node level[3][64]
    int n_level[3]
    uint64_t seen[8192]
    uint32_t stamp[8192]
    uint32_t now
    uint64_t salts          # given out so far
    Judgement memo[16384]
    View view

cdef void init_beam(Beam* x) noexcept nogil
cdef void new_salt(Beam* x) noexcept nogil
cdef void find_turns(Beam* x, const State* s) noexcept nogil
cdef void find_turns_of(Beam* x, const State* s, int spaces) noexcept nogil
cdef void ready_beam(Beam* x, const State* s) noexcept nogil
cdef void offer(Beam* x, const Node* node) noexcept nogil
cdef void judge(Beam* x, Node* node) noexcept nogil
cdef void stand(Beam* x, const Node* node, Ground* cells, Hidden* out) noexcept nogil
cdef void try_card(
    Beam* x, const Hidden* ground, const Node* node, int card, Node* out
) noexcept nogil
cdef void start_node(Beam* x, const Player* me, Node* out) noexcept nogil
cdef void sweep(
    Beam* x, const Node* root, int n_roots, int space, const uint8_t* hand, int n_hand
) noexcept nogil
