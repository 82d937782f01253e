"""The checkpoint of a run as bytes: a line that names the format, one of JSON, packed state.

What is packed is in the byte order and for the network of the machine and version that wrote it.
"""

import hashlib
import json
import zlib
from typing import Any, Final

from harmonies_core.errors import WeightsError
from harmonies_core.learning.run import Run

__all__ = ["LARGEST", "pack", "unpack"]

LARGEST: Final = 20_000_000_000  # bytes, packed or not
_MAGIC: Final = b"harmonies-training 1"


def pack(run: Run) -> bytes:
    """Everything a run needs to go on exactly."""
    data, state = run.state()
    body = zlib.compress(state, 1)
    header = {"run": data, "bytes": len(state), "sha256": _hash(data, body)}
    return _MAGIC + b"\n" + json.dumps(header).encode() + b"\n" + body


def unpack(checkpoint: bytes, run: Run) -> None:
    """Bring a new run to where another one was; raises WeightsError, saying what is wrong."""
    first, _, rest = checkpoint.partition(b"\n")
    text, _, body = rest.partition(b"\n")
    if first != _MAGIC:
        raise WeightsError(f"not a checkpoint (it does not begin with {_MAGIC.decode()!r})")
    try:
        header = json.loads(text)
        data, size, wanted = header["run"], int(header["bytes"]), header["sha256"]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise WeightsError("damaged: no header in line 2") from None
    if not 1 <= size <= LARGEST:
        raise WeightsError(f"damaged: {size} bytes in its header")
    if _hash(data, body) != wanted:
        raise WeightsError("damaged: it does not have the hash that its header names")
    try:
        state = zlib.decompressobj().decompress(body, size)
    except zlib.error as error:
        raise WeightsError(f"damaged: {error}") from None
    run.restore(data, state)


def _hash(data: dict[str, Any], body: bytes) -> str:
    return hashlib.sha256(json.dumps(data).encode() + b"\n" + body).hexdigest()
