"""One turn deep: the turn after which the expected points are highest."""

from libc.stdlib cimport calloc, free

from harmonies_core.game cimport Position
from harmonies_core.search.base cimport Searcher, find_candidates, found, set_noise, set_width
from harmonies_core.search.beam cimport BY_HAND, BY_NET, BY_NOW, BY_RUSH, MAX_TURNS, Beam, init_beam
from harmonies_core.search.limits cimport StopFlag
from harmonies_core.search.outlook cimport turn_outlook
from harmonies_core.search.utility cimport Outlook
from harmonies_core.values.handmade cimport Weights as HandWeights, default_weights


cdef dict STYLES = {"values": BY_NET, "handmade": BY_HAND, "points": BY_NOW, "rush": BY_RUSH}


# Beam: cards, nodes after tokens one, two, three; whether a cube may wait for a later token.
WIDTH = (6, 24, 24, 12, False)


cdef class Greedy(Searcher):
    """Ranks turns by the value function alone.

    `style` puts something simpler in its place, for training partners and measurements:
    "handmade" estimates, "points" on the board now, or "rush", which fills the board.
    """

    cdef Beam* beam
    cdef HandWeights hand
    cdef public str style
    cdef public tuple width     # WIDTH, or another one for measurements

    def __cinit__(self):
        self.beam = <Beam*>calloc(1, sizeof(Beam))
        if self.beam == NULL:
            raise MemoryError
        init_beam(self.beam)
        default_weights(&self.hand)
        self.style = "values"
        self.width = WIDTH

    def __dealloc__(self):
        free(self.beam)

    def think(self, Position position not None, limit, int multipv=1, StopFlag stop=None,
              on_info=None, only=None):
        """See Searcher."""
        cdef Beam* b = self.beam
        cdef Outlook outlook
        cdef int i
        init_beam(b)
        b.rules = &position.rules.table
        b.net = self.net(position)
        b.by = STYLES[self.style]
        b.hand = &self.hand
        cards, first, second, third, later = self.width
        set_width(&b.width, cards, first, second, third, later)
        if multipv > 8:
            set_width(&b.width, 6, 64, 64, 32, True)
        self.set_limits(&b.limits, limit, stop)
        set_noise(b, self, position)
        b.most_turns = max(1, min(MAX_TURNS, multipv))
        find_candidates(b, position, only)
        lines = []
        for i in range(b.n_turns):
            turn_outlook(b.rules, b.net, &position.state, &b.turn[i], &outlook)
            lines.append(found(position, &b.turn[i], &outlook))
        if on_info is not None:
            on_info(lines, 1, b.nodes)
        return lines, 1, b.nodes
