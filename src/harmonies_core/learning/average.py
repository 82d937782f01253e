"""The mean of networks that have begun alike."""

from collections.abc import Sequence

import numpy as np

__all__ = ["mean_network"]


def mean_network(nets: Sequence[bytes]) -> bytes:
    """Parameters that are the mean of those of some networks (32-bit floats, as in a file).

    Networks that went on from one are close enough to each other for that: what they have found
    stays, and what each has taken from the chance of its games becomes less (Wortsman and others,
    "Model soups", 2022). Networks that began apart have nothing in common that a mean would keep.
    """
    together = np.mean([np.frombuffer(net, np.float32) for net in nets], axis=0, dtype=np.float64)
    return together.astype(np.float32).tobytes()
