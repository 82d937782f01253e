"""Games that a network plays to learn from.

At the end of every turn the view of every seat is noted together with what the network expects.
When a game is over the targets follow from its end backwards: a mixture of what came (share
lambda) and of what was expected one round later. Everything that chance decides in a game
follows from the seed of the run and the number of the game, so games can be played in any order
and on any thread.
"""

from libc.math cimport pow
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.learning.samples cimport MAX_LIST, NO_FINAL, Moment
from harmonies_core.rng cimport rng_below, rng_next, rng_stream
from harmonies_core.rules cimport Rules
from harmonies_core.search.base cimport set_width
from harmonies_core.search.beam cimport (
    BY_HAND, BY_NET, BY_NOW, BY_RUSH, MAX_WIDTH, Beam, Node, find_turns, init_beam,
)
from harmonies_core.search.expectimax cimport (
    MAX_CANDIDATES, MAX_SAMPLES, Lookahead, Memory, look_ahead,
)
from harmonies_core.search.utility cimport FOR_POINTS
from harmonies_core.state cimport (
    END_EMPTIES, IN_TURN, MAX_SEATS, OVER, RuleTable, State, apply_action, end_turn, player_points,
)
from harmonies_core.values.features cimport Pace, View, pace_features, state_pace, view_player
from harmonies_core.values.handmade cimport default_weights
from harmonies_core.values.inference cimport Hidden, pace_hidden, round_network, run_network
from harmonies_core.values.parameters cimport Net

# How a seat can choose its turns: by the network, by the hand-made estimate, by the points on
# the board, by those and every cell filled.
STYLES = {"net": BY_NET, "hand": BY_HAND, "now": BY_NOW, "rush": BY_RUSH}

cdef enum:
    WHIMS = 8                   # a whim is one of so many best turns


cdef class Plan:
    """What games are played, and how.

    mixture: pairs of Rules and a share (whole numbers, together at most 65,536). styles: shares
    of the styles that sit on the other seats in a game with other styles, by name. width: nodes
    of the beam: cards, then tokens one, two and three. decay: lambda for one round, 0 to 1.
    whim: probability of a turn that is not the best. others: probability of a game with other
    styles. look: candidates and samples of a look-ahead that chooses the turns of the network
    and teaches what it found; (0, 0) for none. Raises ValueError.
    """

    def __cinit__(self, list mixture not None, dict styles not None, tuple width not None,
                  double decay, double whim, double others, tuple look=(0, 0)):
        cdef Rules r
        cdef int i
        if not 0 < len(mixture) <= MAX_MIXTURE:
            raise ValueError(f"mixture: expected 1 to {MAX_MIXTURE} configurations, "
                             f"found {len(mixture)}")
        self.rules = [rules for rules, _ in mixture]
        for i, (r, share) in enumerate(mixture):
            self.table[i] = &r.table
            self.share[i] = checked_share(share)
            self.total += self.share[i]
            check_total(self.total)
        self.n_tables = len(mixture)
        for name, share in styles.items():
            if name not in STYLES:
                raise ValueError(f"styles: {name!r} is not one of {', '.join(STYLES)}")
            self.style_share[STYLES[name]] = checked_share(share)
            self.style_total += checked_share(share)
            check_total(self.style_total)
        if self.total == 0 or self.style_total == 0:
            raise ValueError("all shares are 0")
        read_width(width, &self.width)
        for name, x in (("decay", decay), ("whim", whim), ("others", others)):
            if not 0 <= x <= 1:
                raise ValueError(f"{name}: {x} is not a number from 0 to 1")
        candidates, samples = look
        if look != (0, 0) and not (
                2 <= candidates <= MAX_CANDIDATES and 2 <= samples <= MAX_SAMPLES):
            raise ValueError(f"look: {look} is not 2 to {MAX_CANDIDATES} candidates and 2 to "
                             f"{MAX_SAMPLES} samples, or twice 0")
        self.looking = candidates > 0
        self.look.candidates = candidates
        self.look.samples = samples
        self.look.halve = samples
        self.look.rounds = 1
        self.look.again = False
        set_width(&self.look.root, 3, 8, 8, 6, True)
        set_width(&self.look.reply, 0, 3, 3, 2, False)
        self.decay = decay
        self.whim = <uint64_t>(whim * 4294967296.0)
        self.others = <uint64_t>(others * 4294967296.0)


cdef int checked_share(share) except -1:
    if not 0 <= share <= 65536:
        raise ValueError(f"share: {share} is not a number from 0 to 65,536")
    return share


cdef int check_total(int total) except -1:
    if total > 65536:
        raise ValueError("shares: together more than 65,536")
    return 0


cdef int read_width(tuple numbers, Width* out) except -1:
    """Read the width of a beam; raises ValueError."""
    if len(numbers) != 4 or not (0 <= numbers[0] <= 6 and all(
            1 <= x <= MAX_WIDTH for x in numbers[1:])):
        raise ValueError(f"width: {numbers} is not one number from 0 to 6 and three from 1 to "
                         f"{MAX_WIDTH}")
    out.cards, out.first, out.second, out.third = numbers
    out.cube_later = False
    return 0


def game_seed(uint64_t seed, uint64_t number):
    """The seed of a game: entry `number` of stream 0 of the seed of the run."""
    return nth_seed(seed, number)


cdef uint64_t nth_seed(uint64_t seed, uint64_t number) noexcept nogil:
    cdef Rng g = rng_stream(seed, 0)
    g.s += number * <uint64_t>0x9E3779B97F4A7C15
    return rng_next(&g)


cdef class Games:
    """The moments of games that were played, one game after the other, seat by seat."""

    def __cinit__(self):
        self.trace = <Trace*>calloc(MAX_SEATS, sizeof(Trace))
        self.beam = <Beam*>calloc(1, sizeof(Beam))
        if self.trace == NULL or self.beam == NULL:
            raise MemoryError
        init_beam(self.beam)
        default_weights(&self.hand)
        self.memory = None

    def __dealloc__(self):
        free(self.moment)
        free(self.trace)
        free(self.beam)

    cdef void note(
        self, const RuleTable* rules, const State* s, int seat, int number
    ) noexcept nogil:
        """Note a seat's view at the end of the turn of the seat to move."""
        cdef Trace* t = &self.trace[seat]
        cdef Moment* x
        cdef Pace pace
        cdef View view
        cdef Hidden hidden
        cdef float out[2]
        cdef int n
        if t.n == MAX_PLIES:
            return
        state_pace(rules, s, seat, s.seat, False, &pace)
        if pace.turns_left == 0:
            return
        x = &t.moment[t.n]
        t.n += 1
        view_player(rules, &s.player[seat], pace.others, &view)
        n = pace_features(&pace, x.sample.active)
        assert n + view.n <= MAX_LIST
        memcpy(&x.sample.active[n], &view.active[0], view.n * sizeof(uint16_t))
        x.sample.n = n + view.n
        x.sample.empties = view.empties
        x.game = number
        x.seat = seat
        x.points = view.points
        x.instead = -1
        pace_hidden(&self.net, &pace, &hidden)
        run_network(&self.net, &hidden, &view, out)
        x.guess = 10 * out[0]

    cdef Node* look(self, Plan plan, const RuleTable* rules, const State* s) noexcept nogil:
        """Choose a turn by look-ahead, for points."""
        cdef Lookahead* x = self.memory.x
        x.rules = rules
        x.net = &self.net
        x.objective = FOR_POINTS
        x.limits = self.beam.limits
        x.seed = rng_next(&self.rng)
        x.keep = 2
        x.nodes = 0
        look_ahead(x, s, &plan.look)
        return &x.candidate[0].turn

    cdef bint keep_searched(
        self, const RuleTable* rules, const State* s, int number
    ) noexcept nogil:
        """Add every candidate of the look-ahead: its target is the mean over the samples."""
        cdef Lookahead* x = self.memory.x
        cdef Moment* m
        cdef Pace pace
        cdef View view
        cdef int i, n
        state_pace(rules, s, s.seat, s.seat, False, &pace)
        if pace.turns_left == 0:
            return True
        if not self.room_for(x.n):
            return False
        for i in range(x.n):
            view_player(rules, &x.candidate[i].turn.me, pace.others, &view)
            if x.candidate[i].done < 2 or view.empties <= END_EMPTIES:
                continue
            m = &self.moment[self.n]
            n = pace_features(&pace, m.sample.active)
            memcpy(&m.sample.active[n], &view.active[0], view.n * sizeof(uint16_t))
            m.sample.n = n + view.n
            m.sample.empties = view.empties
            m.game = number
            m.seat = s.seat
            m.points = view.points
            m.guess = 0
            m.instead = -1
            m.sample.target = (x.candidate[i].outlook.points[s.seat] - view.points) / 10
            m.sample.final = 2 * NO_FINAL
            self.n = self.n + 1
        return True

    cdef bint room_for(self, int moments) noexcept nogil:
        cdef Moment* larger
        cdef int room
        if self.n + moments <= self.room:
            return True
        room = 2 * self.room + MAX_PLIES
        larger = <Moment*>realloc(self.moment, room * sizeof(Moment))
        if larger == NULL:
            return False
        self.moment = larger
        self.room = room
        return True

    cdef bint keep(self, int seat, float final, float decay) noexcept nogil:
        """Set the targets of a seat's game, from its end backwards, and add it to the list."""
        cdef Trace* t = &self.trace[seat]
        cdef Moment* x
        cdef float value = final
        cdef int i
        if t.n == 0:
            return True
        for i in range(t.n - 1, -1, -1):
            x = &t.moment[i]
            if i + 1 < t.n:
                value = decay * value + (1 - decay) * (
                    t.moment[i + 1].points + t.moment[i + 1].guess)
            if x.instead >= 0:
                value = x.instead
            x.sample.target = (value - x.points) / 10
            x.sample.final = (final - x.points) / 10
        if not self.room_for(t.n):
            return False
        memcpy(&self.moment[self.n], &t.moment[0], t.n * sizeof(Moment))
        self.n = self.n + t.n
        return True

    cdef bint play(self, Plan plan, uint64_t seed, int number, bint warm) noexcept nogil:
        """Play one game and keep its moments; False if there is no memory for them."""
        cdef Deal deal
        cdef State s
        cdef Node* turn
        cdef Beam* b = self.beam
        cdef const RuleTable* rules
        cdef int style[4]
        cdef Moment* last
        cdef int i, own, pick, seat, noted
        cdef float decay, expected = 0
        cdef bint searched, whim
        self.rng = rng_stream(seed, 3)      # the dealer has the first three
        rules = plan.table[draw(&self.rng, plan.share, plan.total)]
        for i in range(4):
            style[i] = BY_HAND if warm else BY_NET
        if not warm and rules.players > 1 and rng_next(&self.rng) >> 32 < plan.others:
            own = rng_below(&self.rng, rules.players)
            for i in range(rules.players):
                if i != own:
                    style[i] = draw(&self.rng, plan.style_share, plan.style_total)
        # A seat is noted once for every turn of anybody, so a round has several steps.
        decay = 1 if warm else <float>pow(plan.decay, 1.0 / rules.players)
        b.rules = rules
        b.net = &self.net
        b.hand = &self.hand
        b.width = plan.width
        b.most_turns = WHIMS
        b.limits.stop = &self.never
        b.limits.deadline = 0
        b.limits.most_nodes = <uint64_t>1 << 62
        for i in range(rules.players):
            self.trace[i].n = 0
        init_beam(b)
        if plan.looking and not warm:
            init_beam(self.memory.x.worker[0].beam)
        deal_start(&deal, rules, &s, seed)
        while s.phase != OVER:
            if s.phase != IN_TURN:
                deal_pending(&deal, rules, &s)
                continue
            seat = s.seat
            b.by = style[seat]
            searched = plan.looking and style[seat] == BY_NET and not warm
            if searched:
                turn = self.look(plan, rules, &s)
                expected = self.memory.x.candidate[0].outlook.points[seat]
                if not self.keep_searched(rules, &s, number):
                    return False
            whim = rng_next(&self.rng) >> 32 < plan.whim
            if whim or not searched:
                find_turns(b, &s)
                pick = 1 + rng_below(&self.rng, b.n_turns - 1) if whim and b.n_turns > 1 else 0
                # What led here must not be blamed for a whim.
                if pick and style[seat] == BY_NET and self.trace[seat].n:
                    self.trace[seat].moment[self.trace[seat].n - 1].instead = b.turn[0].value
                turn = &b.turn[pick]
            for i in range(turn.n):
                apply_action(rules, &s, turn.action[i])
            noted = self.trace[seat].n
            for i in range(rules.players):
                if warm or style[i] == BY_NET:
                    self.note(rules, &s, i, number)
            if searched and not whim and self.trace[seat].n > noted:
                # The look-ahead knows better what to expect.
                last = &self.trace[seat].moment[noted]
                last.guess = expected - last.points
            end_turn(rules, &s)
        for i in range(rules.players):
            if warm or style[i] == BY_NET:
                if not self.keep(i, player_points(rules, &s.player[i]), decay):
                    return False
        return True

    def moments(self):
        """All moments as tuples, for looking at them.

        (game, seat, points, guess, instead or None, target, final, active features); target and
        final are points still to come.
        """
        cdef Moment* x
        cdef int i, j
        found = []
        for i in range(self.n):
            x = &self.moment[i]
            active = tuple([x.sample.active[j] for j in range(x.sample.n)])
            found.append((x.game, x.seat, x.points, x.guess, x.instead if x.instead >= 0 else None,
                          10 * x.sample.target, 10 * x.sample.final, active))
        return found


cdef int draw(Rng* rng, const int* share, int total) noexcept nogil:
    """A number from 0 on, by shares."""
    cdef int pick = rng_below(rng, total), i = 0
    while pick >= share[i]:
        pick -= share[i]
        i += 1
    return i


def play_games(Plan plan not None, bytes net not None, uint64_t seed, int first, int count,
               bint warm=False):
    """Play the games number `first` and so on of the run with this seed.

    `net` is what Trainer.weights gives. In warm games every seat plays by the hand-made estimate,
    all seats are learned from, and targets are final points. Raises ValueError, MemoryError.
    """
    cdef Games games = Games()
    cdef int i
    if plan.looking and not warm:
        games.memory = Memory(1)
    cdef bint good = True
    if len(net) != sizeof(Net):
        raise ValueError("not the weights of this network")
    if first < 0 or not 0 <= count <= 1_000_000:
        raise ValueError(f"games: {count} from number {first} on are not 0 to 1,000,000 games")
    round_network(<const Net*><const char*>net, &games.net)
    with nogil:
        for i in range(count):
            good = good and games.play(plan, nth_seed(seed, first + i), first + i, warm)
    if not good:
        raise MemoryError
    return games
