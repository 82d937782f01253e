"""Cells of sides A and B: names, columns, bit masks."""

SIDE_COLUMNS = {"A": (5, 4, 5, 4, 5), "B": (4, 3, 4, 3, 4, 3, 4)}


cdef int column_height(int side, int column) noexcept nogil:
    if side == 0:
        return (5 - (column & 1)) if column < 5 else 0
    return (4 - (column & 1)) if column < 7 else 0


cdef Mask side_cells(int side) noexcept nogil:
    """All cells of side A (0) or B (1)."""
    cdef Mask m = 0
    cdef int column, row
    for column in range(7):
        for row in range(column_height(side, column)):
            m |= bit(cell_index(column, row))
    return m


cdef int cell_index(int column, int row) noexcept nogil:
    """Bit index of a cell; column and row 0-based."""
    return 8 * column + row - column // 2 + 3


cdef int cell_column(int cell) noexcept nogil:
    return cell >> 3


cdef int cell_row(int cell) noexcept nogil:
    return (cell & 7) - 3 + (cell >> 3) // 2


def cell_name(int cell) -> str:
    """Name of a bit index, e.g. "c3"."""
    return "abcdefgh"[cell_column(cell)] + str(cell_row(cell) + 1)


def parse_cell(str name) -> int:
    """Bit index of a name on either side, -1 if it is no cell name."""
    if len(name) != 2:
        return -1
    column = "abcdefg".find(name[0])
    row = "12345".find(name[1])
    if column < 0 or row < 0:
        return -1
    if row >= max(column_height(0, column), column_height(1, column)):
        return -1
    return cell_index(column, row)


def cell_names(str side) -> tuple[str, ...]:
    """Names of all cells of side "A" or "B", column by column, top to bottom."""
    return tuple(
        "abcdefg"[column] + str(row + 1)
        for column, height in enumerate(SIDE_COLUMNS[side])
        for row in range(height)
    )


def neighbour_names(str side, str name) -> tuple[str, ...]:
    """Names of the cells next to `name` on that side, in the order of `cell_names`."""
    cdef Mask cells = side_cells(0 if side == "A" else 1)
    cdef int cell = parse_cell(name)
    if cell < 0 or not cells & bit(cell):
        raise ValueError(f"{name} is not a cell of side {side}")
    cdef Mask m = neighbours(bit(cell), cells)
    names = []
    while m:
        names.append(cell_name(lowest(m)))
        m &= m - 1
    return tuple(names)
