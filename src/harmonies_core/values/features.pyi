from harmonies_core.game import Position

def active_features(position: Position, seat: int) -> list[int]:
    """Features of a seat (from 1) between two turns, the seat to move being next."""
