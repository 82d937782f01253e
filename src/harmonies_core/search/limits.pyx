"""When a search must end."""


cdef class StopFlag:
    """Set from another thread to end a search; read without the GIL."""

    def __cinit__(self):
        self.flag = 0

    def set(self):
        """Ask the search to end."""
        self.flag = 1

    def clear(self):
        """Make the flag ready for the next search."""
        self.flag = 0

    def is_set(self):
        """True once it has been set."""
        return self.flag != 0
