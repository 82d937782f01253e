"""Set up a position in the middle of a game, tokens and cards coming from bag and deck."""

from collections import Counter
from collections.abc import Collection, Mapping

from .cards import CARDS
from .game import OracleGame
from .geometry import all_cells
from .stacks import LEGAL_STACKS


def arrange(
    game: OracleGame,
    seat: int,
    cells: Mapping[str, str],
    hand: Mapping[int, int] | None = None,
    animal_cubes: Collection[str] = (),
    spirit_cubes: Collection[str] = (),
) -> None:
    """Lay out a seat that has nothing yet: board, cards with their cubes placed, and cubes.

    A spirit in the hand is the one chosen. The cubes must be as many as the hand says.
    """
    hand = dict(hand or {})
    player = game.players[seat - 1]
    used = Counter("".join(cells.values()))
    animals = {card_id for card_id in hand if CARDS[card_id].kind == "animal"}
    chosen = set(hand) - animals
    if player.cells or player.hand or game.taken is not None or game.card_taken:
        raise ValueError("the seat has something already, or a turn has begun")
    if not set(cells) <= set(all_cells(game.side)) or not set(cells.values()) <= LEGAL_STACKS:
        raise ValueError("no such cells or stacks")
    if used - Counter(game.bag) or not animals <= game.unseen or chosen & game.seen_spirits:
        raise ValueError("tokens or cards that are elsewhere")
    if len(chosen) > int(game.spirits):
        raise ValueError("one spirit at most, in games with spirits")
    if any(not 0 <= placed <= CARDS[card_id].cubes for card_id, placed in hand.items()):
        raise ValueError("more cubes placed than a card has")
    if len(set(animal_cubes)) != sum(hand[card_id] for card_id in animals):
        raise ValueError("animal cubes do not match the hand")
    if len(set(spirit_cubes)) != sum(hand[card_id] for card_id in chosen):
        raise ValueError("spirit cubes do not match the hand")
    if not {*animal_cubes, *spirit_cubes} <= set(cells) or set(animal_cubes) & set(spirit_cubes):
        raise ValueError("cubes lie on cells with tokens, one to a cell")

    player.cells = dict(cells)
    player.hand = hand
    player.animal_cubes = set(animal_cubes)
    player.spirit_cubes = set(spirit_cubes)
    player.spirit = min(chosen, default=None)
    for token, count in used.items():
        game.bag[token] -= count
    game.unseen -= animals
    game.seen_spirits |= chosen
    if seat == game.seat:
        game.phase = game.phase_between_turns()


def move_on_to(game: OracleGame, seat: int, turn: int) -> None:
    """Make it the beginning of a seat's turn in some round, all dealt so far staying as it is."""
    game.seat = seat
    game.turn = turn
    game.phase = game.phase_between_turns()
