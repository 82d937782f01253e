"""The two boards: cells, neighbours, connected groups and axial coordinates (rules: Boards)."""

from collections.abc import Collection

CELLS_PER_COLUMN = {"A": (5, 4, 5, 4, 5), "B": (4, 3, 4, 3, 4, 3, 4)}

# Steps to the neighbours in the order N, NW, SW, S, SE, NE. Odd columns sit half a cell lower.
EVEN_COLUMN_STEPS = ((0, -1), (-1, -1), (-1, 0), (0, 1), (1, 0), (1, -1))
ODD_COLUMN_STEPS = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))


def cell_name(column: int, row: int) -> str:
    """Name the cell of a 0-based column and row: (2, 0) is "c1"."""
    return "abcdefg"[column] + str(row + 1)


def column_and_row(cell: str) -> tuple[int, int]:
    """The 0-based column and row of a cell: "c1" is (2, 0)."""
    return "abcdefg".index(cell[0]), int(cell[1:]) - 1


def on_board(column: int, row: int, side: str) -> bool:
    """Whether a column and row exist on a side."""
    heights = CELLS_PER_COLUMN[side]
    return 0 <= column < len(heights) and 0 <= row < heights[column]


def all_cells(side: str) -> list[str]:
    """All cells of a side, columns from left to right, rows from top to bottom."""
    return [
        cell_name(column, row)
        for column, height in enumerate(CELLS_PER_COLUMN[side])
        for row in range(height)
    ]


def neighbours(cell: str, side: str) -> list[str]:
    """The neighbours of a cell in the order N, NW, SW, S, SE, NE, those off the board left out."""
    column, row = column_and_row(cell)
    steps = ODD_COLUMN_STEPS if column % 2 else EVEN_COLUMN_STEPS
    return [
        cell_name(column + across, row + down)
        for across, down in steps
        if on_board(column + across, row + down, side)
    ]


def groups(cells: Collection[str], side: str) -> list[set[str]]:
    """The connected components of a set of cells."""
    unseen = set(cells)
    found = []
    while unseen:
        group: set[str] = set()
        waiting = [unseen.pop()]
        while waiting:
            cell = waiting.pop()
            group.add(cell)
            for neighbour in neighbours(cell, side):
                if neighbour in unseen:
                    unseen.remove(neighbour)
                    waiting.append(neighbour)
        found.append(group)
    return found


def to_axial(cell: str) -> tuple[int, int]:
    """The axial coordinates (q, r) of a cell: q = column, r = row - (column - column % 2) / 2."""
    column, row = column_and_row(cell)
    return column, row - (column - column % 2) // 2


def from_axial(q: int, r: int, side: str) -> str | None:
    """The cell at axial (q, r), or None off the board."""
    row = r + (q - q % 2) // 2
    return cell_name(q, row) if on_board(q, row, side) else None
