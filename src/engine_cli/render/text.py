"""A position as text: boards side by side, hands, central spaces and row."""

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from engine_cli.render.hexes import Hex, draw, stack_text
from engine_cli.render.labels import (
    card_name,
    describe_habitat,
    describe_rules,
    describe_state,
    held_text,
    is_to_move,
    values_text,
)

if TYPE_CHECKING:
    from harmonies_core.cards import Card
    from harmonies_core.game import Position

__all__ = ["position_text", "render_text"]

_GAP = 4  # characters between two boards


def render_text(position: "Position", color: bool = False, *, width: int = 80) -> str:
    """Draw a position with characters, with terminal colours if wanted.

    As many boards stand side by side as `width` has room for. Every line ends with a newline.
    """
    out = StringIO()
    console = Console(
        file=out,
        force_terminal=color,
        color_system="truecolor" if color else None,
        width=width,
        legacy_windows=False,
    )
    console.print(position_text(position, width), soft_wrap=True)
    return out.getvalue()


def position_text(position: "Position", width: int = 80) -> Text:
    """The same as text with styles, for a console that knows what its terminal can show."""
    lines = [
        Text(describe_rules(position)),
        Text(describe_state(position), "bold"),
        Text(),
    ]
    blocks = [_player(position, seat) for seat in range(1, position.rules.players + 1)]
    for row in _rows(blocks, width):
        lines += [*_beside(row), Text()]
    lines += _middle(position)
    text = Text("\n").join(lines)
    text.no_wrap = True
    return text


def _player(position: "Position", seat: int) -> list[Text]:
    """A board with what belongs to it."""
    score = position.score(seat)
    title = Text(f"seat {seat}", "bold")
    if is_to_move(position, seat):
        title.append(" (to move)")
    title.append(f": {score.total} points", "bold")
    stacks, cubes = position.stacks(seat), position.cubes(seat)
    board = draw(
        Hex(column, 2 * int(name[1:]) + column % 2, stacks.get(name, ""), cubes.get(name, ""), name)
        for name in position.rules.cells
        for column in ["abcdefg".index(name[0])]
    )
    lines = [title, *board]
    for held in position.hand(seat):
        style = "dim" if held.complete else ""
        line = Text(f"{held.card.id:3} {held.card.name:13.13} {held_text(held)} ", style)
        line.append(f"{held.points:2}  ", style)
        line.append(describe_habitat(held.card), style)
        lines.append(line)
    return lines


def _rows(blocks: Sequence[list[Text]], width: int) -> list[Sequence[list[Text]]]:
    """Share the blocks out among rows that are not wider than `width`."""
    widest = max(len(line) for block in blocks for line in block)
    fit = max(1, (width + _GAP) // (widest + _GAP))
    return [blocks[start : start + fit] for start in range(0, len(blocks), fit)]


def _beside(blocks: Sequence[list[Text]]) -> list[Text]:
    """Put blocks of lines side by side."""
    lines = []
    for index in range(max(map(len, blocks))):
        line = Text()
        for place, block in enumerate(blocks):
            if place:
                line.append(" " * _GAP)
            part = block[index].copy() if index < len(block) else Text()
            if place < len(blocks) - 1:
                part.append(" " * (max(map(len, block)) - len(part)))
            line.append_text(part)
        line.rstrip()
        lines.append(line)
    return lines


def _middle(position: "Position") -> list[Text]:
    """Central spaces, tokens in hand, row, offered spirits, bag and deck."""
    spaces = Text("spaces  ")
    for number, group in enumerate(position.centre, start=1):
        spaces.append(f"{number} ", "dim")
        spaces.append_text(stack_text(group) if group else Text("---", "dim"))
        spaces.append("   ")
    spaces.rstrip()
    lines = [spaces]
    if position.in_hand:
        lines.append(Text("in hand ").append_text(stack_text(position.in_hand)))
    cards = position.rules.catalogue.cards
    row = [_card(cards[number]) if number is not None else Text(" --") for number in position.row]
    lines += _labelled("row", row)
    if position.pair is not None:
        lines += _labelled("offered", [_card(cards[number]) for number in position.pair])
    bag = Text(f"bag     {sum(position.bag.values())} tokens: ")
    bag.append(" ".join(f"{token} {count}" for token, count in position.bag.items()))
    lines.append(bag)
    lines.append(Text(f"deck    {len(position.unseen)} animal cards not seen yet"))
    return lines


def _card(card: "Card") -> Text:
    return Text(f"{card_name(card):18}  {describe_habitat(card):14}  {values_text(card)}")


def _labelled(label: str, lines: Sequence[Text]) -> list[Text]:
    """Lines that belong together, the first with a label before it."""
    return [
        Text(f"{label if index == 0 else '':8}").append_text(line)
        for index, line in enumerate(lines)
    ]
