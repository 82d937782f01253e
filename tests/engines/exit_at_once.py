"""Ends with exit status 7 before it says a word."""

import sys

sys.stderr.write("cannot load the book\n")
sys.exit(7)
