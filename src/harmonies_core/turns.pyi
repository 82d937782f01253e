"""All distinct turns of a position; for other extension modules only."""
