from collections.abc import Sequence

def sample_gradient(
    parameters: bytes, active: Sequence[int], empties: int, target: float, final: float
) -> tuple[tuple[float, float], bytes]: ...
