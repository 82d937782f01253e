"""Positions reached by random play."""

import random

from harmonies_core import Dealer, Position, Rules


def walk(rules: Rules, seed: int, turns: int, *, middle: bool = False) -> Position:
    """The position after some random turns, or before the end if the game ends earlier.

    Tokens are placed, cards taken and cubes put down at random; `middle` goes on for some
    actions of the next turn.
    """
    rng = random.Random(seed)
    dealer = Dealer(rules, seed)
    position = dealer.start()
    before = position.copy()
    for _ in range(turns):
        before = position.copy()
        while position.phase in ("spirit", "turn"):
            actions = position.actions()
            position.push_action(rng.choice(actions))
        if position.is_over():
            return before
        if position.phase == "chance":
            position.push_chance(dealer.deal(position))
    if middle:
        for _ in range(rng.randrange(1, 5)):
            actions = [action for action in position.actions() if action.kind != "end"]
            if actions:
                position.push_action(rng.choice(actions))
    return position
