"""Can a position occur? Kept apart from reading it and from playing on."""

from harmonies_core.board cimport EMPTY, NO_TOKEN, count_tokens
from harmonies_core.grid cimport popcount
from harmonies_core.state cimport (
    END_EMPTIES, IN_TURN, MAX_HELD, OVER, SUPPLY, Player, bag_total, end_triggered, in_set,
    pending_cards, pending_pair, pending_spaces,
)

from harmonies_core.errors import PositionError


cdef int check_player(Rules rules, const State* s, int seat) except -1:
    cdef const Player* p = &s.player[seat]
    cdef int i, card, cubes = 0, begun
    where = f"player {seat + 1}"
    for i in range(MAX_HELD):
        if p.card[i] and not rules.table.card[p.card[i]].is_spirit:
            cubes += p.placed[i]
    for card in range(1, 128):
        if in_set(p.done, card):
            cubes += rules.table.card[card].n_cubes
    if cubes + (p.board.spirit_cube != 0) != popcount(p.board.cubes):
        raise PositionError(
            f"{where}: the cards say {cubes} animal cubes are on the board, it shows "
            f"{popcount(p.board.cubes) - (p.board.spirit_cube != 0)}"
        )
    if p.spirit and not rules.spirits:
        raise PositionError(f"{where}: card {p.spirit} is a spirit, the rules field has none")
    begun = s.turn if seat < s.seat else s.turn - 1
    if rules.spirits and not p.spirit and begun > 0:
        raise PositionError(f"{where}: has had a turn but holds no spirit")
    return 0


cdef int check_cards(Rules rules, const State* s) except -1:
    cdef int card, i, j, times
    for card in range(1, 128):
        times = s.pair[0] == card
        times += s.pair[1] == card
        for i in range(5):
            times += s.row[i] == card
        times += in_set(s.unseen, card)
        for i in range(rules.players):
            times += in_set(s.player[i].done, card)
            if rules.table.card[card].is_spirit:
                times += s.player[i].spirit == card
            else:
                for j in range(MAX_HELD):
                    times += s.player[i].card[j] == card
        if times > 1:
            raise PositionError(f"cards: card {card} is in {times} places")
    return 0


cdef int check_tokens(Rules rules, const State* s) except -1:
    cdef int counts[6]
    cdef int i, j
    for i in range(6):
        counts[i] = s.bag[i]
    for i in range(rules.players):
        count_tokens(&s.player[i].board, counts)
    for i in range(5):
        for j in range(3):
            if s.centre[i][j] != NO_TOKEN:
                counts[s.centre[i][j]] += 1
    for i in range(s.progress.n_hand):
        counts[s.progress.hand[i]] += 1
    for i in range(6):
        # In solo mode the tokens nobody took have left the game.
        if counts[i] > SUPPLY[i] or (counts[i] < SUPPLY[i] and not rules.solo):
            raise PositionError(
                f"bag: {counts[i]} tokens {'WMTLFR'[i]} with those on boards, in spaces and in "
                f"hand, expected {'at most ' if rules.solo else ''}{SUPPLY[i]}"
            )
    return 0


cdef int check_state(Rules rules, const State* s) except -1:
    """Raise PositionError, naming the field, if the position cannot occur."""
    cdef int i, empties, filled = 0
    for i in range(rules.players):
        check_player(rules, s, i)
    check_cards(rules, s)
    check_tokens(rules, s)
    for i in range(rules.table.spaces):
        filled += s.centre[i][0] != NO_TOKEN
    if s.progress.space:
        if s.centre[s.progress.space - 1][0] != NO_TOKEN:
            raise PositionError(
                f"phase: space {s.progress.space} was taken, but it is not empty in the centre"
            )
        filled += 1
    if s.pair[0]:
        if not rules.spirits:
            raise PositionError("phase: a spirit pair, the rules field has no spirits")
        if s.turn > 1 or s.player[s.seat].spirit:
            raise PositionError("phase: a spirit pair after the spirit was chosen")
    if s.phase == OVER:
        if s.seat != 0:
            raise PositionError("seat: 1 expected after the end of the game, a whole round")
        if not end_triggered(&rules.table, s):
            raise PositionError("phase: over, but no board is full and the bag is not empty")
        return 0
    # Seats still to come this round were tested at the end of their last turn.
    for i in range(s.seat, rules.players):
        empties = popcount(s.player[i].board.kind[EMPTY])
        if i == s.seat and s.progress.space:
            # A turn starts with 3 empty cells at least, and a token fills one at most.
            if empties < s.progress.n_hand:
                raise PositionError(
                    f"player {i + 1}: {empties} empty cells for {s.progress.n_hand} tokens in hand"
                )
        elif empties <= END_EMPTIES:
            raise PositionError(
                f"phase: the game has ended, player {i + 1} had {empties} empty cells at the end "
                "of a round"
            )
    if s.phase == IN_TURN:
        if rules.solo:
            if filled == 0:
                raise PositionError("centre: no tokens to take")
        elif filled < rules.table.spaces and bag_total(s) >= 3:
            raise PositionError(
                f"centre: {filled} spaces filled, expected {rules.table.spaces} in a turn"
            )
        if pending_pair(&rules.table, s) and not s.progress.space:
            raise PositionError(f"phase: seat {s.seat + 1} has no spirit and no pair is offered")
        if rules.spirits and s.player[s.seat].spirit == 0 and s.progress.space:
            raise PositionError("phase: the spirit is chosen before a space is taken")
    elif (pending_spaces(&rules.table, s) == 0 and pending_cards(&rules.table, s) == 0
          and not pending_pair(&rules.table, s)):
        raise PositionError("phase: deal, but nothing is left to deal")
    return 0
