"""Points and cube cells of a bare landscape, without a position around it."""

from harmonies_core.board cimport Board, clear_board, set_stack
from harmonies_core.grid cimport Mask, bit
from harmonies_core.habitats cimport habitat_cells
from harmonies_core.rules cimport Rules
from harmonies_core.scoring cimport Landscape, score_landscape
from harmonies_core.scoring cimport spirit_points as points_of_spirit

from harmonies_core.board import LEGAL_STACKS
from harmonies_core.errors import PositionError
from harmonies_core.grid import cell_name, parse_cell


cdef int cell_of(Rules rules, name) except -1:
    cdef int cell = parse_cell(name) if isinstance(name, str) else -1
    if cell < 0 or not rules.table.cells & bit(cell):
        raise PositionError(f"{ascii(name):.40} is not a cell of side {rules.side}")
    return cell


cdef int fill(Rules rules, Board* b, cells) except -1:
    cdef int cell
    clear_board(b, rules.table.side)
    for name, stack in cells.items():
        cell = cell_of(rules, name)
        if stack not in LEGAL_STACKS:
            raise PositionError(f"{name}: {ascii(stack):.40} is no legal stack")
        set_stack(b, bit(cell), stack)
    return 0


cdef int known(Rules rules, card, bint spirit) except -1:
    if isinstance(card, int) and 0 < card < 128 and rules.table.card[<int>card].exists:
        if not spirit or rules.table.card[<int>card].is_spirit:
            return card
    raise PositionError(
        f"no {'spirit' if spirit else 'card'} {ascii(card):.40} in {'+'.join(rules.packs)}"
    )


def landscape_points(Rules rules not None, cells):
    """Points of trees, mountains, fields, buildings and water.

    `cells` maps names to stacks, bottom to top; any number of tokens. Raises PositionError.
    """
    cdef Board b
    cdef Landscape land
    fill(rules, &b, cells)
    score_landscape(&land, &b, rules.table.side, rules.table.cells, rules.table.loop)
    return {"trees": land.trees, "mountains": land.mountains, "fields": land.fields,
            "buildings": land.buildings, "water": land.water}


def spirit_points(Rules rules not None, card, cells):
    """Points a spirit would add to this landscape. Raises PositionError."""
    cdef Board b
    fill(rules, &b, cells)
    return points_of_spirit(&rules.table.card[known(rules, card, True)].score, &b,
                            rules.table.cells)


def cube_cells(Rules rules not None, card, cells, cubes=()):
    """Names of the cells where a cube of the card could go; `cubes` names those that carry one."""
    cdef Board b
    cdef Mask taken = 0, m
    cdef int i
    fill(rules, &b, cells)
    for name in cubes:
        taken |= bit(cell_of(rules, name))
    m = habitat_cells(&rules.table.card[known(rules, card, False)].habitat, b.kind, ~taken)
    return tuple([cell_name(i) for i in range(64) if m & bit(i)])
