from harmonies_core.rules import Rules

STYLES: dict[str, int]

class Plan:
    def __init__(
        self,
        mixture: list[tuple[Rules, int]],
        styles: dict[str, int],
        width: tuple[int, int, int, int],
        decay: float,
        whim: float,
        others: float,
        look: tuple[int, int] = (0, 0),
    ) -> None: ...
    @property
    def rules(self) -> list[Rules]: ...

class Games:
    @property
    def n(self) -> int:
        """Number of moments."""
    def moments(
        self,
    ) -> list[tuple[int, int, float, float, float | None, float, float, tuple[int, ...]]]: ...

def game_seed(seed: int, number: int) -> int: ...
def play_games(
    plan: Plan, net: bytes, seed: int, first: int, count: int, warm: bool = False
) -> Games: ...
