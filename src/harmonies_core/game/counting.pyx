"""How many turns and placements there are."""

from harmonies_core.game.position cimport Position
from harmonies_core.state cimport IN_TURN
from harmonies_core.turns cimport placements

from harmonies_core.errors import PositionError, StoppedError
from harmonies_core.game.dealing import Dealer


def perft(Position position not None, depth=1, seed=0, *, stop=None):
    """Number of distinct turn sequences of `depth` turns, refills dealt with `seed`.

    Whole turns count by the position they lead to; a finished game has none. `stop` is called
    before every turn that is played; when it says True, StoppedError is raised.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= 9:
        raise PositionError(f"depth: {ascii(depth):.40} is not a number from 0 to 9")
    if depth == 0:
        return 1
    turns = position.turns()
    if depth == 1:
        return len(turns)
    total = 0
    dealer = Dealer.for_position(position, seed)
    for turn in turns:
        if stop is not None and stop():
            raise StoppedError("perft was stopped")
        after = position.copy()
        after.push(turn)
        rest = dealer.copy()
        if after.phase == "chance":
            after.push_chance(rest.deal(after))
        total += perft(after, depth - 1, seed, stop=stop)
    return total


def count_placements(Position position not None):
    """Number of distinct (space, landscape) pairs after placing three tokens, no cubes or cards."""
    cdef unsigned long long n
    if position.state.phase != IN_TURN or position.state.progress.space:
        raise PositionError("placements are counted from the start of a turn")
    with nogil:
        n = placements(&position.rules.table, &position.state)
    return n
