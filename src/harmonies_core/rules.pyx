"""What is agreed before a game, with its cards compiled for the side."""

from libc.string cimport memset

from harmonies_core.grid cimport side_cells
from harmonies_core.habitats cimport compile_habitat
from harmonies_core.scoring cimport (
    BY_COUNT, BY_GROUPS, OF_BUILDING, OF_FIELD, OF_MOUNTAIN, OF_TREE, OF_WATER,
)
from harmonies_core.state cimport CardData, flip_in_set

from harmonies_core.cards import Catalogue, Pack, builtin_pack
from harmonies_core.errors import RulesError
from harmonies_core.grid import SIDE_COLUMNS, cell_names, neighbour_names

SCORE_BY = {"groups": BY_GROUPS, "count": BY_COUNT}
SCORE_OF = {"F": OF_FIELD, "W": OF_WATER, "BLD": OF_BUILDING, "tree": OF_TREE,
            "mountain": OF_MOUNTAIN}
RIVERS = ("diameter", "loop")


cdef class Rules:
    """What is agreed before a game. Immutable and hashable.

    players is 1 to 4, and 1 is solo mode; side is "A" or "B"; packs are names of built-in packs
    or Pack objects; river is "diameter" (RULES, "Points") or "loop" (the parity mode).
    Raises RulesError.
    """

    def __init__(self, players=2, side="A", *, spirits=False, packs=("base",), river="diameter"):
        if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= 4:
            raise RulesError(f"players: {ascii(players):.40} is not a number from 1 to 4")
        if not isinstance(side, str) or side not in SIDE_COLUMNS:
            raise RulesError(f"side: {ascii(side):.40} is not A or B")
        if not isinstance(spirits, bool):
            raise RulesError(f"spirits: {ascii(spirits):.40} is not True or False")
        if river not in RIVERS:
            raise RulesError(f"river: {ascii(river):.40} is not one of {', '.join(RIVERS)}")
        if isinstance(packs, (str, Pack)):
            packs = (packs,)
        if not isinstance(packs, (list, tuple)) or not all(
            isinstance(pack, (str, Pack)) for pack in packs
        ):
            raise RulesError("packs: a list of names or Pack objects expected")
        if not packs:
            raise RulesError("packs: at least one is needed")
        self.players = players
        self.side = str(side)
        self.spirits = bool(spirits)
        self.river = river
        self.pack_objects = tuple(
            pack if isinstance(pack, Pack) else builtin_pack(pack) for pack in packs
        )
        self.catalogue = Catalogue(self.pack_objects)
        self.packs = tuple(self.catalogue.packs)
        self._compile()
        animals, spirit_cards = self.catalogue.animals, self.catalogue.spirits
        if len(animals) < self.table.spaces:
            raise RulesError(
                f"packs: {'+'.join(self.packs)} has {len(animals)} animal cards, "
                f"the row needs {self.table.spaces}"
            )
        if self.spirits and len(spirit_cards) < 2 * players:
            raise RulesError(
                f"packs: {'+'.join(self.packs)} has {len(spirit_cards)} spirits, "
                f"{players} players need {2 * players}"
            )

    def _compile(self):
        cdef CardData* data
        cdef int i
        memset(&self.table, 0, sizeof(RuleTable))
        self.table.side = 0 if self.side == "A" else 1
        self.table.cells = side_cells(self.table.side)
        self.table.players = self.players
        self.table.solo = self.players == 1
        self.table.spaces = 3 if self.table.solo else 5
        self.table.spirits = self.spirits
        self.table.loop = self.river == "loop"
        for card in (*self.catalogue.animals, *self.catalogue.spirits):
            data = &self.table.card[card.id]
            data.exists = 1
            data.is_spirit = card.kind == "spirit"
            data.n_cubes = card.cubes
            if card.kind == "spirit":
                data.score.by = SCORE_BY[card.score.by]
                data.score.of = SCORE_OF[card.score.of]
                data.score.n = len(card.score.points)
                for i in range(data.score.n):
                    data.score.points[i] = card.score.points[i]
            else:
                for i, points in enumerate(card.points):
                    data.points[i + 1] = points
                flip_in_set(self.table.animals, card.id)
            compile_habitat(&data.habitat, card, self.table.side)

    @property
    def solo(self):
        """True with one player."""
        return self.players == 1

    @property
    def spaces(self):
        """Number of central spaces, and of places in the row: 5, in solo mode 3."""
        return self.table.spaces

    @property
    def cells(self):
        """Names of all cells, column by column from the left, top to bottom."""
        return cell_names(self.side)

    @property
    def columns(self):
        """Number of cells in each column, from the left."""
        return SIDE_COLUMNS[self.side]

    def neighbours(self, cell):
        """Names of the cells next to one; ValueError if it is not on this side."""
        return neighbour_names(self.side, cell)

    def _identity(self):
        return (self.players, self.side, self.spirits, self.river, self.pack_objects)

    def __eq__(self, other):
        if not isinstance(other, Rules):
            return NotImplemented
        return self._identity() == (<Rules>other)._identity()

    def __hash__(self):
        return hash((self.players, self.side, self.spirits, self.river, self.packs))

    def __repr__(self):
        return (f"Rules(players={self.players}, side={self.side!r}, spirits={self.spirits}, "
                f"packs={self.packs!r}, river={self.river!r})")

    def __reduce__(self):
        return _rebuild, self._identity()


def _rebuild(players, side, spirits, river, packs):
    return Rules(players, side, spirits=spirits, river=river, packs=packs)
