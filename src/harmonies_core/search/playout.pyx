"""Random play of whole games, as fast as it goes."""

from libc.stdint cimport uint64_t

from harmonies_core.board cimport legal_cells, place_token
from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.grid cimport Mask, nth_bit, popcount
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.rng cimport Rng, rng_below, rng_stream
from harmonies_core.rules cimport Rules
from harmonies_core.state cimport (
    IN_TURN, MAX_HELD, OVER, Player, RuleTable, State, end_turn, hand_full, hold_card,
    player_points, put_cube, spirit_due, take_space,
)


cdef void random_turn(const RuleTable* rules, State* s, Rng* rng) noexcept nogil:
    """A random space, cells, card and cubes; cubes go down as soon as they can."""
    cdef Player* p = &s.player[s.seat]
    cdef Mask m
    cdef int i, j, slot, token
    if spirit_due(rules, s):
        p.spirit = s.pair[rng_below(rng, 2)]
        hold_card(p, p.spirit, 0)
        s.pair[0] = 0
        s.pair[1] = 0
    if not hand_full(p):
        i = rng_below(rng, rules.spaces)
        if s.row[i]:
            hold_card(p, s.row[i], 0)
            s.row[i] = 0
    i = rng_below(rng, rules.spaces)
    while s.centre[i][0] > 5:
        i = (i + 1) % rules.spaces
    take_space(s, i + 1)
    for i in range(3):
        token = s.progress.hand[(i + s.turn) % 3]
        m = legal_cells(&p.board, token)
        place_token(&p.board, token, nth_bit(m, rng_below(rng, popcount(m))))
        slot = 0
        while slot < MAX_HELD and p.card[slot]:
            j = p.card[slot]
            m = habitat_cells(&rules.card[j].habitat, p.board.kind, ~p.board.cubes)
            if m:
                put_cube(rules, p, slot, nth_bit(m, rng_below(rng, popcount(m))))
            else:
                slot += 1
    end_turn(rules, s)


def random_games(Rules rules not None, int games, uint64_t seed=0):
    """Play whole random games; (turns, points of all seats together)."""
    cdef Deal deal
    cdef State s
    cdef Rng rng = rng_stream(seed, 3)
    cdef int game, i
    cdef uint64_t turns = 0, points = 0
    with nogil:
        for game in range(games):
            deal_start(&deal, &rules.table, &s, seed + game)
            while s.phase != OVER:
                if s.phase == IN_TURN:
                    random_turn(&rules.table, &s, &rng)
                    turns += 1
                else:
                    deal_pending(&deal, &rules.table, &s)
            for i in range(rules.table.players):
                points += player_points(&rules.table, &s.player[i])
    return turns, points
