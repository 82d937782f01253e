"""Everything that talks to people and programs: the protocol, the tools and the commands.

The game and the search live in `harmonies_core`, which knows nothing of this package.
"""

from typing import TYPE_CHECKING

__all__ = ["__version__"]

if TYPE_CHECKING:
    __version__: str


def __getattr__(name: str) -> str:
    """Look the version up when it is asked for.

    Reading package metadata costs milliseconds that an engine started for one move should
    not pay. A tree that was never installed reports ``0+unknown``.
    """
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("harmonies-engine")
    except PackageNotFoundError:
        return "0+unknown"
