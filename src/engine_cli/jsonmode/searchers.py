"""The searcher of a worker, kept as long as the options stay the same."""

from typing import TYPE_CHECKING

from engine_cli.jsonmode.settings import offered
from engine_cli.protocol.options import Options
from engine_cli.protocol.thinker import Thinker

if TYPE_CHECKING:
    from harmonies_core.search.searcher import Searcher

__all__ = ["SearcherKeeper"]


class SearcherKeeper:
    """Makes a searcher where it has to: its memory is worth keeping."""

    def __init__(self) -> None:
        self._values: tuple[str, ...] | None = None
        self._thinker: Thinker | None = None

    def searcher(self, options: Options) -> "Searcher":
        """The searcher for these options."""
        values = tuple(options.text(name) for name in offered(options))
        if self._thinker is None or values != self._values:
            self._thinker = Thinker(options)
            self._values = values
        return self._thinker.searcher()
