"""The rules of a turn; for other extension modules only."""
