"""Points of one board, category by category, and of its cards (rules: Points, Cards)."""

from collections.abc import Collection, Mapping

from .cards import CARDS
from .geometry import all_cells, groups, neighbours
from .rivers import river_length, river_points
from .stacks import is_building, mountain_height, tree_height

Cells = Mapping[str, str]

SPIRIT_KINDS = {
    33: "groups", 34: "groups", 35: "count", 36: "count", 37: "groups",
    38: "groups", 39: "count", 40: "count", 41: "groups", 42: "count",
}  # fmt: skip


def cells_with(cells: Cells, stack: str) -> set[str]:
    """The cells holding exactly a stack."""
    return {cell for cell, here in cells.items() if here == stack}


def trees(cells: Cells) -> int:
    """L 1, TL 3, TTL 7; bare trunks nothing."""
    return sum([0, 1, 3, 7][tree_height(stack)] for stack in cells.values())


def mountains(side: str, cells: Cells) -> int:
    """M 1, MM 3, MMM 7, each only if a neighbour is a mountain."""
    points = 0
    for cell, stack in cells.items():
        if any(mountain_height(cells.get(near, "")) for near in neighbours(cell, side)):
            points += [0, 1, 3, 7][mountain_height(stack)]
    return points


def fields(side: str, cells: Cells) -> int:
    """5 per connected group of two or more fields, whatever its size."""
    return 5 * sum(len(group) >= 2 for group in groups(cells_with(cells, "F"), side))


def building_has_three_colours(cell: str, side: str, cells: Cells) -> bool:
    """Whether the top tokens of a cell's neighbours show at least three different colours."""
    tops = {cells[near][-1] for near in neighbours(cell, side) if cells.get(near)}
    return len(tops) >= 3


def buildings(side: str, cells: Cells) -> int:
    """5 per building with at least three colours around it."""
    return 5 * sum(
        is_building(stack) and building_has_three_colours(cell, side, cells)
        for cell, stack in cells.items()
    )


def water(side: str, cells: Cells, river: str = "diameter") -> int:
    """Side A: the best river. Side B: 5 per connected group of cells that are not water."""
    wet = cells_with(cells, "W")
    if side == "A":
        return river_points(river_length(wet, side, river))
    return 5 * len(groups(set(all_cells(side)) - wet, side))


def landscape(side: str, cells: Cells, river: str = "diameter") -> dict[str, int]:
    """The five landscape categories of a bare board."""
    return {
        "trees": trees(cells),
        "mountains": mountains(side, cells),
        "fields": fields(side, cells),
        "buildings": buildings(side, cells),
        "water": water(side, cells, river),
    }


def spirit_points(card_id: int, side: str, cells: Cells) -> int:
    """What a spirit gives for a board once its cube is placed."""
    field_groups = [len(group) for group in groups(cells_with(cells, "F"), side)]
    water_groups = [len(group) for group in groups(cells_with(cells, "W"), side)]
    built = {cell for cell, stack in cells.items() if is_building(stack)}
    building_groups = [len(group) for group in groups(built, side)]
    tree_heights = [tree_height(stack) for stack in cells.values()]
    mountain_heights = [mountain_height(stack) for stack in cells.values()]
    match card_id:
        case 33:  # Lion
            return sum(10 if size >= 3 else 2 for size in field_groups)
        case 34:  # Butterfly
            return 5 * len(field_groups)
        case 35:  # Elk
            return 4 * sum(height in (2, 3) for height in tree_heights)
        case 36:  # Owl
            return sum([0, 3, 3, 1][height] for height in tree_heights)
        case 37:  # Cat
            return 4 * len(building_groups)
        case 38:  # Stork
            return 6 * sum(size >= 2 for size in building_groups)
        case 39:  # Ram
            return 4 * sum(height in (2, 3) for height in mountain_heights)
        case 40:  # Beaver
            return sum([0, 3, 3, 1][height] for height in mountain_heights)
        case 41:  # Dragonfly
            return 7 * sum(size >= 2 for size in water_groups)
        case 42:  # Tortoise
            return 2 * sum(water_groups)
    raise ValueError(f"no spirit has the number {card_id}")


def animal_points(card_id: int, placed: int) -> int:
    """With k cubes placed the k-th value from the bottom, with none 0; complete or not."""
    return CARDS[card_id].points[placed - 1] if placed else 0


def board_scores(
    side: str,
    cells: Cells,
    hand: Mapping[int, int],
    cubes: Collection[str],
    river: str = "diameter",
) -> dict[str, int]:
    """All categories of one player, the total, and the number of cubes on the board.

    The hand maps every card the player has, chosen spirit included, to its cubes placed.
    """
    scores = landscape(side, cells, river)
    scores["animals"] = 0
    scores["spirit"] = 0
    for card_id, placed in hand.items():
        if CARDS[card_id].kind == "animal":
            scores["animals"] += animal_points(card_id, placed)
        elif placed:
            scores["spirit"] += spirit_points(card_id, side, cells)
    scores["total"] = sum(scores.values())
    scores["cubes"] = len(cubes)
    return scores
