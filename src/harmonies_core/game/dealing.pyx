"""The dealer, who knows the hidden part of a game and deals from it."""

from harmonies_core.dealer cimport checked_seed, deal_pending, deal_start, shuffle_deal
from harmonies_core.game.position cimport Position
from harmonies_core.grid cimport popcount
from harmonies_core.notation cimport chance_text
from harmonies_core.state cimport CHANCE, State, bag_total, init_state, pending_pair

from harmonies_core.errors import PositionError


cdef class Dealer:
    """The hidden part: the order of bag, deck and spirits, from a seed (docs/notation.md)."""

    def __init__(self, Rules rules not None, seed=0):
        cdef State s
        self.rules = rules
        self.seed = checked_seed(seed)
        init_state(&rules.table, &s)
        shuffle_deal(&self.order, &rules.table, &s, self.seed)

    @classmethod
    def for_position(cls, Position position not None, seed=0):
        """Deals on from a position: shuffles what is unseen."""
        cdef Dealer dealer = Dealer.__new__(Dealer)
        dealer.rules = position.rules
        dealer.seed = checked_seed(seed)
        shuffle_deal(&dealer.order, &dealer.rules.table, &position.state, dealer.seed)
        return dealer

    def start(self):
        """The first position of the deal; the dealer then goes on from there."""
        cdef Position position = Position.__new__(Position)
        position.rules = self.rules
        deal_start(&self.order, &self.rules.table, &position.state, self.seed)
        return position

    def deal(self, Position position not None):
        """What comes next for a position in phase "chance", as text for push_chance."""
        cdef State after = position.state
        if position.rules != self.rules:
            raise PositionError("the dealer was made for other rules")
        if position.state.phase != CHANCE:
            raise PositionError("nothing is to be dealt")
        if (self.order.n_tokens - self.order.next_token != bag_total(&position.state)
                or self.order.n_cards - self.order.next_card
                != popcount(position.state.unseen[0]) + popcount(position.state.unseen[1])):
            raise PositionError("the position is not one that this dealer dealt")
        if (pending_pair(&self.rules.table, &position.state)
                and self.order.next_spirit + 2 > self.order.n_spirits):
            raise PositionError("no spirits are left to deal")
        deal_pending(&self.order, &self.rules.table, &after)
        return chance_text(self.rules, &position.state, &after)

    def copy(self):
        """A dealer that goes on in the same way."""
        cdef Dealer other = Dealer.__new__(Dealer)
        other.rules = self.rules
        other.seed = self.seed
        other.order = self.order
        return other

    def __repr__(self):
        return f"Dealer({self.rules!r}, seed={self.seed})"
