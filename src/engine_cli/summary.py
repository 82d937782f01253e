"""Positions, scores and cards as plain data, for ``--json``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harmonies_core.cards import Card
    from harmonies_core.game import Position

__all__ = ["card_data", "position_data", "score_data"]


def position_data(position: "Position") -> dict[str, Any]:
    """Everything that can be seen of a position."""
    rules = position.rules
    return {
        "hfen": position.hfen(),
        "players": rules.players,
        "side": rules.side,
        "spirits": rules.spirits,
        "river": rules.river,
        "packs": list(rules.packs),
        "seat": position.seat,
        "turn": position.turn,
        "phase": position.phase,
        "space": position.space,
        "in_hand": position.in_hand,
        "card_taken": position.card_taken,
        "centre": list(position.centre),
        "row": list(position.row),
        "offered": list(position.pair) if position.pair is not None else None,
        "bag": dict(position.bag),
        "unseen": sorted(position.unseen),
        "boards": [
            {
                "seat": seat,
                "stacks": position.stacks(seat),
                "cubes": position.cubes(seat),
                "empty": position.empties(seat),
                "cards": [
                    {
                        "id": held.card.id,
                        "name": held.card.name,
                        "placed": held.placed,
                        "cubes": held.card.cubes,
                        "complete": held.complete,
                        "points": held.points,
                    }
                    for held in position.hand(seat)
                ],
                "points": position.score(seat).total,
            }
            for seat in range(1, rules.players + 1)
        ],
    }


def score_data(position: "Position") -> dict[str, Any]:
    """The points of every seat as if the game ended now."""
    result = position.result()
    seats = []
    for seat, score in enumerate(position.scores(), start=1):
        cards = [
            {"id": held.card.id, "name": held.card.name, "placed": held.placed, "points": points}
            for held in position.hand(seat)
            for points in [score.cards.get(held.card.id, 0)]
        ]
        seats.append(
            {"seat": seat, **score.as_dict(), "rank": result.ranks[seat - 1], "cards": cards}
        )
    return {
        "hfen": position.hfen(),
        "over": position.is_over(),
        "seats": seats,
        "winners": list(result.winners),
        "suns": result.suns,
    }


def card_data(card: "Card") -> dict[str, Any]:
    """A card with its habitat."""
    return {
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "pack": card.pack,
        "cubes": card.cubes,
        "points": list(card.points),
        "score": (
            {"by": card.score.by, "of": card.score.of, "points": list(card.score.points)}
            if card.score is not None
            else None
        ),
        "cube_on": card.cube_on,
        "others": [{"at": [cell.q, cell.r], "stack": cell.stack} for cell in card.others],
        "mirrors": card.mirrors,
    }
