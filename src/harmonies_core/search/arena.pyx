"""Matches between searchers inside one process, for measuring."""

import time

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from harmonies_core.dealer cimport Deal, deal_pending, deal_start
from harmonies_core.rules cimport Rules
from harmonies_core.search.beam cimport Beam, Width, find_turns, init_beam
from harmonies_core.search.expectimax cimport Memory, Plan, look_ahead
from harmonies_core.search.clock cimport now
from harmonies_core.state cimport IN_TURN, OVER, State, apply_action, end_turn, player_points
from harmonies_core.values.handmade cimport Weights as HandWeights, default_weights
from harmonies_core.values.network cimport Net


cdef void read_width(tuple w, Width* out):
    out.cards, out.first, out.second, out.third, out.cube_later = w


cdef class Contestant:
    """A player in a match: a style of one-turn play, or a look-ahead over it."""

    cdef readonly str name
    cdef Net net
    cdef int by
    cdef Width width
    cdef Memory memory
    cdef Plan plan
    cdef double movetime
    cdef Beam* beam
    cdef HandWeights hand
    cdef readonly long nodes
    cdef readonly long turns
    cdef readonly double seconds
    cdef readonly long samples

    def __cinit__(self, str name, int by, bytes weights, tuple width, dict plan=None):
        self.name = name
        self.by = by
        self.beam = <Beam*>calloc(1, sizeof(Beam))
        if self.beam == NULL:
            raise MemoryError
        init_beam(self.beam)
        if weights is not None:
            if len(weights) != sizeof(Net):
                raise ValueError("not the weights of this network")
            memcpy(&self.net, <const char*>weights, sizeof(Net))
        default_weights(&self.hand)
        read_width(width, &self.width)
        self.memory = None
        if plan is not None:
            self.memory = Memory()
            read_width(plan["root"], &self.plan.root)
            read_width(plan["reply"], &self.plan.reply)
            self.plan.candidates = plan["candidates"]
            self.plan.samples = plan["samples"]
            self.plan.halve = plan.get("halve", 4)
            self.movetime = plan.get("movetime", 0) / 1000
            self.memory.x.objective = plan["objective"]

    def __dealloc__(self):
        free(self.beam)

    cdef void move(self, Rules rules, State* s, uint64_t seed):
        cdef int never = 0, i
        cdef Beam* b = self.beam
        began = time.perf_counter()
        if self.memory is None:
            b.rules = &rules.table
            b.net = &self.net
            b.by = self.by
            b.hand = &self.hand
            b.width = self.width
            b.limits.stop = &never
            b.limits.deadline = 0
            b.limits.most_nodes = <uint64_t>1 << 62
            b.most_turns = 1
            with nogil:
                find_turns(b, s)
            self.nodes += b.nodes
            for i in range(b.turn[0].n):
                apply_action(&rules.table, s, b.turn[0].action[i])
        else:
            self.memory.x.rules = &rules.table
            self.memory.x.net = &self.net
            self.memory.x.limits.stop = &never
            self.memory.x.limits.deadline = now() + self.movetime if self.movetime else 0
            self.memory.x.limits.most_nodes = <uint64_t>1 << 62
            self.memory.x.seed = seed
            self.memory.x.nodes = 0
            self.memory.x.keep = 2
            with nogil:
                look_ahead(self.memory.x, s, &self.plan)
            self.nodes += self.memory.x.nodes
            self.samples += self.memory.x.candidate[0].done
            for i in range(self.memory.x.candidate[0].turn.n):
                apply_action(&rules.table, s, self.memory.x.candidate[0].turn.action[i])
        end_turn(&rules.table, s)
        self.turns += 1
        self.seconds += time.perf_counter() - began


def match(Rules rules not None, list players not None, int deals, uint64_t seed, bint rotate=True):
    """Points in every game, one tuple a game in the order of `players`.

    Each deal is played in all rotations of the seats.
    """
    cdef Deal deal
    cdef State s
    cdef int game, turned, who, n = rules.table.players
    cdef Contestant c
    results = []
    for game in range(deals):
        for turned in range(n if rotate else 1):
            deal_start(&deal, &rules.table, &s, seed + game)
            while s.phase != OVER:
                if s.phase != IN_TURN:
                    deal_pending(&deal, &rules.table, &s)
                    continue
                c = players[(s.seat + turned) % n]
                c.move(rules, &s, (seed + game) * 1000 + s.turn * 7 + s.seat)
            results.append(tuple([
                player_points(&rules.table, &s.player[(who - turned + n) % n]) for who in range(n)
            ]))
    return results
