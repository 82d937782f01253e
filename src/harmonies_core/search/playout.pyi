"""Random play of whole games, as fast as it goes."""

from harmonies_core.rules import Rules

def random_games(rules: Rules, games: int, seed: int = 0) -> tuple[int, int]:
    """Play whole random games; (turns, points of all seats together)."""
