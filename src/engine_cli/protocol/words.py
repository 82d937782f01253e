"""The words of a request: a cursor over them, and numbers as the protocol writes them."""

from typing import Final

from engine_cli.protocol.failure import RequestError

__all__ = ["MAX_COUNT", "MAX_MS", "MAX_SEED", "Words", "integer", "quote", "split_words"]

MAX_COUNT: Final = 2**53  # exact in every client, JavaScript's included
MAX_MS: Final = 2**31 - 1
MAX_SEED: Final = 2**60 - 1

_SHOWN = 40


def split_words(line: bytes) -> list[str]:
    """The words of a line, between blanks of ASCII; what is not UTF-8 is an error."""
    if line.isascii() and (text := line.decode("ascii")).isprintable():
        return text.split()  # the only blank in it is the space
    try:
        return [word.decode("utf-8") for word in line.split()]
    except UnicodeDecodeError:
        raise RequestError("encoding", "the line is not UTF-8") from None


def quote(word: str) -> str:
    """A word from outside for use in an error text: short, in quotes."""
    return f'"{word}"' if len(word) <= _SHOWN else f'"{word[:_SHOWN]}..."'


def integer(word: str, what: str, low: int, high: int) -> int:
    """Read a decimal integer from `low` to `high`; anything else is an error naming `what`."""
    digits = word[1:] if word[:1] == "-" else word
    if not (digits.isascii() and digits.isdigit()):
        raise RequestError("value", f"{what} must be an integer, not {quote(word)}")
    digits = digits.lstrip("0") or "0"
    # nothing wanted has more digits than MAX_SEED, and int() of a megabyte of them takes long
    value = int(digits) if len(digits) <= 20 else high + 1
    if word[0] == "-":
        value = -value
    if not low <= value <= high:
        raise RequestError("value", f"{what} must be from {low} to {high}, not {quote(word)}")
    return value


class Words:
    """The words of one request after its verb, taken one by one."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._next = 0
        self._seen: set[str] = set()

    def __bool__(self) -> bool:
        """Whether words are left."""
        return self._next < len(self._words)

    def keyword(self) -> str:
        """Take a word that names an argument; each may be given once."""
        word = self._words[self._next]
        if word in self._seen:
            raise RequestError("syntax", f"{quote(word)} is given twice")
        self._seen.add(word)
        self._next += 1
        return word

    def value(self, what: str) -> str:
        """Take the value of the argument `what`."""
        if not self:
            raise RequestError("syntax", f"{what} needs a value")
        self._next += 1
        return self._words[self._next - 1]

    def integer(self, what: str, low: int, high: int) -> int:
        """Take the value of the argument `what`, an integer."""
        return integer(self.value(what), what, low, high)

    def next_is(self, word: str) -> bool:
        """Whether the next word is this one."""
        return bool(self) and self._words[self._next] == word

    def until(self, stops: frozenset[str]) -> list[str]:
        """Take all words up to the first that is in `stops`."""
        start = self._next
        while self and self._words[self._next] not in stops:
            self._next += 1
        return self._words[start : self._next]

    def none_left(self, verb: str) -> None:
        """Fail if words are left."""
        if self:
            raise RequestError("syntax", f"{verb} does not take {quote(self._words[self._next])}")
