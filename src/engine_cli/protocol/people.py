"""`help` and `d`: lines for people, each behind ``info string``."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harmonies_core import Position

__all__ = ["HELP", "board_lines"]

_VERBS: Final = (
    ("uhi, ugi", "say who is there and which options there are"),
    ("isready", "readyok, also during a search"),
    ("setoption name N value V", "set an option"),
    ("newgame [players N] [side A|B] [spirits on|off] [solo] [packs P] [seed S]", "a new game"),
    ("position startpos|hfen H [moves T ...]", "the position to look at"),
    ("moves T ...", "play on from there"),
    (
        "go [movetime N] [nodes N] [depth N] [clock N N] [togo N] [infinite] [ponder] ...",
        "search for the best turn",
    ),
    ("stop, ponderhit", "end the search, or let its clock start"),
    ("query Q", "ask about the position; query help names them"),
    ("deal", "deal the refill that is due"),
    ("d, eval", "show the position, value it"),
    ("perft N, bench [N]", "count turns, measure speed"),
    ("quit", "end"),
)

#: The answer to ``help``.
HELP: Final = tuple(f"info string {verb}: {what}" for verb, what in _VERBS)


def board_lines(position: "Position") -> list[str]:
    """The answer to ``d``: the boards, and the position's text."""
    from engine_cli.render.text import render_text

    lines = render_text(position, color=False).splitlines()
    lines.append(f"hfen {position.hfen()}")
    return [f"info string {line.rstrip()}" for line in lines if line.strip()]
