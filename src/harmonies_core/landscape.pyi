"""Points and cube cells of a bare landscape, without a position around it."""

from collections.abc import Iterable, Mapping

from harmonies_core.rules import Rules

def landscape_points(rules: Rules, cells: Mapping[str, str]) -> dict[str, int]:
    """Points of trees, mountains, fields, buildings and water."""

def spirit_points(rules: Rules, card: int, cells: Mapping[str, str]) -> int:
    """Points a spirit would add to this landscape."""

def cube_cells(
    rules: Rules, card: int, cells: Mapping[str, str], cubes: Iterable[str] = ()
) -> tuple[str, ...]:
    """Names of the cells where a cube of the card could go."""
