"""How many turns and placements there are."""

from harmonies_core.game.position import Position

def perft(position: Position, depth: int = 1, seed: int = 0) -> int:
    """Number of distinct turn sequences of `depth` turns, refills dealt with `seed`."""

def count_placements(position: Position) -> int:
    """Number of distinct (space, landscape) pairs after placing three tokens, no cubes or cards."""
