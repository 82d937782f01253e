"""The rules of a turn: legal actions, their effect, the end of a turn and of the game."""

from libc.string cimport memset

from harmonies_core.board cimport (
    EMPTY, NO_TOKEN, TOKENS, clear_board, legal_cells, place_token,
)
from harmonies_core.grid cimport bit, lowest, popcount
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.scoring cimport score_landscape, spirit_points


cdef void init_state(const RuleTable* rules, State* s) noexcept nogil:
    """Empty boards, a full bag, an empty centre and row, every animal unseen."""
    cdef int i, j
    memset(s, 0, sizeof(State))
    for i in range(rules.players):
        clear_board(&s.player[i].board, rules.side)
    for i in range(MAX_SPACES):
        for j in range(3):
            s.centre[i][j] = NO_TOKEN
    for i in range(3):
        s.progress.hand[i] = NO_TOKEN
    for i in range(TOKENS):
        s.bag[i] = SUPPLY[i]
    s.unseen[0] = rules.animals[0]
    s.unseen[1] = rules.animals[1]
    s.phase = CHANCE
    s.turn = 1


cdef void hold_card(Player* p, int card, int placed) noexcept nogil:
    """Put a card into a free slot; slots stay ascending so that equal hands are equal bytes."""
    cdef int i = MAX_HELD - 1
    while i > 0 and (p.card[i - 1] == 0 or p.card[i - 1] > card):
        p.card[i] = p.card[i - 1]
        p.placed[i] = p.placed[i - 1]
        i -= 1
    p.card[i] = card
    p.placed[i] = placed


cdef void put_cube(const RuleTable* rules, Player* p, int slot, Mask cell) noexcept nogil:
    """Put the next cube of a held card on a cell; a complete card leaves its slot."""
    cdef int card = p.card[slot], i
    p.board.cubes |= cell
    p.n_cubes += 1
    p.placed[slot] += 1
    if rules.card[card].is_spirit:
        p.board.spirit_cube = cell
    elif p.placed[slot] == rules.card[card].n_cubes:
        flip_in_set(p.done, card)
        p.done_points += rules.card[card].points[p.placed[slot]]
    if p.placed[slot] == rules.card[card].n_cubes:
        for i in range(slot, MAX_HELD - 1):
            p.card[i] = p.card[i + 1]
            p.placed[i] = p.placed[i + 1]
        p.card[MAX_HELD - 1] = 0
        p.placed[MAX_HELD - 1] = 0


cdef void take_space(State* s, int space) noexcept nogil:
    """Take the tokens of a central space (from 1) into the hand."""
    cdef int i
    s.progress.space = space
    s.progress.n_hand = 3
    for i in range(3):
        s.progress.hand[i] = s.centre[space - 1][i]
        s.centre[space - 1][i] = NO_TOKEN


cdef bint spirit_due(const RuleTable* rules, const State* s) noexcept nogil:
    return rules.spirits and s.player[s.seat].spirit == 0


cdef bint may_end(const RuleTable* rules, const State* s) noexcept nogil:
    return s.progress.space != 0 and s.progress.n_hand == 0 and not spirit_due(rules, s)


cdef int add_cells(uint16_t* out, int n, int kind, int first, Mask cells) noexcept nogil:
    while cells:
        out[n] = action_code(kind, first, lowest(cells))
        n += 1
        cells &= cells - 1
    return n


cdef int legal_actions(const RuleTable* rules, const State* s, uint16_t* out) noexcept nogil:
    """Write every legal next action, ascending by code, and return how many there are."""
    cdef const Player* p = &s.player[s.seat]
    cdef int n = 0, i
    if s.phase != IN_TURN:
        return 0
    if spirit_due(rules, s):
        for i in range(2):
            out[n] = action_code(A_SPIRIT, s.pair[i], 0)
            n += 1
        return n
    if s.progress.discarded:
        out[0] = action_code(A_END, 0, 0)
        return 1
    if s.progress.space == 0:
        for i in range(rules.spaces):
            if s.centre[i][0] != NO_TOKEN:
                out[n] = action_code(A_SPACE, i + 1, 0)
                n += 1
    for i in range(s.progress.n_hand):
        if i == 0 or s.progress.hand[i] != s.progress.hand[i - 1]:
            n = add_cells(out, n, A_PLACE, s.progress.hand[i],
                          legal_cells(&p.board, s.progress.hand[i]))
    if not s.progress.card_taken and not hand_full(p):
        for i in range(rules.spaces):
            if s.row[i] != 0:
                out[n] = action_code(A_TAKE, s.row[i], 0)
                n += 1
    for i in range(MAX_HELD):
        if p.card[i] == 0:
            break
        n = add_cells(out, n, A_CUBE, p.card[i],
                      habitat_cells(&rules.card[p.card[i]].habitat, p.board.kind, ~p.board.cubes))
    if may_end(rules, s):
        if rules.solo and not s.progress.card_taken:
            for i in range(rules.spaces):
                if s.row[i] != 0:
                    out[n] = action_code(A_DISCARD, s.row[i], 0)
                    n += 1
        out[n] = action_code(A_END, 0, 0)
        n += 1
    return n


cdef bint in_row(const RuleTable* rules, const State* s, int card) noexcept nogil:
    cdef int i
    for i in range(rules.spaces):
        if s.row[i] == card:
            return card != 0
    return False


cdef int check_place(const RuleTable* rules, const State* s, int token, int cell) noexcept nogil:
    cdef const Player* p = &s.player[s.seat]
    cdef int i
    if s.progress.space == 0:
        return E_NO_SPACE_YET
    for i in range(s.progress.n_hand):
        if s.progress.hand[i] == token:
            break
    else:
        return E_NOT_IN_HAND
    if not rules.cells & bit(cell):
        return E_NOT_A_CELL
    if p.board.cubes & bit(cell):
        return E_CUBE_BLOCKS
    if not legal_cells(&p.board, token) & bit(cell):
        return E_STACK
    return 0


cdef int check_cube(const RuleTable* rules, const State* s, int card, int cell) noexcept nogil:
    cdef const Player* p = &s.player[s.seat]
    if card == 0 or held_slot(p, card) < 0:
        if in_set(p.done, card) or (p.spirit == card and card != 0):
            return E_COMPLETE
        return E_NOT_HELD
    if not rules.cells & bit(cell):
        return E_NOT_A_CELL
    if p.board.cubes & bit(cell):
        return E_CUBE_THERE
    if not habitat_cells(&rules.card[card].habitat, p.board.kind, bit(cell)):
        return E_NO_HABITAT
    return 0


cdef int check_action(const RuleTable* rules, const State* s, uint16_t action) noexcept nogil:
    """0 if the action is legal now, else the rule it breaks (E_...)."""
    cdef int kind = action_kind(action), first = action_first(action)
    if s.phase != IN_TURN:
        return E_PHASE
    if kind == A_SPIRIT:
        if not spirit_due(rules, s):
            return E_NO_SPIRIT
        return 0 if first != 0 and (first == s.pair[0] or first == s.pair[1]) else E_NOT_OFFERED
    if spirit_due(rules, s):
        return E_SPIRIT_FIRST
    if s.progress.discarded and kind != A_END:
        return E_DISCARDED
    if kind == A_SPACE:
        if s.progress.space != 0:
            return E_SPACE_TAKEN
        if first < 1 or first > rules.spaces:
            return E_NO_SPACE
        return E_SPACE_EMPTY if s.centre[first - 1][0] == NO_TOKEN else 0
    if kind == A_PLACE:
        return check_place(rules, s, first, action_cell(action))
    if kind == A_TAKE:
        if s.progress.card_taken:
            return E_CARD_TAKEN
        if not in_row(rules, s, first):
            return E_NOT_IN_ROW
        return E_HAND_FULL if hand_full(&s.player[s.seat]) else 0
    if kind == A_CUBE:
        return check_cube(rules, s, first, action_cell(action))
    if kind == A_DISCARD:
        if not rules.solo:
            return E_NOT_SOLO
        if s.progress.card_taken:
            return E_CARD_TAKEN
        if not may_end(rules, s):
            return E_TOKENS_LEFT
        return 0 if in_row(rules, s, first) else E_NOT_IN_ROW
    return 0 if may_end(rules, s) else E_TOKENS_LEFT


cdef void remove_from_row(State* s, int card) noexcept nogil:
    cdef int i
    for i in range(MAX_SPACES):
        if s.row[i] == card:
            s.row[i] = 0


cdef void apply_action(const RuleTable* rules, State* s, uint16_t action) noexcept nogil:
    """Carry out a legal action."""
    cdef Player* p = &s.player[s.seat]
    cdef int kind = action_kind(action), first = action_first(action), i
    if kind == A_SPIRIT:
        p.spirit = first
        hold_card(p, first, 0)
        s.pair[0] = 0
        s.pair[1] = 0
    elif kind == A_SPACE:
        take_space(s, first)
    elif kind == A_PLACE:
        place_token(&p.board, first, bit(action_cell(action)))
        i = 0
        while s.progress.hand[i] != first:
            i += 1
        s.progress.n_hand -= 1
        while i < s.progress.n_hand:
            s.progress.hand[i] = s.progress.hand[i + 1]
            i += 1
        s.progress.hand[i] = NO_TOKEN
    elif kind == A_TAKE:
        hold_card(p, first, 0)
        remove_from_row(s, first)
        s.progress.card_taken = 1
    elif kind == A_CUBE:
        put_cube(rules, p, held_slot(p, first), bit(action_cell(action)))
    elif kind == A_DISCARD:
        remove_from_row(s, first)
        s.progress.discarded = 1
    else:
        end_turn(rules, s)


cdef int bag_total(const State* s) noexcept nogil:
    cdef int i, n = 0
    for i in range(TOKENS):
        n += s.bag[i]
    return n


cdef bint end_triggered(const RuleTable* rules, const State* s) noexcept nogil:
    """Has any landscape few empty cells, or the bag fewer than three tokens?

    Both stay true once they are, so the first time need not be remembered; a bag emptied by the
    refill after the test is seen at the end of the next turn only, because this is called at
    ends of turns.
    """
    cdef int i
    for i in range(rules.players):
        if popcount(s.player[i].board.kind[EMPTY]) <= END_EMPTIES:
            return True
    return bag_total(s) < 3


cdef void end_turn(const RuleTable* rules, State* s) noexcept nogil:
    """Test the end of the game, pass the turn on, and leave what is to be dealt open."""
    cdef bint last = s.seat == rules.players - 1
    cdef int i, j
    memset(&s.progress, 0, sizeof(Progress))
    for i in range(3):
        s.progress.hand[i] = NO_TOKEN
    s.seat = 0 if last else s.seat + 1
    if last:
        s.turn += 1
    if last and end_triggered(rules, s):
        s.phase = OVER
        return
    if rules.solo:
        # Tokens nobody took leave the game.
        for i in range(MAX_SPACES):
            for j in range(3):
                s.centre[i][j] = NO_TOKEN
    s.phase = CHANCE
    settle_chance(rules, s)


cdef int pending_spaces(const RuleTable* rules, const State* s) noexcept nogil:
    """Groups of three tokens that the dealer owes."""
    cdef int i, n = 0, most = bag_total(s) // 3
    for i in range(rules.spaces):
        n += s.centre[i][0] == NO_TOKEN
    return n if n < most else most


cdef int pending_cards(const RuleTable* rules, const State* s) noexcept nogil:
    """Cards of the row that the dealer owes."""
    cdef int i, n = 0, most = popcount(s.unseen[0]) + popcount(s.unseen[1])
    for i in range(rules.spaces):
        n += s.row[i] == 0
    return n if n < most else most


cdef bint pending_pair(const RuleTable* rules, const State* s) noexcept nogil:
    """Does the dealer owe the seat to move its pair of spirits?"""
    return rules.spirits and s.player[s.seat].spirit == 0 and s.pair[0] == 0


cdef void reveal_group(State* s, const uint8_t* tokens) noexcept nogil:
    """Fill the first empty space with three tokens, colours ascending."""
    cdef int i, j
    for i in range(MAX_SPACES):
        if s.centre[i][0] == NO_TOKEN:
            for j in range(3):
                s.centre[i][j] = tokens[j]
                s.bag[tokens[j]] -= 1
            return


cdef void reveal_card(State* s, int card) noexcept nogil:
    """Fill the first gap of the row with an unseen card."""
    cdef int i
    for i in range(MAX_SPACES):
        if s.row[i] == 0:
            s.row[i] = card
            flip_in_set(s.unseen, card)
            return


cdef void settle_chance(const RuleTable* rules, State* s) noexcept nogil:
    """Let the next seat begin once nothing is owed."""
    if (s.phase == CHANCE and pending_spaces(rules, s) == 0 and pending_cards(rules, s) == 0
            and not pending_pair(rules, s)):
        s.phase = IN_TURN


cdef int animal_points(const RuleTable* rules, const Player* p) noexcept nogil:
    """Points of all animal cards, complete or not."""
    cdef int i, total = p.done_points
    for i in range(MAX_HELD):
        if p.card[i] and not rules.card[p.card[i]].is_spirit:
            total += rules.card[p.card[i]].points[p.placed[i]]
    return total


cdef int player_points(const RuleTable* rules, const Player* p) noexcept nogil:
    """All points of one player, were the game over now."""
    cdef Landscape land
    cdef int total = animal_points(rules, p)
    score_landscape(&land, &p.board, rules.side, rules.cells, rules.loop)
    total += land.trees + land.mountains + land.fields + land.buildings + land.water
    if p.board.spirit_cube:
        total += spirit_points(&rules.card[p.spirit].score, &p.board, rules.cells)
    return total


cdef uint64_t mix(uint64_t h, uint64_t x) noexcept nogil:
    h = (h ^ x) * <uint64_t>0x9FB21C651E98DF25
    return h ^ (h >> 29)


cdef uint64_t state_key(const State* s) noexcept nogil:
    """64-bit hash over every field, independent of byte order and padding."""
    cdef uint64_t h = 0x243F6A8885A308D3
    cdef const Player* p
    cdef int i, j
    for i in range(MAX_SEATS):
        p = &s.player[i]
        for j in range(13):
            h = mix(h, p.board.kind[j])
        h = mix(h, p.board.on_trunk)
        h = mix(h, p.board.on_mountain)
        h = mix(h, p.board.cubes)
        h = mix(h, p.board.spirit_cube)
        h = mix(h, p.done[0])
        h = mix(h, p.done[1])
        for j in range(MAX_HELD):
            h = mix(h, p.card[j] * 256 + p.placed[j])
        h = mix(h, p.spirit)
    for i in range(MAX_SPACES):
        h = mix(h, (s.centre[i][0] * 8 + s.centre[i][1]) * 8 + s.centre[i][2])
        h = mix(h, s.row[i])
    for i in range(TOKENS):
        h = mix(h, s.bag[i])
    h = mix(h, s.unseen[0])
    h = mix(h, s.unseen[1])
    h = mix(h, s.pair[0] * 256 + s.pair[1])
    h = mix(h, s.progress.space * 65536 + s.progress.n_hand * 256 + s.progress.hand[0])
    h = mix(h, s.progress.hand[1] * 256 + s.progress.hand[2])
    h = mix(h, s.progress.card_taken * 256 + s.progress.discarded)
    h = mix(h, s.seat * 65536 + s.phase)
    return mix(h, s.turn)
