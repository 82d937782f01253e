"""Steps about games and positions."""

from typing import Final

from engine_cli.compliance.context import Context, first_turns, play_legal, play_some_turn
from engine_cli.compliance.probe import Failure
from harmonies_core import Dealer, Position, Rules

__all__ = [
    "GAMES",
    "all_turns",
    "dealerless",
    "deals",
    "new_games",
    "positions",
    "queries",
    "setup_words",
]

#: Arguments of `newgame`, the game they mean, and its seed.
GAMES: Final = (
    ("", Rules(), 0),
    ("players 2 side A spirits off seed 7", Rules(), 7),
    ("seed 1152921504606846975", Rules(), 2**60 - 1),
    ("players 3 side B seed 3", Rules(3, "B"), 3),
    ("players 4 spirits on seed 4", Rules(4, spirits=True), 4),
    ("solo seed 5", Rules(1), 5),
    ("players 1 side B spirits on seed 6", Rules(1, "B", spirits=True), 6),
    ("packs base seed 8", Rules(), 8),
)

_MAY_GROW: Final = ("breakdown", "chance", "phase", "players", "turn")


def setup_words(rules: Rules, seed: int) -> str:
    """The arguments of `newgame` for a game with the base pack."""
    spirits = "on" if rules.spirits else "off"
    return f"players {rules.players} side {rules.side} spirits {spirits} seed {seed}"


def new_games(context: Context) -> None:
    """`newgame` in all its forms, and `uginewgame`, are taken without an answer."""
    for words, _, _ in GAMES:
        context.probe.quiet(f"newgame {words}".rstrip())
        context.probe.quiet(f"uginewgame {words}".rstrip())


def queries(context: Context) -> None:
    """Queries are answered, and rightly: start positions and games that have gone on."""
    for words, rules, seed in GAMES:
        for turns in (0, 5):
            position, moves = first_turns(rules, seed, turns)
            context.probe.quiet(f"newgame {words}".rstrip(), _startpos(moves))
            _compare(context, position)


def all_turns(context: Context) -> None:
    """`query moves` lists one turn for each position that a turn can lead to."""
    for rules, seed, turns in ((Rules(), 2, 14), (Rules(1, "B"), 3, 9)):
        position, moves = first_turns(rules, seed, turns)
        context.probe.quiet(f"newgame {setup_words(rules, seed)}", _startpos(moves))
        found = context.probe.response("query moves", "moves").split()
        reached = set()
        for text in found:
            after = position.copy()
            play_legal(after, text)
            reached.add(after.key())
        expected = len(position.turns())
        if len(reached) != len(found) or len(found) != expected:
            raise Failure(
                f"query moves: expected {expected} turns to as many positions, found "
                f"{len(found)} turns to {len(reached)}"
            )


def positions(context: Context) -> None:
    """`position` with startpos, hfen and fen, with and without moves, and `moves`."""
    probe = context.probe
    for _, rules, seed in GAMES:
        position, moves = first_turns(rules, seed, 6)
        earlier, _ = first_turns(rules, seed, 2)
        rest = " ".join(moves[2:])
        hfen = earlier.hfen()
        probe.quiet(f"newgame {setup_words(rules, seed)}")
        for request, expected in (
            (f"position hfen {position.hfen()}", position),
            (f"position fen {hfen}", earlier),
            (f"position hfen {hfen} moves {rest}", position),
            (_startpos(moves[:2]), earlier),
            (_startpos(moves), position),
            (_startpos(moves), position),
            (_startpos(moves[:2]), earlier),
            (f"moves {rest}", position),
        ):
            probe.quiet(request)
            found = probe.response("query hfen", "hfen")
            if found != expected.hfen():
                raise Failure(f"{request}: expected {expected.hfen()}, found {found}")


def deals(context: Context) -> None:
    """`deal`, refills of the seed, and chance parts that are given."""
    probe = context.probe
    for _, rules, seed in GAMES:
        dealer = Dealer(rules, seed)
        position = dealer.start()
        turn = play_some_turn(position)
        if position.phase != "chance":
            continue
        pending = position.pending()
        chance = dealer.deal(position)
        probe.quiet(f"newgame {setup_words(rules, seed)}")
        probe.refused("deal", "nochance")
        probe.quiet(f"position startpos moves {turn}")
        _expect(context, "phase", "chance")
        due = f"spaces {pending.spaces} cards {pending.cards} pair {int(pending.pair)}"
        _expect(context, "chance", due)
        found = probe.response("deal", "deal")
        if found != chance:
            raise Failure(f"deal: seed {seed} brings {chance}, found {found}")
        position.push_chance(chance)
        _compare(context, position)
        probe.quiet(f"position startpos moves {turn}/{chance}")
        _compare(context, position)
        # What the seed brings may be left out where more turns follow.
        more = play_some_turn(position)
        probe.quiet(f"position startpos moves {turn} {more}")
        _compare(context, position)


def dealerless(context: Context) -> None:
    """A refill that nobody knows: error nodealer, and `deal` draws a possible one."""
    probe = context.probe
    position = Position.start(seed=11)
    hfen = position.hfen()
    turn = play_some_turn(position)
    probe.refused(f"position hfen {hfen} moves {turn} {turn}", "nodealer")
    probe.quiet(f"position hfen {hfen} moves {turn}")
    found = probe.response("deal", "deal")
    try:
        position.push_chance(found)
    except ValueError as problem:
        raise Failure(f"deal: {found!r} is not possible: {problem}") from None
    _compare(context, position)


def _startpos(moves: list[str]) -> str:
    return f"position startpos moves {' '.join(moves)}" if moves else "position startpos"


def _expect(context: Context, what: str, value: str) -> None:
    found = context.probe.response(f"query {what}", what)
    # Answers that are no lists may get further words.
    longer = what in _MAY_GROW and found.startswith(f"{value} ")
    if found != value and not longer:
        raise Failure(f"query {what}: expected {value!r}, found {found!r}")


def _compare(context: Context, position: Position) -> None:
    """Ask everything about the position that the engine should have."""
    over = position.is_over()
    moving = position.phase in ("spirit", "turn")
    winners = position.result().winners
    result = f"p{winners[0]}win" if len(winners) == 1 else "draw"
    for what, value in (
        ("gameover", "true" if over else "false"),
        ("p1turn", "true" if position.seat == 1 else "false"),
        ("result", result if over else "none"),
    ):
        found = context.probe.response(f"query {what}", "")
        if found != value:
            raise Failure(f"query {what}: expected response {value}, found {found!r}")
    _expect(context, "hfen", position.hfen())
    _expect(context, "players", str(position.rules.players))
    _expect(context, "turn", f"{position.seat} {position.turn}")
    _expect(context, "phase", position.phase)
    _expect(context, "scores", " ".join(str(score.total) for score in position.scores()))
    _expect(context, "ranks", " ".join(map(str, position.result().ranks)))
    words: list[str] = []
    for seat, score in enumerate(position.scores(), 1):
        words += ["seat", str(seat)]
        for name, points in score.as_dict().items():
            words += [name, str(points)]
    suns = position.result().suns
    if suns is not None:
        words += ["suns", str(suns)]
    _expect(context, "breakdown", " ".join(words))
    if moving:
        _expect(context, "chance", "none")
    _same_words(context, "actions", list(map(str, position.actions())))
    key = context.probe.response("query key", "key")
    if len(key) != 16 or set(key) - set("0123456789abcdef"):
        raise Failure(f"query key: expected 16 hexadecimal digits, found {key!r}")


def _same_words(context: Context, what: str, words: list[str]) -> None:
    """The same words in whatever order."""
    found = context.probe.response(f"query {what}", what).split()
    if sorted(found) != sorted(words):
        odd = sorted(set(found) ^ set(words))[:3]
        raise Failure(
            f"query {what}: expected {len(words)}, found {len(found)}; differing: {' '.join(odd)}"
        )
