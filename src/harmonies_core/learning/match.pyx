"""Matches between networks and styles that look one turn deep."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.learning.selfplay cimport read_width
from harmonies_core.rules cimport Rules
from harmonies_core.search.beam cimport BY_NET, Beam, Width, find_turns, init_beam
from harmonies_core.state cimport IN_TURN, OVER, State, apply_action, end_turn, player_points
from harmonies_core.values.handmade cimport Weights as HandWeights, default_weights
from harmonies_core.values.inference cimport PlayNet, round_network
from harmonies_core.values.parameters cimport Net

from harmonies_core.learning.selfplay import STYLES, game_seed


cdef struct Table:
    Beam beam
    HandWeights hand
    PlayNet net[4]
    Width width[4]
    int style[4]
    int never


cdef void play_game(Table* x, Rules rules, uint64_t seed, int turned, int* points) noexcept nogil:
    """One game; player `who` sits at seat who - turned. Final points by player."""
    cdef Deal deal
    cdef State s
    cdef Beam* b = &x.beam
    cdef int i, who, n = rules.table.players
    deal_start(&deal, &rules.table, &s, seed)
    while s.phase != OVER:
        if s.phase != IN_TURN:
            deal_pending(&deal, &rules.table, &s)
            continue
        who = (s.seat + turned) % n
        b.by = x.style[who]
        b.net = &x.net[who]
        b.width = x.width[who]
        find_turns(b, &s)
        for i in range(b.turn[0].n):
            apply_action(&rules.table, &s, b.turn[0].action[i])
        end_turn(&rules.table, &s)
    for who in range(n):
        points[who] = player_points(&rules.table, &s.player[(who - turned + n) % n])


def play_match(
    Rules rules not None, list players not None, uint64_t seed, int first, int deals,
    bint rotate=True
):
    """Final points of every player in every game: for each deal a list of tuples.

    players: (style, parameters or None, width) for each seat, as in STYLES, Trainer.weights and
    Plan. Deal number `first` and the next ones of the seed are played, each in all rotations of
    the seats, or with rotate=False just once. Raises ValueError.
    """
    cdef Table* x
    cdef int points[4]
    cdef int i, game, turned, n = rules.table.players
    cdef uint64_t dealt
    if len(players) != n:
        raise ValueError(f"{len(players)} players for {n} seats")
    x = <Table*>calloc(1, sizeof(Table))
    if x == NULL:
        raise MemoryError
    try:
        default_weights(&x.hand)
        init_beam(&x.beam)
        for i, (style, parameters, width) in enumerate(players):
            if style not in STYLES:
                raise ValueError(f"style: {style!r} is not one of {', '.join(STYLES)}")
            x.style[i] = STYLES[style]
            read_width(width, &x.width[i])
            if x.style[i] == BY_NET:
                if parameters is None or len(parameters) != sizeof(Net):
                    raise ValueError("not the parameters of this network")
                round_network(<const Net*><const char*>parameters, &x.net[i])
        x.beam.rules = &rules.table
        x.beam.hand = &x.hand
        x.beam.limits.stop = &x.never
        x.beam.limits.most_nodes = <uint64_t>1 << 62
        x.beam.most_turns = 1
        groups = []
        for game in range(first, first + deals):
            dealt = game_seed(seed, game)
            group = []
            for turned in range(n if rotate else 1):
                with nogil:
                    play_game(x, rules, dealt, turned, points)
                group.append(tuple([points[i] for i in range(n)]))
            groups.append(group)
        return groups
    finally:
        free(x)
