"""Every result one turn can have, by trying every order of actions (rules: A turn)."""

from collections.abc import Hashable

from .game import OracleGame

StateKey = Hashable


def state_key(game: OracleGame) -> StateKey:
    """All that a turn can change, frozen: two positions with one key go on alike."""
    player = game.player
    return (
        frozenset(player.cells.items()),
        frozenset(player.animal_cubes),
        frozenset(player.spirit_cubes),
        frozenset(player.hand.items()),
        tuple(game.centre),
        game.taken,
        game.in_hand,
        tuple(game.row),
        game.card_taken,
        game.discarded,
        game.pair,
    )


def all_turn_results(game: OracleGame) -> dict[StateKey, list[str]]:
    """Every position in which this turn may be ended, with one way to get there.

    The actions start at the position given, which must be in a turn, and stop before "end".
    Every order of actions is walked; a position reached a second time is not walked again.
    """
    if game.phase not in ("spirit", "turn"):
        raise ValueError("no turn is being played")
    seen = {state_key(game)}
    waiting: list[tuple[OracleGame, list[str]]] = [(game.copy(), [])]
    found: dict[StateKey, list[str]] = {}
    while waiting:
        here, actions = waiting.pop()
        legal = here.legal_actions()
        if "end" in legal:
            found[state_key(here)] = actions
        for action in sorted(legal - {"end"}):
            there = here.copy()
            there.perform(action)
            key = state_key(there)
            if key not in seen:
                seen.add(key)
                waiting.append((there, [*actions, action]))
    return found
