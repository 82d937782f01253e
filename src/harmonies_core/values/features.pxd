"""What the learned value function sees of one player: a list of active features.

Every feature is a row of the network's first layer; a list may name a row more than once. All
of them are about one player: its landscape, its cards (by geometry and points, never by number,
so that cards of any pack will do), and the time that is left.
"""

from libc.stdint cimport uint8_t, uint16_t

from harmonies_core.board cimport Board
from harmonies_core.grid cimport Mask
from harmonies_core.state cimport MAX_HELD, Player, RuleTable, State

cdef enum:
    FEATURE_SET = 2                     # goes up whenever a feature changes its meaning
    MAX_ACTIVE = 320                    # longest list of one player, generously
    # The landscape. Kinds are the twelve of board.pxd that are not empty.
    KIND_ORBIT = 0                      # 12 kinds x 8 classes of cells that look alike
    PAIR = KIND_ORBIT + 12 * 8          # two kinds side by side, 12 x 12
    ROOM = PAIR + 12 * 12               # a kind with 0 to 6 empty cells beside it
    COLOURS = ROOM + 12 * 7             # T, M, R, building x colours beside 0-4 x empty 0-3
    BLOCKED = COLOURS + 4 * 5 * 4       # a cube on the kind
    EMPTIES = BLOCKED + 12              # empty cells, 0 to 25
    WATER = EMPTIES + 26                # points of the river or of the islands: 16 steps
    FIELDS = WATER + 16                 # groups that score, 0 to 6
    BUILDINGS = FIELDS + 7              # buildings that score, 0 to 6
    MOUNTAINS = BUILDINGS + 7           # M, MM, MMM with a mountain beside: 3 x 0 to 5
    SLOTS = MOUNTAINS + 18              # free slots 0-4 x phase
    # Cards that are held. An increment is what the next cube adds, in points.
    CARD_0 = SLOTS + 5 * 9              # increment 1-10 x cells at which the habitat stands 0-3
    CARD_1 = CARD_0 + 10 * 4            # x cells that lack one token, 0-5
    CARD_2 = CARD_1 + 10 * 6            # x cells that lack two, 0-7
    CARD_3 = CARD_2 + 10 * 8            # x cells that lack three, in pairs
    CARD_REST = CARD_3 + 10 * 8         # cubes left 1-5 x points left, 8 steps
    CARD_NEAR = CARD_REST + 5 * 8       # cells that lack none 0-2, one 0-4 x cubes left
    CARD_CUBE = CARD_NEAR + 3 * 5 * 5   # kind under the cube
    CARD_OTHER = CARD_CUBE + 12         # kind of each further cell
    CARD_SIZE = CARD_OTHER + 12         # tokens of the habitat, 1 to 8
    CARD_PHASE = CARD_SIZE + 8          # phase x points left
    CARD_TIME = CARD_PHASE + 9 * 8      # phase x cells that lack none or one 0-4 x increment, 5
    SPIRIT_NEAR = CARD_TIME + 9 * 5 * 5     # an unplaced spirit's cells that lack 0, 1, 2, 3
    SPIRIT_KIND = SPIRIT_NEAR + 4 * 8   # placed or not x how it counts 10 x its first points 4
    SPIRIT_NOW = SPIRIT_KIND + 2 * 10 * 4   # placed or not x points now, 12 steps
    PACE = SPIRIT_NOW + 2 * 12          # own empties x fewest of any opponent's, in pairs
    # The same for all landscapes of one seat in one turn.
    TURN = PACE + 13 * 14               # own turns finished, 0 to 19
    OTHERS = TURN + 20                  # fewest empty cells of any opponent; 26 alone
    SEATS = OTHERS + 27                 # players x own seat x seat that moved last
    LAST = SEATS + 64                   # exactly one more turn
    BAG = LAST + 1                      # groups in the bag, 0 to 30
    SUPPLY = BAG + 31                   # tokens on no landscape by colour, 6 x 8 steps
    SPIRITS = SUPPLY + 48               # played with spirits
    # What single tokens would complete.
    LACK = SPIRITS + 1                  # increment, 5 steps x colour that completes a habitat
    LACK_COLOURS = LACK + 5 * 6         # such colours of all cards, 0 to 6
    N_FEATURES = LACK_COLOURS + 7


cdef struct Pace:
    # What is the same for all landscapes a seat may reach in one turn.
    int players
    int seat            # whose landscape, from 0
    int mover           # seat that moves or moved last
    int turn            # own turns finished when the mover's turn ends
    int others          # fewest empty cells of any opponent; 26 without opponents
    int turns_left      # 0: none; 1: exactly one; 2: more or unknown
    int bag             # tokens in the bag
    int supply[6]       # tokens in the bag and the centre by colour
    bint spirits


cdef struct View:
    # What was found out about one player.
    int n
    uint16_t active[320]
    int points                  # all points, were the game over now
    int empties
    Mask short[4][4]            # by slot: cube cells where the habitat lacks 0 to 3 tokens


cdef struct Ground:
    # The cells of a landscape, for listing what one more token changes.
    uint8_t kind[64]
    uint8_t empties[64]         # empty cells beside each occupied cell


cdef struct Change:
    int n_minus
    int n_plus
    uint16_t minus[32]
    uint16_t plus[32]


cdef void state_pace(
    const RuleTable* rules, const State* s, int seat, int mover, bint passed, Pace* out
) noexcept nogil
cdef int pace_features(const Pace* pace, uint16_t* out) noexcept nogil
cdef void view_player(
    const RuleTable* rules, const Player* p, int others, View* out
) noexcept nogil
cdef void view_rest(
    const RuleTable* rules, const Player* p, int others, View* v
) noexcept nogil
cdef int ground_features(
    const RuleTable* rules, const Player* p, Ground* g, uint16_t* out
) noexcept nogil
cdef void ground_change(
    const RuleTable* rules, const Board* b, const Ground* g, int cell, int after, Change* out
) noexcept nogil
cdef void cube_change(
    const RuleTable* rules, const Player* p, int slot, Change* out
) noexcept nogil
cdef void card_change(const RuleTable* rules, int card, Change* out) noexcept nogil
