"""What is written beside a picture: names of cards, habitats in words, where the game stands."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from harmonies_core.cards import Card, Catalogue, SpiritScore

if TYPE_CHECKING:
    from harmonies_core.game import HeldCard, Position, Turn

__all__ = [
    "card_name",
    "categories",
    "describe_habitat",
    "describe_rules",
    "describe_score",
    "describe_state",
    "held_text",
    "is_to_move",
    "listing",
    "points_text",
    "turn_with_names",
    "values_text",
]

_CATEGORIES: Final = ("trees", "mountains", "fields", "buildings", "water", "animals", "spirit")

_OBJECTS: Final = {
    "F": "field",
    "W": "water",
    "BLD": "building",
    "tree": "tree",
    "mountain": "mountain",
}


def card_name(card: Card) -> str:
    """A card as people read it, in columns: ``17 Boar``."""
    return f"{card.id:2} {card.name}"


def categories(position: "Position") -> dict[str, str]:
    """The categories of a score in the order they are shown: attribute of `Score`, and label."""
    labels = {name: name for name in _CATEGORIES}
    labels["water"] = "river" if position.rules.side == "A" else "islands"
    if not position.rules.spirits:
        del labels["spirit"]
    return labels


def turn_with_names(turn: "Turn", catalogue: Catalogue) -> str:
    """A turn with the names of its cards: ``g2 Wc3 +17 (Boar) 17@c3 (Boar)``."""
    words = []
    for action in turn.actions:
        card = catalogue.cards.get(action.card) if action.card is not None else None
        words.append(f"{action} ({card.name})" if card else str(action))
    return " ".join(words)


def describe_habitat(card: Card) -> str:
    """What a card asks for, without the arrangement: ``W: M M``, the cube's own cell first."""
    others = " ".join(cell.stack for cell in card.others)
    return f"{card.cube_on}: {others}" if others else card.cube_on


def describe_score(score: SpiritScore) -> str:
    """The scoring rule of a spirit in a few words: ``field groups: size 1-2 2, 3+ 10``."""
    noun, unit = _OBJECTS[score.of], "size"
    if score.by == "groups":
        head = f"{noun} groups"
    elif len(score.points) == 1:
        return f"each {noun}: {score.points[0]}"
    else:
        head, unit = f"each {noun}", "height"
    runs: list[tuple[int, int, int]] = []  # first and last size, points
    for size, points in enumerate(score.points, start=1):
        if runs and runs[-1][2] == points:
            runs[-1] = (runs[-1][0], size, points)
        else:
            runs.append((size, size, points))
    if len(runs) == 1:
        return f"{head}: {runs[0][2]}"
    last = len(score.points)
    parts = []
    for low, high, points in runs:
        if not points:
            continue
        if high == last and score.by == "groups":
            span = f"{low}+"
        else:
            span = str(low) if low == high else f"{low}-{high}"
        parts.append(f"{span} = {points}")
    return f"{head}, {unit} {', '.join(parts)}"


def values_text(card: Card) -> str:
    """What a card is worth: ``4 9 15``, or the rule of a spirit."""
    if card.score is not None:
        return describe_score(card.score)
    return " ".join(map(str, card.points))


def points_text(hundredths: int) -> str:
    """Expected points, given in hundredths, as people read them: ``97.4``."""
    return f"{hundredths / 100:.1f}"


def listing(words: Iterable[object]) -> str:
    """Join words as a sentence does: ``1, 2 and 3``."""
    texts = [str(word) for word in words]
    return " and ".join([*([", ".join(texts[:-1])] if texts[:-1] else []), *texts[-1:]])


def describe_rules(position: "Position") -> str:
    """What is played: ``2 players, side A, Nature's Spirits``."""
    rules = position.rules
    words = ["solo" if rules.solo else f"{rules.players} players", f"side {rules.side}"]
    if rules.spirits:
        words.append("Nature's Spirits")
    if rules.river != "diameter":
        words.append("loop rule for rivers")
    if tuple(rules.packs) != ("base",):
        words.append(f"packs {' + '.join(rules.packs)}")
    return ", ".join(words)


def is_to_move(position: "Position", seat: int) -> bool:
    """Whether it is this seat that decides something now."""
    return position.seat == seat and position.phase in ("spirit", "turn")


def describe_state(position: "Position") -> str:
    """Where the game stands: ``seat 1 to move, turn 7``, with all that happened in the turn."""
    if position.phase == "over":
        return _describe_end(position)
    if position.phase == "chance":
        return f"the turn is over, to be dealt: {_describe_pending(position)}"
    words = [f"seat {position.seat} to move, turn {position.turn}"]
    if position.phase == "spirit":
        words.append("a spirit is to be chosen")
    if position.space is not None:
        words.append(f"space {position.space} taken")
        words.append(f"{position.in_hand} in hand" if position.in_hand else "all tokens placed")
    if position.card_taken:
        words.append("a card taken")
    return ", ".join(words)


def _describe_end(position: "Position") -> str:
    result = position.result()
    if position.rules.solo:
        return f"the game is over: {result.totals[0]} points, {result.suns} suns"
    points = _lead(result.totals, result.winners)
    if len(result.winners) == 1:
        return f"the game is over: seat {result.winners[0]} has won {points}"
    return f"the game is over: seats {listing(result.winners)} share the victory {points}"


def _lead(totals: Sequence[int], winners: Sequence[int]) -> str:
    """The winners' points and those of the others: ``97 to 88``."""
    others = [total for seat, total in enumerate(totals, start=1) if seat not in winners]
    best = totals[winners[0] - 1]
    return f"{best} to {listing(others)}" if others else f"with {best} each"


def _describe_pending(position: "Position") -> str:
    due = position.pending()
    words = []
    if due.spaces:
        words.append(f"{due.spaces} central {'space' if due.spaces == 1 else 'spaces'}")
    if due.cards:
        words.append(f"{due.cards} {'card' if due.cards == 1 else 'cards'} of the row")
    if due.pair:
        words.append(f"two spirits for seat {position.seat}")
    return listing(words) or "nothing"


def held_text(held: "HeldCard") -> str:
    """How far a card of a player is: ``2/3``."""
    return f"{held.placed}/{held.card.cubes}"
