"""Where the weights come from: the file that is shipped, or another one."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from harmonies_core.errors import WeightsError
from harmonies_core.values.network import Weights

__all__ = ["default_weights", "load_weights"]

_LARGEST = 50_000_000


@cache
def default_weights() -> Weights:
    """The weights that are shipped with the package."""
    name = "kingfisher.weights"
    return Weights.from_bytes((files("harmonies_core.values") / name).read_bytes(), name)


def load_weights(path: str | Path) -> Weights:
    """Read a weights file; raises WeightsError naming it and what is wrong."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise WeightsError(f"{path}: no regular file, a weights file expected")
        if Path(path).stat().st_size > _LARGEST:
            raise WeightsError(f"{path}: too large for a weights file")
        data = Path(path).read_bytes()
    except OSError as problem:
        raise WeightsError(f"{path}: {problem.strerror}") from None
    return Weights.from_bytes(data, str(path))
