"""Steps about the start: greetings and options."""

from engine_cli.compliance.context import Context
from engine_cli.compliance.grammar import check_option
from engine_cli.compliance.probe import Failure

__all__ = ["bad_options", "greets", "is_ready", "options", "starts", "ugi"]


def starts(context: Context) -> None:
    """The program starts and answers `uhi`."""
    probe = context.fresh()
    probe.send("uhi")
    first = probe.read("id name")
    if not first.startswith("id "):
        raise Failure(f"expected id name as the first line, found {first!r}")


def greets(context: Context) -> None:
    """`uhi`: name, author, protocol 1, options, uhiok."""
    _greeting(context, "uhi")


def ugi(context: Context) -> None:
    """`ugi`: the same, closed by ugiok."""
    _greeting(context, "ugi")
    context.probe.ask("uhi", "uhiok")


def _greeting(context: Context, verb: str) -> None:
    lines = context.fresh().ask(verb, f"{verb}ok")
    if lines[-1] != f"{verb}ok":
        raise Failure(f"expected nothing after {verb}ok in its line, found {lines[-1]!r}")
    heads = ("id name ", "id author ", "protocol ")
    for line, head in zip(lines, heads, strict=False):
        if not line.startswith(head):
            raise Failure(f"expected {head}..., found {line!r}")
    if lines[2] != "protocol 1":
        raise Failure(f"expected protocol 1, found {lines[2]!r}")
    for line in lines[3:-1]:
        if not line.startswith("option name "):
            raise Failure(f"expected option lines after protocol, found {line!r}")


def is_ready(context: Context) -> None:
    """`isready`: readyok, before and after `uhi`."""
    for probe in (context.fresh(), context.probe):
        lines = probe.ask("isready", "readyok", "error")
        if lines != ["readyok"]:
            raise Failure(f"expected readyok alone, found {lines}")
        probe.ask("uhi", "uhiok")


def options(context: Context) -> None:
    """Options are well formed, and each takes its default."""
    probe = context.fresh()
    seen: set[str] = set()
    for line in probe.ask("uhi", "uhiok"):
        if not line.startswith("option "):
            continue
        option = check_option(line)
        if option.name.lower() in seen:
            raise Failure(f"option {option.name} is announced twice")
        seen.add(option.name.lower())
        if option.kind != "button":
            probe.quiet(f"setoption name {option.name} value {option.default or '<empty>'}")


def bad_options(context: Context) -> None:
    """Options that do not exist and values that an option cannot take are refused."""
    probe = context.fresh()
    probe.refused("setoption name No Such Option value 1", "option")
    for line in probe.ask("uhi", "uhiok"):
        if not line.startswith("option "):
            continue
        option = check_option(line)
        setoption = f"setoption name {option.name} value"
        if option.kind == "spin" and option.high is not None:
            probe.refused(f"{setoption} {option.high + 1}", "value")
        if option.kind in ("spin", "check", "combo"):
            probe.refused(f"{setoption} no-such-value", "value")
