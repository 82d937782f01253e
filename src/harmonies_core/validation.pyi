"""Whether a position can occur; for other extension modules only."""
