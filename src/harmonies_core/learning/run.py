"""A training run from its first game to its last, without files.

One round is a chunk of games by the network as it is, then steps on what the memory holds. At
intervals the network plays matches, and becomes the best one if it beats the best so far.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from harmonies_core.errors import WeightsError
from harmonies_core.learning.evaluation import Player, Score, play, self_play
from harmonies_core.learning.selfplay import play_games
from harmonies_core.learning.settings import Budget, Settings
from harmonies_core.learning.trainer import Trainer
from harmonies_core.learning.workers import Workers

__all__ = ["Evaluation", "Progress", "Run"]

_SLICE: Final = 10  # games that one call plays
_WARM_RATIO: Final = 5.0  # how often a sample of the warm-up is learned from


@dataclass(frozen=True, slots=True)
class Progress:
    """A round is done: games so far, root mean square error in points, size of the steps.

    In the warm-up `games` is 0 and `warm` the share of it that is done.
    """

    games: int
    loss: float
    rate: float
    seconds: float
    warm: float = 1.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Matches after so many games; `seconds` of training, `loss` in points.

    points: mean in self-play without spirits, with its standard error. best: against the best
    before, missing for the first. hand, now, rush: against these styles. promoted: whether the
    network is the best one now.
    """

    games: int
    seconds: float
    loss: float
    rate: float
    points: float
    points_error: float
    best: Score | None
    hand: Score
    now: Score
    rush: Score
    promoted: bool


class Run:
    """One network in training, and the best one so far.

    The weights depend on settings, number of games and seed only, not on the workers; with a
    budget in minutes they depend on the speed of the machine. `plans` are the budgets in games
    that it was trained with, one after the other; None for one in minutes. `part` is what a
    run goes on with (Settings.part), "all" for one that begins from nothing.
    """

    def __init__(self, settings: Settings, workers: Workers, part: str = "all") -> None:
        self.settings = settings
        self.part = part
        self._workers = workers
        self._trainer = Trainer(settings.seed, settings.memory)
        self._loss = 0.0
        self._rate = 0.0
        self._warmed = False
        self.games = 0
        self.begin = 0  # games of the run before
        self.seconds = 0.0
        self.best: bytes | None = None
        self.best_games = 0
        self.evaluations: list[Evaluation] = []
        self.plans: list[int | None] = []

    @property
    def current(self) -> bytes:
        """Parameters of the network as it is now."""
        return self._trainer.weights()

    def follow(self, before: "Run") -> None:
        """Begin with what another run has learned, and with its samples.

        What is best is at first what was best there: it must be beaten to be replaced.
        """
        self._trainer = Trainer.restore(before._trainer.state())
        self._loss, self._rate = before._loss, self.settings.first_rate
        self._warmed = True
        self.games = self.begin = before.games
        self.best, self.best_games = before.best, before.best_games
        self.plans = list(before.plans)

    @property
    def capacity(self) -> int:
        """Samples that there is memory for."""
        return self._trainer.capacity

    def release(self) -> None:
        """Free the samples; the run must not be trained or saved any more."""
        self._trainer = Trainer(self.settings.seed, 1)

    def train(self, budget: Budget) -> Iterator[Progress | Evaluation]:
        """Go on until the budget is spent; the state may be taken after every record.

        Raises Stopped at once when the workers are stopped, and leaves the state as it was after
        the last record; ArithmeticError if the network is lost.
        """
        while not self._warmed:
            yield from self._warm_up()
        while True:
            over = budget.done(self.games, self.seconds) >= 1
            if self._is_due(over):
                yield self._evaluate()
            if over:
                return
            yield self._round(budget)

    def _warm_up(self) -> Iterator[Progress]:
        settings, began = self.settings, time.monotonic()
        trainer = Trainer(settings.seed, settings.memory)
        for first in range(0, settings.warmup, settings.chunk):
            count = min(settings.chunk, settings.warmup - first)
            self._play(trainer, first, count, True)
            passed = time.monotonic() - began
            yield Progress(0, 0.0, settings.first_rate, passed, (first + count) / settings.warmup)
        steps = max(1, round(trainer.filled * _WARM_RATIO / settings.batch))
        self._loss = self._learn(trainer, steps, settings.first_rate)
        self._trainer = trainer
        self._rate = settings.first_rate
        self.seconds = time.monotonic() - began
        self._warmed = True

    def _round(self, budget: Budget) -> Progress:
        settings, began = self.settings, time.monotonic()
        done = budget.done(self.games, self.seconds)
        rate = settings.rate(done, settings.begun(budget.games))
        count = min(settings.chunk, budget.left(self.games))
        new = self._play(self._trainer, settings.warmup + self.games, count, False)
        # While the memory fills, the few samples there are must not be learned by heart.
        full = min(1.0, 2 * self._trainer.filled / settings.memory)
        ratio = settings.look_ratio if settings.looks(self.games) else settings.ratio
        steps = max(1, round(new * ratio * full / settings.batch))
        self._loss = self._learn(self._trainer, steps, rate)
        self._rate = rate
        if not self.plans or self.plans[-1] != budget.games:
            self.plans.append(budget.games)
        self.games += count
        self.seconds += time.monotonic() - began
        return Progress(self.games, self._loss, rate, self.seconds)

    def _play(self, trainer: Trainer, first: int, count: int, warm: bool) -> int:
        """Play games into the memory of a trainer; number of samples."""
        net = trainer.weights()
        plan = self.settings.plan(max(0, first - self.settings.warmup))
        calls = [
            partial(
                play_games,
                plan,
                net,
                self.settings.seed,
                first + at,
                min(_SLICE, count - at),
                warm,
            )
            for at in range(0, count, _SLICE)
        ]
        played = self._workers.map(calls)
        for games in played:
            trainer.remember(games)
        return sum(games.n for games in played)

    def _learn(self, trainer: Trainer, steps: int, rate: float) -> float:
        settings = self.settings
        return self._workers.finish(
            partial(
                trainer.learn,
                steps,
                settings.batch,
                rate,
                settings.averaging,
                settings.shrink,
            )
        )

    def _is_due(self, over: bool) -> bool:
        if not self.evaluations:
            return True
        last, every = self.evaluations[-1].games, self.settings.evaluate_every
        return self.games // every > last // every or (over and self.games > last)

    def _evaluate(self) -> Evaluation:
        settings, workers, began = self.settings, self._workers, time.monotonic()
        width, deals, few = settings.match_width, settings.deals, (settings.deals + 1) // 2
        player: Player = ("net", self.current, width)
        kinds = settings.kinds
        points, error = self_play(settings.side, player, deals, workers, kinds[0])
        best = None
        if self.best is not None:
            # Other deals every time: else the best of many would be the one lucky on these.
            skip = deals * (1 + len(self.evaluations))
            old: Player = ("net", self.best, width)
            best = play(settings.side, player, old, deals, workers, skip, kinds)
        hand, now, rush = (
            play(settings.side, player, (style, None, width), few, workers, kinds=kinds)
            for style in ("hand", "now", "rush")
        )
        promoted = best is None or best.win > 0.5
        self.seconds += time.monotonic() - began
        made = Evaluation(
            self.games,
            self.seconds,
            self._loss,
            self._rate,
            points,
            error,
            best,
            hand,
            now,
            rush,
            promoted,
        )
        self.evaluations.append(made)
        if promoted:
            self.best = self.current
            self.best_games = self.games
        return made

    def state(self) -> tuple[dict[str, Any], bytes]:
        """Everything needed to go on exactly: plain data, and the networks with the memory."""
        best = self.best if self.best is not None else b""
        data = {
            "warmed": self._warmed,
            "games": self.games,
            "run": [self.settings.side, self.settings.seed, self.part],
            "seconds": self.seconds,
            "loss": self._loss,
            "rate": self._rate,
            "best_games": self.best_games,
            "best_bytes": len(best),
            "plans": self.plans,
            "evaluations": [asdict(evaluation) for evaluation in self.evaluations],
        }
        return data, best + self._trainer.state()

    def restore(self, data: dict[str, Any], state: bytes) -> None:
        """Go back to what `state` gave; raises WeightsError if that cannot be."""
        try:
            own = [self.settings.side, self.settings.seed, self.part]
            if data.get("run", own) != own:
                raise WeightsError("the state of another run: " + " ".join(map(str, data["run"])))
            evaluations = [_read_evaluation(entry) for entry in data["evaluations"]]
            size = data["best_bytes"]
            trainer = Trainer.restore(state[size:])
            if (size and size != len(trainer.weights())) or (
                trainer.capacity != self.settings.memory
            ):
                raise WeightsError("the state of the training is that of another network")
            self.plans = list(data["plans"])
            self.games, self.seconds = int(data["games"]), float(data["seconds"])
            self._loss, self._rate = float(data["loss"]), float(data["rate"])
            self.best_games, self._warmed = int(data["best_games"]), bool(data["warmed"])
        except (KeyError, TypeError) as error:
            raise WeightsError(f"the state of the training is damaged: {error}") from None
        self._trainer = trainer
        self.best = state[:size] if size else None
        self.evaluations = evaluations


def _read_evaluation(entry: dict[str, Any]) -> Evaluation:
    scores = {
        name: None if entry[name] is None else Score(**entry[name])
        for name in ("best", "hand", "now", "rush")
    }
    return Evaluation(**{**entry, **scores})
