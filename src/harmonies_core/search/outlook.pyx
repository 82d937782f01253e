"""Expected final points of every seat, without search."""

from harmonies_core.search.beam cimport Node
from harmonies_core.search.utility cimport Outlook, sd_of_error, set_chances
from harmonies_core.state cimport OVER, RuleTable, State, apply_action, player_points
from harmonies_core.values.features cimport Pace, View, state_pace, view_player
from harmonies_core.values.inference cimport Hidden, PlayNet, pace_hidden, run_network


cdef void seat_outlook(
    const RuleTable* rules, const PlayNet* net, const State* s, int seat, int mover, bint passed,
    Outlook* out
) noexcept nogil:
    """Expected final points of one seat, as things are at the end of the turn of `mover`."""
    cdef Pace pace
    cdef View view
    cdef Hidden hidden
    cdef float y[2]
    state_pace(rules, s, seat, mover, passed, &pace)
    view_player(rules, &s.player[seat], pace.others, &view)
    out.points[seat] = view.points
    out.sd[seat] = 0
    if pace.turns_left:
        pace_hidden(net, &pace, &hidden)
        run_network(net, &hidden, &view, y)
        out.points[seat] = view.points + 10 * y[0]
        if out.points[seat] < 0:
            out.points[seat] = 0
        out.sd[seat] = sd_of_error(10 * y[1])


cdef void end_of_turn(
    const RuleTable* rules, const PlayNet* net, const State* after, Outlook* out
) noexcept nogil:
    """What is expected of all seats when the seat to move has made its turn but not passed on."""
    seat_outlook(rules, net, after, after.seat, after.seat, False, out)
    others_outlook(rules, net, after, out)


cdef void others_outlook(
    const RuleTable* rules, const PlayNet* net, const State* after, Outlook* out
) noexcept nogil:
    """The same where it is known what to expect of the seat to move."""
    cdef int i
    for i in range(rules.players):
        if i != after.seat:
            seat_outlook(rules, net, after, i, after.seat, False, out)
    set_chances(out, rules.players, after.seat, after.turn, True)


cdef void turn_outlook(
    const RuleTable* rules, const PlayNet* net, const State* s, const Node* turn, Outlook* out
) noexcept nogil:
    """What a turn leads to, without search; for the seat to move what the beam thought of it."""
    cdef State after = s[0]
    cdef int i
    for i in range(turn.n):
        apply_action(rules, &after, turn.action[i])
    out.points[s.seat] = turn.value
    out.sd[s.seat] = sd_of_error(turn.error)
    others_outlook(rules, net, &after, out)


cdef void position_outlook(
    const RuleTable* rules, const PlayNet* net, const State* s, Outlook* out
) noexcept nogil:
    """Expected final points of every seat, and the chances of the seat to move."""
    cdef int i, n = rules.players
    for i in range(n):
        if s.phase == OVER:
            out.points[i] = player_points(rules, &s.player[i])
            out.sd[i] = 0
        else:
            seat_outlook(rules, net, s, i, (s.seat + n - 1) % n, True, out)
    set_chances(out, n, s.seat, s.turn, False)
