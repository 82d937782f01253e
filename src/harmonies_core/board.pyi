"""One player's landscape: its text-level names."""

STACK_OF_KIND: tuple[str, ...]
KIND_OF_STACK: dict[str, int]
TOKEN_LETTERS: str
LEGAL_STACKS: tuple[str, ...]
