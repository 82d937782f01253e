"""The cards: the base table from the data, and the ten Pulse cards (rules: Cards, Pulse)."""

import json
from dataclasses import dataclass
from pathlib import Path

BASE_TABLE = Path(__file__).resolve().parent.parent / "data" / "cards.json"


@dataclass(frozen=True)
class Card:
    """One card: where its cube goes, what must lie around, and the points per cubes placed."""

    id: int
    name: str
    kind: str  # "animal" or "spirit"
    points: tuple[int, ...]  # points[k - 1] with k cubes placed; empty for spirits
    cube_on: str
    others: tuple[tuple[tuple[int, int], str], ...]  # ((q, r) from the cube cell, stack)
    mirrors: bool  # whether mirror images of the habitat count

    @property
    def cubes(self) -> int:
        """How many cubes lie on the card at first: one per value, one on a spirit."""
        return 1 if self.kind == "spirit" else len(self.points)


def _base_cards() -> list[Card]:
    """Cards 1-42 from the data."""
    table = json.loads(BASE_TABLE.read_text(encoding="utf-8"))
    return [
        Card(
            id=entry["id"],
            name=entry["name"],
            kind=entry["kind"],
            points=tuple(entry.get("points", ())),
            cube_on=entry["cube_on"],
            others=tuple(
                ((q, r), other["stack"]) for other in entry["others"] for q, r in [other["at"]]
            ),
            mirrors=False,
        )
        for entry in table["cards"]
    ]


def _pulse(
    id: int, name: str, points: tuple[int, ...], cube_on: str, *others: tuple[str, int, int]
) -> Card:
    """One line of the Pulse table; an other cell is (stack, q, r)."""
    return Card(
        id,
        name,
        "animal",
        points,
        cube_on,
        tuple(((q, r), stack) for stack, q, r in others),
        mirrors=True,
    )


PULSE_CARDS = [
    _pulse(43, "Piranha", (6, 13), "W", ("TTL", -1, 1), ("F", -2, 1)),
    _pulse(44, "Axolotl", (7, 16), "W", ("TL", -1, 0), ("MM", -1, 1)),
    _pulse(45, "Robin", (4, 10, 17), "BLD", ("M", -1, 0), ("L", -1, 1)),
    _pulse(46, "Seagull", (5, 11), "BLD", ("F", -1, 1), ("W", -2, 1)),
    _pulse(47, "Tiger", (3, 10, 16), "L", ("M", -1, 1), ("W", -2, 1)),
    _pulse(48, "Chameleon", (4, 8, 15), "L", ("W", -1, 0), ("F", 0, 1)),
    _pulse(49, "Camel", (4, 9, 16), "M", ("BLD", -1, 0), ("F", 0, 1)),
    _pulse(50, "Yak", (7, 16), "MM", ("F", -1, 0), ("W", 1, 0)),
    _pulse(51, "Panda", (5, 13), "F", ("M", -1, 0), ("TTL", -1, 1)),
    _pulse(52, "Beetle", (5, 12), "F", ("M", -1, 0), ("BLD", 1, 0)),
]

PACKS = {"base": _base_cards(), "pulse": PULSE_CARDS}
CARDS = {card.id: card for pack in PACKS.values() for card in pack}
SPIRITS = frozenset(card.id for card in CARDS.values() if card.kind == "spirit")


def animals_of(packs: tuple[str, ...]) -> set[int]:
    """The ids of all animal cards of some packs: the whole deck."""
    return {card.id for pack in packs for card in PACKS[pack] if card.kind == "animal"}
