"""Rivers of side A: their length in both modes, and its points (rules: Points, Parity mode)."""

from collections.abc import Collection

from .geometry import groups, neighbours


def distances(start: str, group: set[str], side: str) -> dict[str, int]:
    """Shortest-path length from a cell to every cell of its group, counted in cells."""
    length = {start: 1}
    queue = [start]
    for cell in queue:
        for neighbour in neighbours(cell, side):
            if neighbour in group and neighbour not in length:
                length[neighbour] = length[cell] + 1
                queue.append(neighbour)
    return length


def diameter_length(group: set[str], side: str) -> int:
    """The largest shortest-path length over all pairs of cells of one group, in cells."""
    return max(max(distances(cell, group, side).values()) for cell in group)


def loop_length(group: set[str], side: str) -> int:
    """The longest loop the depth-first walk of the parity mode finds in one group, else 0."""
    start = min(group)  # names sort by column, then by row
    visited = {start}
    found = [0]

    def walk(cell: str, came_from: str, depth: int) -> None:
        for neighbour in neighbours(cell, side):
            if neighbour not in group or neighbour == came_from:
                continue
            if neighbour == start and depth > 2:
                found.append(depth)
            if neighbour not in visited:
                visited.add(neighbour)
                walk(neighbour, cell, depth + 1)

    walk(start, "", 1)
    return max(found)


def river_length(water: Collection[str], side: str, river: str = "diameter") -> int:
    """Length of the best river: by shortest paths, in mode "loop" by the loop walk as well."""
    best = 0
    for group in groups(water, side):
        best = max(best, diameter_length(group, side))
        if river == "loop":
            best = max(best, loop_length(group, side))
    return best


def river_points(length: int) -> int:
    """0-1: 0, 2: 2, 3: 5, 4: 8, 5: 11, 6: 15, each further cell 4 more."""
    if length <= 6:
        return [0, 0, 2, 5, 8, 11, 15][length]
    return 15 + 4 * (length - 6)
