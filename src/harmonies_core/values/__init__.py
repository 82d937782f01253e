"""What a position is worth."""
