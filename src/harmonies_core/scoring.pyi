"""Points of a landscape by category; for other extension modules only."""
