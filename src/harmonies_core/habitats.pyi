"""Expands a card's habitat over rotations (and mirrors, if its pack says so)."""

from collections.abc import Iterable

from harmonies_core.cards import HabitatCell

def orientations(others: Iterable[HabitatCell], mirrors: bool) -> list[list[tuple[int, int, str]]]:
    """Distinct sets of (q, r, stack) under the six rotations, and mirrored ones if asked."""
