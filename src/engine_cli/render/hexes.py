r"""Hexes drawn with characters, for boards and habitats alike.

A cell is two lines high, so the half-cell shift of every second column is one line::

     ______
    / TTL  \______
    \__a1__/ MR*  \
           \__b1__/
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from harmonies_core.cards import Card

__all__ = ["TOKEN_STYLES", "Hex", "draw", "habitat", "stack_text"]

#: How a token looks in a terminal with colours.
TOKEN_STYLES: Final = {
    "W": "bold white on #2f7cc0",
    "M": "bold white on #7b8288",
    "T": "bold white on #80502c",
    "L": "bold white on #4b9a35",
    "F": "bold black on #ecc645",
    "R": "bold white on #c8432f",
}

_MARKS: Final = {
    "animal": ("*", "bold black on #f08a24"),
    "spirit": ("^", "bold black on #f4f4f0"),
    "": ("", ""),
}
_INNER = 6  # characters between the two slanted sides


@dataclass(frozen=True)
class Hex:
    """A cell to draw: its column, how many half cells it is down, and what is written in it.

    ``cube`` is "animal", "spirit" or "".
    """

    column: int
    half: int
    stack: str = ""
    cube: str = ""
    name: str = ""


def stack_text(stack: str, cube: str = "") -> Text:
    """A stack bottom to top, every token in its colour; BLD, any building, in that of roofs."""
    text = Text()
    for token in stack:
        style = TOKEN_STYLES["R"] if stack == "BLD" else TOKEN_STYLES.get(token, "")
        text.append(token, style)
    text.append(*_MARKS[cube])
    return text


def draw(cells: Iterable[Hex]) -> list[Text]:
    """Draw cells that lie next to each other; all lines are equally long."""
    cells = list(cells)
    left = min(cell.column for cell in cells)
    top = min(cell.half for cell in cells)
    width = (max(cell.column for cell in cells) - left + 1) * (_INNER + 1) + 1
    height = max(cell.half for cell in cells) - top + 3
    frame = [[" "] * width for _ in range(height)]
    contents: dict[tuple[int, int], Text] = {}
    for cell in cells:
        x, y = (cell.column - left) * (_INNER + 1), cell.half - top
        for i in range(1, _INNER + 1):
            if frame[y][x + i] == " ":
                frame[y][x + i] = "_"
        frame[y + 1][x], frame[y + 1][x + _INNER + 1] = "/", "\\"
        frame[y + 2][x], frame[y + 2][x + _INNER + 1] = "\\", "/"
        frame[y + 2][x + 1 : x + 1 + _INNER] = cell.name.center(_INNER, "_")
        contents[y + 1, x + 1] = stack_text(cell.stack, cell.cube)
    return [_line(row, y, contents) for y, row in enumerate(frame)]


def _line(row: list[str], y: int, contents: dict[tuple[int, int], Text]) -> Text:
    """A line of the frame with the stacks that stand on it."""
    line, x = Text(), 0
    while x < len(row):
        inside = contents.get((y, x))
        if inside is None:
            line.append(row[x], "dim")
            x += 1
            continue
        before = 1 if len(inside) < _INNER - 1 else 0
        line.append(" " * before)
        line.append_text(inside)
        line.append(" " * (_INNER - before - len(inside)))
        x += _INNER
    return line


def habitat(card: Card) -> list[Text]:
    """The habitat of a card, with the cube where it goes."""
    cube = "spirit" if card.kind == "spirit" else "animal"
    cells = [Hex(0, 0, card.cube_on, cube)]
    cells += [Hex(cell.q, 2 * cell.r + cell.q, cell.stack) for cell in card.others]
    return draw(cells)
