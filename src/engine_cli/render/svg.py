"""A position as an SVG picture: boards with stacks of tokens, cards with their habitats.

Every cell of a board is one ``<polygon>``; no other thing is. Every drawn thing that needs
words for somebody who cannot see it carries a ``<title>``.
"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final

from engine_cli.render.labels import (
    describe_habitat,
    describe_rules,
    describe_state,
    is_to_move,
    values_text,
)

if TYPE_CHECKING:
    from harmonies_core.cards import Card
    from harmonies_core.game import HeldCard, Position

__all__ = ["render_svg"]

#: Top and side of a token.
_TOKENS: Final = {
    "W": ("#4a9bdc", "#2b6ca6"),
    "M": ("#a3a9ae", "#6d747a"),
    "T": ("#9a683f", "#6b4526"),
    "L": ("#6fb54a", "#467c2b"),
    "F": ("#f3cf4f", "#c39f26"),
    "R": ("#db5a45", "#9c3527"),
    "any": ("#e6ddca", "#b8ab8f"),  # what a building of a habitat may stand on
}
#: Top, left and right face of a cube.
_CUBES: Final = {
    "animal": ("#ffb35c", "#f08a24", "#c96a0c"),
    "spirit": ("#ffffff", "#dcdcd8", "#b4b4ae"),
}
_STYLE: Final = """
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; fill: #3c3a33; }
polygon { stroke: #bdb08f; stroke-width: 1.5; fill: #efe8d6; }
polygon.filled { fill: #dfe6c8; }
.panel { fill: #fbf8f0; stroke: #d8cfb8; }
.turn { stroke: #f08a24; stroke-width: 2.5; }
.card { fill: #ffffff; stroke: #cfc5ab; }
.complete { opacity: 0.55; }
.land { fill: #f4efe2; stroke: #cfc5ab; stroke-width: 0.8; }
.gap { fill: none; stroke: #cfc5ab; stroke-dasharray: 4 3; }
.h1 { font-size: 17px; font-weight: bold; }
.h2 { font-size: 13px; font-weight: bold; }
.small { font-size: 10px; }
.tiny { font-size: 7.5px; }
.cell { font-size: 8.5px; fill: #8d8263; text-anchor: middle; }
.value { font-size: 9.5px; text-anchor: end; }
.won { font-weight: bold; fill: #b8500a; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
"""

_R = 37.0  # from the centre of a cell to its corner
_STEP = _R * sqrt(3)  # from a cell to the one below
_PAD = 14.0
_CARD_W, _CARD_H, _CARD_GAP = 104.0, 82.0, 8.0
_SPACE_H = 56.0


def render_svg(position: "Position") -> str:
    """Draw a position as a whole SVG document."""
    rules = position.rules
    panels = [_Panel(position, seat) for seat in range(1, rules.players + 1)]
    across = min(2, len(panels))
    panel_w = panels[0].width
    middle_w = rules.spaces * (_CARD_W + _CARD_GAP) + (
        2 * (_CARD_W + _CARD_GAP) + _PAD if position.pair is not None else 0
    )
    state = describe_state(position)
    state = state[0].upper() + state[1:]
    width = max(across * (panel_w + _PAD), middle_w, 11 * len(state)) + _PAD
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
    ET.SubElement(root, "title").text = f"{describe_rules(position)}; {state}"
    ET.SubElement(root, "style").text = _STYLE
    _add(root, "rect", width="100%", height="100%", fill="#f1ebdd")
    _text(root, _PAD, 28, state, "h1")
    _text(root, _PAD, 46, describe_rules(position), "small")
    top = 58.0
    for start in range(0, len(panels), across):
        beside = panels[start : start + across]
        height = max(panel.height for panel in beside)
        for place, panel in enumerate(beside):
            panel.draw(root, _PAD + place * (panel_w + _PAD), top, height)
        top += height + _PAD
    top = _middle(root, position, top)
    root.set("viewBox", f"0 0 {_n(width)} {_n(top)}")
    root.set("width", _n(width))
    root.set("height", _n(top))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


class _Panel:
    """What belongs to one player: title, board and cards."""

    def __init__(self, position: "Position", seat: int) -> None:
        self.position = position
        self.seat = seat
        self.hand = position.hand(seat)
        columns = {name[0] for name in position.rules.cells}
        self.board_w = 1.5 * _R * (len(columns) - 1) + 2 * _R
        self.board_h = _STEP * max(
            int(name[1:]) - 0.5 * (_column(name) % 2 == 0) for name in position.rules.cells
        )
        self.board_h += _STEP / 2
        wanted = 3 * _CARD_W + 2 * _CARD_GAP  # room for three cards beside each other
        self.width = max(self.board_w, wanted) + 2 * _PAD
        self.per_row = int((self.width - 2 * _PAD + _CARD_GAP) // (_CARD_W + _CARD_GAP))
        rows = -(-len(self.hand) // self.per_row)
        self.height = 34 + self.board_h + 12 + rows * (_CARD_H + _CARD_GAP) + _PAD / 2

    def draw(self, parent: ET.Element, x: float, y: float, height: float) -> None:
        """Draw it all with its top left corner at (x, y)."""
        group = _add(parent, "g", transform=_move(x, y))
        to_move = is_to_move(self.position, self.seat)
        style = "panel turn" if to_move else "panel"
        _add(group, "rect", width=self.width, height=height, rx=10, class_=style)
        title = f"Seat {self.seat}" + (" (to move)" if to_move else "")
        _text(group, _PAD, 22, title, "h2")
        points = f"{self.position.score(self.seat).total} points"
        _text(group, self.width - _PAD, 22, points, "h2 end")
        self._board(group, (self.width - self.board_w) / 2, 34)
        for index, held in enumerate(self.hand):
            left = _PAD + (index % self.per_row) * (_CARD_W + _CARD_GAP)
            top = 34 + self.board_h + 12 + (index // self.per_row) * (_CARD_H + _CARD_GAP)
            _card(group, left, top, held.card, held)

    def _board(self, parent: ET.Element, x: float, y: float) -> None:
        stacks, cubes = self.position.stacks(self.seat), self.position.cubes(self.seat)
        board = _add(parent, "g", transform=_move(x, y), class_="board")
        for name in self.position.rules.cells:
            column = _column(name)
            centre_x = _R + 1.5 * _R * column
            centre_y = _STEP * (int(name[1:]) - 0.5 + 0.5 * (column % 2))
            stack, cube = stacks.get(name, ""), cubes.get(name, "")
            cell = _add(board, "g", transform=_move(centre_x, centre_y))
            words = [name, stack or "empty", *([f"{cube} cube"] if cube else [])]
            ET.SubElement(cell, "title").text = ", ".join(words)
            corners = " ".join(f"{_n(px)},{_n(py)}" for px, py in _corners(_R - 1))
            _add(cell, "polygon", points=corners, **({"class_": "filled"} if stack else {}))
            _text(cell, 0, _STEP / 2 - 4, name, "cell")
            _stack(cell, stack, cube, rx=20, base=9)


def _middle(root: ET.Element, position: "Position", top: float) -> float:
    """Central spaces and row; returns where the next thing below could begin."""
    bag = f"{sum(position.bag.values())} tokens in the bag: " + "  ".join(
        f"{token} {count}" for token, count in position.bag.items()
    )
    _text(root, _PAD, top + 14, "Central spaces", "h2")
    _text(root, _PAD + 130, top + 14, bag, "small")
    top += 22
    for number, tokens in enumerate(position.centre, start=1):
        x = _PAD + (number - 1) * (_CARD_W + _CARD_GAP)
        _space(root, x, top, f"{number}", tokens)
    if position.in_hand:
        x = _PAD + position.rules.spaces * (_CARD_W + _CARD_GAP)
        _space(root, x + _PAD, top, "in hand", position.in_hand)
    top += _SPACE_H + 12
    cards = position.rules.catalogue.cards
    _text(root, _PAD, top + 14, "Animal cards", "h2")
    deck = f"{len(position.unseen)} not seen yet"
    _text(root, _PAD + 130, top + 14, deck, "small")
    x = _PAD
    for place in position.row:
        if place is None:
            _add(root, "rect", x=x, y=top + 22, width=_CARD_W, height=_CARD_H, rx=6, class_="gap")
        else:
            _card(root, x, top + 22, cards[place])
        x += _CARD_W + _CARD_GAP
    if position.pair is not None:
        x += _PAD
        _text(root, x, top + 14, f"Spirits offered to seat {position.seat}", "h2")
        for spirit in position.pair:
            _card(root, x, top + 22, cards[spirit])
            x += _CARD_W + _CARD_GAP
    return top + 22 + _CARD_H + _PAD


def _space(parent: ET.Element, x: float, y: float, label: str, tokens: str) -> None:
    """A central space with its tokens beside each other."""
    group = _add(parent, "g", transform=_move(x, y))
    ET.SubElement(group, "title").text = f"{label}: {tokens or 'empty'}"
    style = "card" if tokens else "gap"
    _add(group, "rect", width=_CARD_W, height=_SPACE_H, rx=10, class_=style)
    _text(group, _CARD_W / 2, 13, label, "small middle")
    for index, token in enumerate(tokens):
        shift = (index - (len(tokens) - 1) / 2) * 31
        token_group = _add(group, "g", transform=_move(_CARD_W / 2 + shift, 36))
        _stack(token_group, token, "", rx=13.5, base=4)


def _card(
    parent: ET.Element, x: float, y: float, card: "Card", held: "HeldCard | None" = None
) -> None:
    """A card: name, habitat, values; the cubes still on it lie beside the values."""
    placed = held.placed if held is not None else 0
    complete = held is not None and held.complete
    style = {"class_": "complete"} if complete else {}
    group = _add(parent, "g", transform=_move(x, y), **style)
    words = [f"{card.id} {card.name}", describe_habitat(card), values_text(card)]
    if held is not None:
        words.append(f"{placed} of {card.cubes} cubes placed, {held.points} points")
    ET.SubElement(group, "title").text = "; ".join(words)
    _add(group, "rect", width=_CARD_W, height=_CARD_H, rx=6, class_="card")
    _text(group, 6, 13, f"{card.id} {_shortened(card.name, 14)}", "small")
    if card.score is None:
        _habitat(group, card, 4, 17, 66, 61)
        for number, value in enumerate(card.points, start=1):
            bottom = _CARD_H - 8 - (number - 1) * 11.5
            _text(group, _CARD_W - 18, bottom, str(value), _value_class(number, placed))
            if number > placed:
                _add_cube(group, _CARD_W - 10, bottom - 3.5, 4.5, "animal")
        return
    _habitat(group, card, 4, 17, 74, 44)
    if not placed:
        _add_cube(group, _CARD_W - 14, 38, 6, "spirit")
    if held is not None and placed:
        _text(group, _CARD_W - 8, 42, str(held.points), "value won")
    head, _, sizes = values_text(card).partition(", ")
    _text(group, _CARD_W / 2, _CARD_H - 13, _shortened(head, 24), "tiny middle")
    _text(group, _CARD_W / 2, _CARD_H - 4.5, _shortened(sizes, 24), "tiny middle")


def _shortened(text: str, most: int) -> str:
    """A text that has to fit; the whole of it is in the title of the card."""
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _value_class(number: int, placed: int) -> str:
    """The value that counts now stands out."""
    return "value won" if number == placed else "value"


def _habitat(
    parent: ET.Element, card: "Card", x: float, y: float, width: float, height: float
) -> None:
    """The habitat of a card, as large as fits into a box, in its middle."""
    cube = "spirit" if card.kind == "spirit" else "animal"
    cells = [(0, 0, card.cube_on, cube)]
    cells += [(other.q, other.r, other.stack, "") for other in card.others]
    # Places in units of the distance from the centre to a corner.
    places = [(1.5 * q, sqrt(3) * (r + q / 2)) for q, r, _, _ in cells]
    left, right = min(px for px, _ in places) - 1, max(px for px, _ in places) + 1
    half = sqrt(3) / 2
    top = min(py for _, py in places) - half - 0.35  # a high stack looks over its cell
    bottom = max(py for _, py in places) + half
    size = min(width / (right - left), height / (bottom - top), 15)
    group = _add(
        parent,
        "g",
        transform=_move(
            x + width / 2 - size * (left + right) / 2, y + height / 2 - size * (top + bottom) / 2
        ),
    )
    # From the back to the front, so that high stacks hide what is behind them.
    for (px, py), (_, _, stack, mark) in sorted(zip(places, cells, strict=True), key=_depth):
        cell = _add(group, "g", transform=_move(px * size, py * size))
        corners = [f"{_n(cx)} {_n(cy)}" for cx, cy in _corners(size * 0.97)]
        _add(cell, "path", d=f"M{' L'.join(corners)}Z", class_="land")
        _stack(cell, stack, mark, rx=size * 0.58, base=size * 0.36)


def _depth(entry: tuple[tuple[float, float], object]) -> float:
    return entry[0][1]


def _stack(parent: ET.Element, stack: str, cube: str, *, rx: float, base: float) -> None:
    """Tokens one on the other, the lowest at `base` below the centre, and the cube on top."""
    ry, thick = rx * 0.5, rx * 0.44
    tokens: Sequence[str] = ("any", "R") if stack == "BLD" else stack
    y = base
    for token in tokens:
        top, side = _TOKENS[token]
        y -= thick
        _add(
            parent,
            "path",
            d=(
                f"M{_n(-rx)} {_n(y)}V{_n(y + thick)}"
                f"A{_n(rx)} {_n(ry)} 0 0 0 {_n(rx)} {_n(y + thick)}V{_n(y)}Z"
            ),
            fill=side,
        )
        _add(parent, "ellipse", cy=y, rx=rx, ry=ry, fill=top, stroke=side, stroke_width=rx * 0.05)
    if cube:
        _add_cube(parent, 0, y - rx * 0.14, rx * 0.42, cube)


def _add_cube(parent: ET.Element, x: float, y: float, size: float, kind: str) -> None:
    """A cube seen from above one of its edges, its middle at (x, y)."""
    top, left, right = _CUBES[kind]
    wide, half = size * 0.87, size * 0.5
    group = _add(parent, "g", transform=_move(x, y), stroke="#5e4a2a", stroke_width=size * 0.07)
    group.set("class", f"{kind}-cube")
    faces = (
        (top, f"M0 {_n(-size)}L{_n(wide)} {_n(-half)}L0 0L{_n(-wide)} {_n(-half)}Z"),
        (left, f"M{_n(-wide)} {_n(-half)}L0 0V{_n(size)}L{_n(-wide)} {_n(half)}Z"),
        (right, f"M{_n(wide)} {_n(-half)}L0 0V{_n(size)}L{_n(wide)} {_n(half)}Z"),
    )
    for colour, path in faces:
        _add(group, "path", d=path, fill=colour)


def _corners(radius: float) -> list[tuple[float, float]]:
    """The corners of a flat-top hex around (0, 0)."""
    tall = radius * sqrt(3) / 2
    return [
        (radius, 0),
        (radius / 2, tall),
        (-radius / 2, tall),
        (-radius, 0),
        (-radius / 2, -tall),
        (radius / 2, -tall),
    ]


def _column(name: str) -> int:
    return ord(name[0]) - ord("a")


def _n(value: float) -> str:
    """A number as short as it is exact enough."""
    return f"{round(value, 2):g}"


def _move(x: float, y: float) -> str:
    return f"translate({_n(x)} {_n(y)})"


def _add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """A new element; ``class_`` and ``stroke_width`` stand for what Python cannot spell."""
    texts = {
        key.rstrip("_").replace("_", "-"): value if isinstance(value, str) else _n(value)
        for key, value in attributes.items()
    }
    return ET.SubElement(parent, tag, texts)


def _text(parent: ET.Element, x: float, y: float, text: str, style: str) -> None:
    _add(parent, "text", x=x, y=y, class_=style).text = text
