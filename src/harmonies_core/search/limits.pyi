class StopFlag:
    """Set from another thread to end a search; read without the GIL."""

    def set(self) -> None:
        """Ask the search to end."""
    def clear(self) -> None:
        """Make the flag ready for the next search."""
    def is_set(self) -> bool:
        """True once it has been set."""
