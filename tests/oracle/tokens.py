"""The tokens: their letters, how many there are, and sorted groups of them (rules: Boards)."""

TOKEN_ORDER = "WMTLFR"
TOKEN_COUNTS = {"W": 23, "M": 23, "T": 21, "L": 19, "F": 19, "R": 15}
EMPTY_SPACE = "-"


def sorted_tokens(tokens: str) -> str:
    """Write a group of tokens in the order WMTLFR."""
    return "".join(sorted(tokens, key=TOKEN_ORDER.index))


def is_group_of_three(tokens: str) -> bool:
    """Whether a text names exactly three tokens, as one central space holds."""
    return len(tokens) == 3 and all(token in TOKEN_COUNTS for token in tokens)
