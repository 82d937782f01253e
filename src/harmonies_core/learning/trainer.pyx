"""TD learning of the value function from self-play: games, targets, replay memory, steps."""

from libc.math cimport fabsf, powf, sqrtf
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.rng cimport Rng, rng_below, rng_next, rng_stream
from harmonies_core.rules cimport Rules
from harmonies_core.search.beam cimport (
    BY_HAND, BY_NET, BY_NOW, BY_RUSH, Beam, Node, Width, find_turns, init_beam,
)
from harmonies_core.state cimport (
    IN_TURN, MAX_SEATS, OVER, RuleTable, State, apply_action, end_turn, player_points,
)
from harmonies_core.values.features cimport (
    N_FEATURES, Pace, View, pace_features, state_pace, view_player,
)
from harmonies_core.values.handmade cimport Weights as HandWeights, default_weights
from harmonies_core.values.network cimport (
    H1, H2, N_PARAMETERS, P_B1, P_B2, P_B3, P_W2, P_W3, Hidden, Net, pace_hidden, run_network,
)

cdef enum:
    LIST = 288              # active features of one sample, generously
    MAX_PLIES = 160


cdef struct Sample:
    uint16_t n
    uint16_t active[288]
    float points            # of the seat now
    float guess             # points to come as predicted when it was played
    float target            # tens of points to come, to learn from
    float final             # tens of points that came


cdef struct Trace:
    # One seat's samples of one game.
    int n
    Sample sample[160]
    float instead[160]      # expected final points if the next turn was a whim, else < 0


cdef class Trainer:
    """One network in training: parameters, Adam's moments, replay memory, generator."""

    cdef Net net            # what is trained
    cdef Net mean           # running mean of it: what plays
    cdef Net first          # Adam's moments
    cdef Net second
    cdef float* grad
    cdef Sample* memory
    cdef Trace* trace
    cdef Beam* beam
    cdef HandWeights hand
    cdef Rng rng
    cdef int never
    cdef readonly int capacity
    cdef readonly int filled
    cdef int next
    cdef readonly long steps
    cdef readonly long games
    cdef readonly double loss

    def __cinit__(self, uint64_t seed=0, int capacity=200_000):
        self.grad = <float*>calloc(N_PARAMETERS, sizeof(float))
        self.memory = <Sample*>calloc(capacity, sizeof(Sample))
        self.trace = <Trace*>calloc(MAX_SEATS, sizeof(Trace))
        self.beam = <Beam*>calloc(1, sizeof(Beam))
        if not self.grad or not self.memory or not self.trace or not self.beam:
            raise MemoryError
        self.capacity = capacity
        self.rng = rng_stream(seed, 0)
        default_weights(&self.hand)
        init_beam(self.beam)
        self.never = 0
        self.start()

    def __dealloc__(self):
        free(self.grad)
        free(self.memory)
        free(self.trace)
        free(self.beam)

    cdef float noise(self) noexcept nogil:
        """Roughly normal, deviation 1."""
        cdef float total = 0
        cdef int _
        for _ in range(12):
            total += <float>(rng_next(&self.rng) >> 40) / <float>(1 << 24)
        return total - 6

    cdef void start(self) noexcept nogil:
        cdef int i
        memset(&self.net, 0, sizeof(Net))
        for i in range(P_B1):
            self.net.p[i] = 0.08 * self.noise()
        for i in range(P_W2, P_B2):
            self.net.p[i] = 0.18 * self.noise()
        for i in range(P_W3, P_B3):
            self.net.p[i] = 0.1 * self.noise()
        self.net.p[P_B3] = 4
        self.net.p[P_B3 + 1] = 1
        self.mean = self.net

    cdef void record(self, const RuleTable* rules, const State* s, int seat) noexcept nogil:
        """Note the seat's own view at the end of the turn of the seat to move."""
        cdef Trace* t = &self.trace[seat]
        cdef Sample* x
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
        x = &t.sample[t.n]
        t.instead[t.n] = -1
        t.n += 1
        view_player(rules, &s.player[seat], pace.others, &view)
        n = pace_features(&pace, x.active)
        memcpy(&x.active[n], &view.active[0], view.n * sizeof(uint16_t))
        x.n = n + view.n
        x.points = view.points
        pace_hidden(&self.mean, &pace, &hidden)
        run_network(&self.mean, &hidden, &view, out)
        x.guess = 10 * out[0]

    cdef void remember(self, int seat, float final, float decay) noexcept nogil:
        """Targets from the end backwards, into the replay memory."""
        cdef Trace* t = &self.trace[seat]
        cdef Sample* x
        cdef float value = final
        cdef int i
        for i in range(t.n - 1, -1, -1):
            x = &t.sample[i]
            if i + 1 < t.n:
                value = decay * value + (1 - decay) * (
                    t.sample[i + 1].points + t.sample[i + 1].guess)
            if t.instead[i] >= 0:
                value = t.instead[i]
            x.target = (value - x.points) / 10
            x.final = (final - x.points) / 10
            self.memory[self.next] = x[0]
            self.next = (self.next + 1) % self.capacity
            if self.filled < self.capacity:
                self.filled = self.filled + 1

    cdef void play(
        self, const RuleTable* rules, uint64_t seed, const int* style, const Width* width,
        float decay, int whim, bint learn_all
    ) noexcept nogil:
        cdef Deal deal
        cdef State s
        cdef int i, pick, seat
        cdef Node* turn
        cdef Beam* x = self.beam
        x.rules = rules
        x.net = &self.mean
        x.hand = &self.hand
        x.limits.stop = &self.never
        x.limits.deadline = 0
        x.limits.most_nodes = <uint64_t>1 << 62
        x.width = width[0]
        for i in range(rules.players):
            self.trace[i].n = 0
        deal_start(&deal, rules, &s, seed)
        while s.phase != OVER:
            if s.phase != IN_TURN:
                deal_pending(&deal, rules, &s)
                continue
            seat = s.seat
            x.by = style[seat]
            x.most_turns = 8
            find_turns(x, &s)
            pick = 0
            if rng_below(&self.rng, 1000) < <unsigned int>whim and x.n_turns > 1:
                pick = 1 + rng_below(&self.rng, x.n_turns - 1)
                if style[seat] == BY_NET and self.trace[seat].n:
                    self.trace[seat].instead[self.trace[seat].n - 1] = x.turn[0].value
            turn = &x.turn[pick]
            for i in range(turn.n):
                apply_action(rules, &s, turn.action[i])
            for i in range(rules.players):
                if style[i] == BY_NET or learn_all:
                    self.record(rules, &s, i)
            end_turn(rules, &s)
        for i in range(rules.players):
            if style[i] == BY_NET or learn_all:
                self.remember(i, player_points(rules, &s.player[i]), decay)
        self.games = self.games + 1

    cdef void gradient(self, const Sample* x) noexcept nogil:
        """Add one sample's gradient of the squared errors."""
        cdef float h1[H1]
        cdef float h2[H2]
        cdef float d1[H1]
        cdef float d2[H2]
        cdef const float* row
        cdef float* g
        cdef float y0, y1, e0, e1, a
        cdef const float* p = &self.net.p[0]
        cdef int i, k
        memcpy(&h1[0], &p[P_B1], sizeof(h1))
        for i in range(x.n):
            row = &p[x.active[i] * H1]
            for k in range(H1):
                h1[k] += row[k]
        memcpy(&h2[0], &p[P_B2], sizeof(h2))
        for i in range(H1):
            a = h1[i] if h1[i] > 0 else <float>0.1 * h1[i]
            row = &p[P_W2 + i * H2]
            for k in range(H2):
                h2[k] += a * row[k]
        y0 = p[P_B3]
        y1 = p[P_B3 + 1]
        for k in range(H2):
            a = h2[k] if h2[k] > 0 else <float>0.1 * h2[k]
            y0 += a * p[P_W3 + k]
            y1 += a * p[P_W3 + H2 + k]
        e0 = y0 - x.target
        e1 = <float>0.1 * (y1 - fabsf(y0 - x.final))
        self.loss = self.loss + e0 * e0
        g = self.grad
        g[P_B3] += e0
        g[P_B3 + 1] += e1
        for k in range(H2):
            a = h2[k] if h2[k] > 0 else <float>0.1 * h2[k]
            g[P_W3 + k] += e0 * a
            g[P_W3 + H2 + k] += e1 * a
            d2[k] = (e0 * p[P_W3 + k] + e1 * p[P_W3 + H2 + k]) * (
                <float>1.0 if h2[k] > 0 else <float>0.1)
            g[P_B2 + k] += d2[k]
        for i in range(H1):
            a = h1[i] if h1[i] > 0 else <float>0.1 * h1[i]
            row = &p[P_W2 + i * H2]
            d1[i] = 0
            for k in range(H2):
                d1[i] += row[k] * d2[k]
            for k in range(H2):
                g[P_W2 + i * H2 + k] += a * d2[k]
            if h1[i] <= 0:
                d1[i] *= <float>0.1
            g[P_B1 + i] += d1[i]
        for i in range(x.n):
            g = &self.grad[x.active[i] * H1]
            for k in range(H1):
                g[k] += d1[k]

    cdef void step(self, int batch, float rate, float averaging) noexcept nogil:
        """One step of Adam on a batch drawn from the memory."""
        cdef float* p = &self.net.p[0]
        cdef float* q = &self.mean.p[0]
        cdef float* m = &self.first.p[0]
        cdef float* v = &self.second.p[0]
        cdef float* grad = self.grad
        cdef float g, scale = <float>1.0 / batch, c1, c2, keep
        cdef int i
        memset(grad, 0, N_PARAMETERS * sizeof(float))
        for i in range(batch):
            self.gradient(&self.memory[(rng_next(&self.rng) >> 11) % <uint64_t>self.filled])
        self.steps = self.steps + 1
        c1 = 1 - powf(0.9, self.steps)
        c2 = 1 - powf(0.999, self.steps)
        keep = averaging if self.steps > 1000 else <float>0.99
        for i in range(N_PARAMETERS):
            g = grad[i] * scale
            m[i] = <float>0.9 * m[i] + <float>0.1 * g
            v[i] = <float>0.999 * v[i] + <float>0.001 * g * g
            p[i] -= rate * (m[i] / c1) / (sqrtf(v[i] / c2) + <float>1e-7)
            q[i] = keep * q[i] + (1 - keep) * p[i]

    def play_games(
        self, list rules not None, list weights not None, int games, uint64_t first_seed,
        tuple width=(2, 6, 6, 4, False), double decay=0.7, int whim=20, int others=333,
        bint warm=False
    ):
        """Play games with the present weights and remember them.

        `rules` and `weights`: configurations and how often each, in per mille. `others` per mille
        of the games have another style on some seats.
        """
        cdef Width w
        cdef Rules r
        cdef int style[4]
        cdef int i, j, k, pick
        cdef uint64_t seed
        cdef float per_ply
        w.cards, w.first, w.second, w.third, w.cube_later = width
        for i in range(games):
            pick = rng_below(&self.rng, 1000)
            r = rules[-1]
            for j in range(len(rules)):
                pick -= weights[j]
                if pick < 0:
                    r = rules[j]
                    break
            for j in range(4):
                style[j] = BY_HAND if warm else BY_NET
            if not warm and r.table.players > 1 and rng_below(&self.rng, 1000) < <unsigned int>others:
                k = rng_below(&self.rng, r.table.players)
                for j in range(r.table.players):
                    if j != k:
                        style[j] = rng_below(&self.rng, 4)
            seed = first_seed + i
            per_ply = powf(1.0 if warm else decay, 1.0 / r.table.players)
            with nogil:
                self.play(&r.table, seed, style, &w, per_ply, whim, warm)

    def learn(self, int steps, int batch=256, double rate=1e-3, double averaging=0.999):
        """Steps of Adam; the root mean square error in points."""
        cdef int i
        if self.filled == 0:
            return 0.0
        self.loss = 0
        with nogil:
            for i in range(steps):
                self.step(batch, rate, averaging)
        return 10 * (self.loss / (<double>steps * batch)) ** 0.5

    def weights(self):
        """The parameters that play, as bytes."""
        return (<char*>&self.mean)[:sizeof(Net)]

    def state(self):
        """All that a checkpoint needs but the replay memory, as bytes."""
        return ((<char*>&self.net)[:sizeof(Net)] + (<char*>&self.mean)[:sizeof(Net)]
                + (<char*>&self.first)[:sizeof(Net)] + (<char*>&self.second)[:sizeof(Net)])

    def restore(self, bytes state, long steps, long games):
        """Go on from a checkpoint."""
        cdef const char* at = state
        if len(state) != 4 * sizeof(Net):
            raise ValueError("not a state of this network")
        memcpy(&self.net, at, sizeof(Net))
        memcpy(&self.mean, at + sizeof(Net), sizeof(Net))
        memcpy(&self.first, at + 2 * sizeof(Net), sizeof(Net))
        memcpy(&self.second, at + 3 * sizeof(Net), sizeof(Net))
        self.steps = steps
        self.games = games


def play_match(
    Rules rules not None, list players not None, int deals, uint64_t seed, bint rotate=True
):
    """Points of every player in every game: [(points of player 0, ...)], and nodes, turns.

    players: one (style, weights bytes or None, width) per seat; each deal is played in all
    rotations of the seats. Single-threaded; for measuring one-turn players.
    """
    cdef Beam* x = <Beam*>calloc(1, sizeof(Beam))
    cdef Net* nets = <Net*>calloc(4, sizeof(Net))
    cdef HandWeights hand
    cdef Deal deal
    cdef State s
    cdef Width widths[4]
    cdef int styles[4]
    cdef int i, game, turned, who, n = rules.table.players, never = 0
    cdef uint64_t nodes = 0, turns = 0
    cdef bytes data
    if x == NULL or nets == NULL:
        raise MemoryError
    default_weights(&hand)
    init_beam(x)
    for i in range(n):
        styles[i], weights, w = players[i]
        if weights is not None:
            data = weights
            if len(data) != sizeof(Net):
                raise ValueError("not the weights of this network")
            memcpy(&nets[i], <const char*>data, sizeof(Net))
        widths[i].cards, widths[i].first, widths[i].second, widths[i].third, \
            widths[i].cube_later = w
    x.rules = &rules.table
    x.hand = &hand
    x.limits.stop = &never
    x.limits.deadline = 0
    x.limits.most_nodes = <uint64_t>1 << 62
    x.most_turns = 1
    results = []
    for game in range(deals):
        for turned in range(n if rotate else 1):
            with nogil:
                deal_start(&deal, &rules.table, &s, seed + game)
                while s.phase != OVER:
                    if s.phase != IN_TURN:
                        deal_pending(&deal, &rules.table, &s)
                        continue
                    who = (s.seat + turned) % n
                    x.by = styles[who]
                    x.net = &nets[who]
                    x.width = widths[who]
                    find_turns(x, &s)
                    nodes += x.nodes
                    turns += 1
                    for i in range(x.turn[0].n):
                        apply_action(&rules.table, &s, x.turn[0].action[i])
                    end_turn(&rules.table, &s)
            results.append(tuple([
                player_points(&rules.table, &s.player[(who - turned + n) % n]) for who in range(n)
            ]))
    free(x)
    free(nets)
    return results, nodes, turns
