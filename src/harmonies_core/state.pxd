"""The whole public state of a game as plain C structs, and the rules that change it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from harmonies_core.board cimport Board
from harmonies_core.grid cimport Mask
from harmonies_core.habitats cimport Habitat
from harmonies_core.scoring cimport Landscape, SpiritScore

cdef enum:
    MAX_CARD = 128          # card numbers are 1 to 127
    MAX_SEATS = 4
    MAX_SPACES = 5
    MAX_HELD = 4            # uncompleted cards, an unplaced spirit included
    MAX_ACTIONS = 400       # legal next actions of any state, generously
    MAX_TURN = 64           # actions in one turn, generously
    END_EMPTIES = 2         # a landscape with this many empty cells or fewer ends the game
    # phases
    IN_TURN = 0
    CHANCE = 1
    OVER = 2
    # actions are 16-bit codes: kind << 13 | first << 6 | cell; their numeric order is the
    # canonical order of docs/notation.md
    A_SPIRIT = 0
    A_SPACE = 1
    A_PLACE = 2
    A_TAKE = 3
    A_CUBE = 4
    A_DISCARD = 5
    A_END = 6
    # why an action is illegal (0 is legal)
    E_PHASE = 1
    E_SPIRIT_FIRST = 2
    E_NO_SPIRIT = 3
    E_NOT_OFFERED = 4
    E_SPACE_TAKEN = 5
    E_NO_SPACE = 6
    E_SPACE_EMPTY = 7
    E_NOT_IN_HAND = 8
    E_NOT_A_CELL = 9
    E_CUBE_BLOCKS = 10
    E_STACK = 11
    E_CARD_TAKEN = 12
    E_HAND_FULL = 13
    E_NOT_IN_ROW = 14
    E_NOT_HELD = 15
    E_COMPLETE = 16
    E_CUBE_THERE = 17
    E_NO_HABITAT = 18
    E_NOT_SOLO = 19
    E_TOKENS_LEFT = 20
    E_DISCARDED = 21
    E_NO_SPACE_YET = 22


cdef extern from *:
    """
    static const unsigned char HM_SUPPLY[6] = {23, 23, 21, 19, 19, 15};
    """
    const unsigned char[6] SUPPLY "HM_SUPPLY"   # tokens of the game by colour


cdef struct CardData:
    uint8_t exists
    uint8_t is_spirit
    uint8_t n_cubes
    uint8_t points[8]       # points[k] with k cubes on the board, points[0] = 0
    SpiritScore score       # spirits only
    Habitat habitat


cdef struct RuleTable:
    Mask cells              # all cells of the side
    int side                # 0 A, 1 B
    int players
    int spaces              # central spaces, and places of the row
    bint spirits
    bint solo
    bint loop               # parity mode for rivers
    uint64_t animals[2]     # bit set of the animal cards in the packs
    CardData card[128]


cdef struct Player:
    Board board
    uint64_t done[2]        # completed animal cards, a bit set by number
    uint8_t card[4]         # uncompleted cards, ascending by number, 0 = free slot
    uint8_t placed[4]       # their cubes on the board
    uint8_t spirit          # chosen spirit, 0 before
    uint8_t n_cubes         # all cubes on the board, the spirit's included
    uint16_t done_points    # points of the completed animal cards
    uint32_t reserved       # 0; fills the struct up so that equal players are equal bytes


cdef struct Progress:
    # what the seat to move has done so far in its turn
    uint8_t space           # central space taken, from 1; 0 = none
    uint8_t n_hand          # tokens still to place
    uint8_t hand[3]         # their colours, ascending, NO_TOKEN beyond n_hand
    uint8_t card_taken
    uint8_t discarded


cdef struct State:
    Player player[4]
    Progress progress
    uint8_t centre[5][3]    # colours ascending; NO_TOKEN three times = empty
    uint8_t row[5]          # card numbers, 0 = gap
    uint8_t bag[6]          # tokens left in the bag by colour
    uint64_t unseen[2]      # animal cards not seen yet, a bit set by number
    uint8_t pair[2]         # spirits offered to the seat to move, 0 = none
    uint8_t seat            # to move, from 0
    uint8_t phase
    uint16_t turn           # of that seat, from 1


cdef inline uint16_t action_code(int kind, int first, int cell) noexcept nogil:
    return <uint16_t>((kind << 13) | (first << 6) | cell)


cdef inline int action_kind(uint16_t action) noexcept nogil:
    return action >> 13


cdef inline int action_first(uint16_t action) noexcept nogil:
    return (action >> 6) & 127


cdef inline int action_cell(uint16_t action) noexcept nogil:
    return action & 63


cdef inline bint in_set(const uint64_t* s, int card) noexcept nogil:
    return (s[card >> 6] >> (card & 63)) & 1


cdef inline void flip_in_set(uint64_t* s, int card) noexcept nogil:
    s[card >> 6] ^= (<uint64_t>1) << (card & 63)


cdef inline int held_slot(const Player* p, int card) noexcept nogil:
    """Slot of an uncompleted card, -1 if it is not held."""
    cdef int i
    for i in range(MAX_HELD):
        if p.card[i] == card:
            return i
    return -1


cdef inline bint hand_full(const Player* p) noexcept nogil:
    return p.card[MAX_HELD - 1] != 0


cdef bint spirit_due(const RuleTable* rules, const State* s) noexcept nogil
cdef bint may_end(const RuleTable* rules, const State* s) noexcept nogil
cdef void init_state(const RuleTable* rules, State* s) noexcept nogil
cdef void hold_card(Player* p, int card, int placed) noexcept nogil
cdef void put_cube(const RuleTable* rules, Player* p, int slot, Mask cell) noexcept nogil
cdef void take_space(State* s, int space) noexcept nogil
cdef int legal_actions(const RuleTable* rules, const State* s, uint16_t* out) noexcept nogil
cdef int check_action(const RuleTable* rules, const State* s, uint16_t action) noexcept nogil
cdef void apply_action(const RuleTable* rules, State* s, uint16_t action) noexcept nogil
cdef void end_turn(const RuleTable* rules, State* s) noexcept nogil
cdef bint end_triggered(const RuleTable* rules, const State* s) noexcept nogil
cdef int bag_total(const State* s) noexcept nogil
cdef int pending_spaces(const RuleTable* rules, const State* s) noexcept nogil
cdef int pending_cards(const RuleTable* rules, const State* s) noexcept nogil
cdef bint pending_pair(const RuleTable* rules, const State* s) noexcept nogil
cdef void reveal_group(State* s, const uint8_t* tokens) noexcept nogil
cdef void reveal_card(State* s, int card) noexcept nogil
cdef void settle_chance(const RuleTable* rules, State* s) noexcept nogil
cdef int animal_points(const RuleTable* rules, const Player* p) noexcept nogil
cdef int player_points(const RuleTable* rules, const Player* p) noexcept nogil
cdef uint64_t state_key(const State* s) noexcept nogil
