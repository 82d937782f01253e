"""The searcher of a session: made when first needed, and anew when an option changes."""

from pathlib import Path
from typing import TYPE_CHECKING

from engine_cli.protocol.failure import RequestError, one_line
from engine_cli.protocol.options import Options

if TYPE_CHECKING:
    from harmonies_core.search.searcher import Searcher
    from harmonies_core.values.network import Weights

__all__ = ["Thinker"]


class Thinker:
    """Keeps one searcher, so that what it remembers serves the next turn."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._made_for: tuple[str, ...] | None = None
        self._searcher: Searcher | None = None
        self._weights: Weights | None = None

    def read_weights(self, path: str) -> None:
        """Use the weights of this file from now on; an empty path stands for those shipped."""
        from harmonies_core.errors import WeightsError
        from harmonies_core.values.weights import load_weights

        try:
            self._weights = load_weights(Path(path)) if path else None
        except (WeightsError, OSError, ValueError) as problem:
            raise RequestError("value", f"EvalFile: {one_line(str(problem))}") from None
        self._made_for = None

    def forget(self) -> None:
        """A new game begins: nothing of the old one is of use."""
        if self._searcher is not None:
            self._searcher.forget()

    @property
    def weights(self) -> "Weights | None":
        """The weights of `EvalFile`, None for those shipped."""
        return self._weights

    def searcher(self) -> "Searcher":
        """The searcher that the options ask for."""
        from harmonies_core.search.searcher import make_searcher

        names = ("Algorithm", "Threads", "Objective", "Seed", "Strength", "Hash")
        wanted = tuple(self._options.text(name) for name in names)
        if self._searcher is None or wanted != self._made_for:
            algorithm, threads, objective, seed, strength, hash_size = wanted
            self._searcher = make_searcher(
                algorithm,
                weights=self._weights,
                threads=int(threads),
                objective=objective,
                seed=int(seed),
                strength=int(strength),
                hash_size=int(hash_size),
            )
            self._made_for = wanted
        return self._searcher
