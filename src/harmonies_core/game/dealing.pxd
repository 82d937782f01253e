"""Dealers, for modules that look inside them."""

from harmonies_core.dealer cimport Deal
from harmonies_core.rules cimport Rules


cdef class Dealer:
    cdef Deal order
    cdef readonly Rules rules
    cdef readonly object seed
