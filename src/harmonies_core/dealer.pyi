"""The hidden part of a game; for other extension modules only."""
