from harmonies_core.game import Position
from harmonies_core.values.network import Weights

def judgements(position: Position, weights: Weights) -> list[tuple[float, float]]:
    """Values of every placement of a first token: [(incremental, from scratch), ...], for tests."""
