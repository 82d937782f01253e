"""Cells of sides A and B: names, columns."""

SIDE_COLUMNS: dict[str, tuple[int, ...]]

def cell_name(cell: int) -> str:
    """Name of a bit index, e.g. "c3"."""

def parse_cell(name: str) -> int:
    """Bit index of a name on either side, -1 if it is no cell name."""

def cell_names(side: str) -> tuple[str, ...]:
    """Names of all cells of side "A" or "B", column by column, top to bottom."""

def neighbour_names(side: str, name: str) -> tuple[str, ...]:
    """Names of the cells next to `name` on that side, in the order of `cell_names`."""
