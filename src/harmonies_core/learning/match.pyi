from harmonies_core.rules import Rules

def play_match(
    rules: Rules,
    players: list[tuple[str, bytes | None, tuple[int, int, int, int]]],
    seed: int,
    first: int,
    deals: int,
    rotate: bool = True,
) -> list[list[tuple[int, ...]]]: ...
