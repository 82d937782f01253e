"""Ratings from the order in which three or four players finish: Plackett-Luce.

The model and its update are those of R. Weng and C.-J. Lin, *A Bayesian Approximation Method for
Online Ranking*, J. Mach. Learn. Res. 12 (2011), as `openskill` has them: a mean and a deviation
for each player, 25 and 25/3 before the first game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

__all__ = ["Rating", "Ratings"]

_Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about a player's strength."""

    mean: float
    deviation: float

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return _Z95 * self.deviation


class Ratings:
    """Ratings of players 0 … n - 1; games have to come in the order of the schedule."""

    def __init__(self, players: int) -> None:
        # players do not change during a tournament: no deviation is added between games
        self._model = PlackettLuce(tau=0.0)
        self._rated: list[PlackettLuceRating] = [self._model.rating() for _ in range(players)]

    def add(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """One game: the player of every seat and its rank, 1 for the best."""
        teams = [[self._rated[player]] for player in seats]
        after = self._model.rate(teams, ranks=[float(rank) for rank in ranks])
        for player in set(seats):
            # a player that has several seats takes the mean of what they teach
            own = [team[0] for seat, team in enumerate(after) if seats[seat] == player]
            self._rated[player] = self._model.rating(
                mu=sum(one.mu for one in own) / len(own),
                sigma=sum(one.sigma for one in own) / len(own),
            )

    def __getitem__(self, player: int) -> Rating:
        rating = self._rated[player]
        return Rating(rating.mu, rating.sigma)
