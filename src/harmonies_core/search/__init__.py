"""Algorithms that choose a turn, behind one door (searcher)."""
