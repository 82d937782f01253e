"""The public Python objects in one place, for modules that look inside them."""

from harmonies_core.game.actions cimport Turn, make_turn
from harmonies_core.game.dealing cimport Dealer
from harmonies_core.game.position cimport Position, canonical_turn
