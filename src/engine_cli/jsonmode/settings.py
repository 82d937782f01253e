"""What a query may set of the engine's options, by the names they have in UHI."""

from typing import TYPE_CHECKING, Final

from engine_cli.jsonmode.fields import Fields, kind, shown
from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.options import Options

if TYPE_CHECKING:
    from harmonies_core.cards import Pack

__all__ = ["offered", "read_settings"]

# The fields of a query say these, they are about sessions, or they name files.
_NOT_HERE: Final = frozenset(
    ["MultiPV", "Ponder", "RiverRule", "Packs", "MoveOverhead", "LogFile", "EvalFile"]
)


def offered(options: Options) -> list[str]:
    """Names of the options that a query may set."""
    return [option.name for option in options.offered if option.name not in _NOT_HERE]


def read_settings(fields: Fields | None, packs: "dict[str, Pack]") -> Options:
    """Options with the values of a query; all others have their defaults."""
    options = Options()
    options.user_packs = packs
    if fields is None:
        return options
    known = {option.name: option for option in options.offered if option.name in offered(options)}
    for name in fields.names():
        if name not in known:
            fields.fail(name, f"no such option; there are {', '.join(known)}")
        value = fields.take(name)
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, str | int):
            text = str(value)
        else:
            fields.fail(name, f"must be a string, an integer or a boolean, not {kind(value)}")
        try:
            options.set(known[name], known[name].read(text))
        except RequestError as problem:
            fields.fail(name, f"{problem.text} (given: {shown(value)})")
    return options
