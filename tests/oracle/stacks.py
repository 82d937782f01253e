"""What may be stacked and what a stack is (rules: Legal stacks, Cubes, Points)."""

LEGAL_STACKS = frozenset(
    ["W", "F", "L", "TL", "TTL", "M", "MM", "MMM", "T", "TT", "R", "RR", "TR", "MR"]
)


def can_place(stack: str, token: str) -> bool:
    """Whether a token may go on top of a stack ("" = empty): the result must be a legal stack."""
    return stack + token in LEGAL_STACKS


def is_building(stack: str) -> bool:
    """Exactly two tokens with R on top, whatever is below; a lone R is no building."""
    return len(stack) == 2 and stack[1] == "R"


def tree_height(stack: str) -> int:
    """Height of a tree (L, TL, TTL), else 0: bare trunks are no trees."""
    return len(stack) if stack in ("L", "TL", "TTL") else 0


def mountain_height(stack: str) -> int:
    """Height of a mountain (M, MM, MMM), else 0: MR is no mountain."""
    return len(stack) if stack in ("M", "MM", "MMM") else 0


def stack_matches(stack: str, required: str) -> bool:
    """Whether a stack is what a habitat asks for: exactly that stack, or for BLD any building."""
    if required == "BLD":
        return is_building(stack)
    return stack == required
