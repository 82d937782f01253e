"""Where the next cube of a card may go (rules: Cubes)."""

from collections.abc import Collection, Mapping
from functools import cache

from .cards import CARDS, Card
from .geometry import all_cells, from_axial, to_axial
from .stacks import stack_matches

Habitat = tuple[tuple[tuple[int, int], str], ...]


def rotated(habitat: Habitat) -> Habitat:
    """Turn a habitat by 60 degrees clockwise about the cube cell: (q, r) becomes (-r, q + r)."""
    return tuple(((-r, q + r), stack) for (q, r), stack in habitat)


def mirrored(habitat: Habitat) -> Habitat:
    """One mirror image of a habitat: (q, r) becomes (r, q). With the rotations it gives all six."""
    return tuple(((r, q), stack) for (q, r), stack in habitat)


@cache
def orientations(card: Card) -> frozenset[Habitat]:
    """All orientations that count: six rotations, and their mirror images if the card says so."""
    found = set()
    for start in [card.others, mirrored(card.others)] if card.mirrors else [card.others]:
        habitat = start
        for _ in range(6):
            found.add(tuple(sorted(habitat)))
            habitat = rotated(habitat)
    return frozenset(found)


def habitat_is_present(habitat: Habitat, cell: str, side: str, cells: Mapping[str, str]) -> bool:
    """Whether every other cell of a habitat lies on the board around a cube cell, exactly."""
    q0, r0 = to_axial(cell)
    for (q, r), required in habitat:
        other = from_axial(q0 + q, r0 + r, side)
        if other is None or not stack_matches(cells.get(other, ""), required):
            return False
    return True


def cube_cells(
    card: Card | int, side: str, cells: Mapping[str, str], cubes: Collection[str] = frozenset()
) -> set[str]:
    """The cells where a cube of a card could go: habitat there now, no cube on the cube cell.

    Only the cube cell must be free of a cube; the other cells may carry one.
    """
    if isinstance(card, int):
        card = CARDS[card]
    return {
        cell
        for cell in all_cells(side)
        if cell not in cubes
        and stack_matches(cells.get(cell, ""), card.cube_on)
        and any(habitat_is_present(h, cell, side, cells) for h in orientations(card))
    }
