"""A hand-made estimate of a player's points; for other extension modules only."""
