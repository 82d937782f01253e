"""Steps about the end, and about lines of the whole run."""

from engine_cli.compliance.context import Context
from engine_cli.compliance.probe import ANSWERS, Failure, Probe

__all__ = [
    "ends_with_its_input",
    "ends_with_its_input_in_search",
    "only_answers",
    "quits",
    "quits_in_search",
    "stderr_is_no_answer",
    "tidy_lines",
]


def quits(context: Context) -> None:
    """`quit` ends the process, with status 0."""
    probe = _greeted(context)
    probe.send("quit")
    probe.ends("quit")


def quits_in_search(context: Context) -> None:
    """`quit` ends it during a search too."""
    probe = _greeted(context)
    probe.send("position startpos", "go infinite", "quit")
    probe.ends("quit during a search")


def ends_with_its_input(context: Context) -> None:
    """The end of its input ends the process; the last line needs no end."""
    probe = _greeted(context)
    probe.send_bytes(b"isready")
    probe.close_input()
    if probe.ends("end of input") != ["readyok"]:
        raise Failure("expected the last request to be answered though its line has no end")


def ends_with_its_input_in_search(context: Context) -> None:
    """The end of its input stops a search, whose bestmove is still printed."""
    probe = _greeted(context)
    probe.send("position startpos", "go infinite")
    probe.close_input()
    lines = probe.ends("end of input during a search")
    if sum(line.startswith("bestmove ") for line in lines) != 1:
        raise Failure(f"expected one bestmove at the end of input, found {lines[-1:]}")


def _greeted(context: Context) -> Probe:
    context.fresh().ask("uhi", "uhiok")
    return context.probe


def tidy_lines(context: Context) -> None:
    """In the whole run: no empty lines, no spaces at either end of a line."""
    for line in context.notes.untidy[:1]:
        what = f"{line[:160]!r}" if line.strip() else "an empty line"
        raise Failure(f"found {what}; {len(context.notes.untidy)} such lines")


def only_answers(context: Context) -> None:
    """In the whole run: nothing but answers on standard output."""
    for line in context.notes.strange[:1]:
        raise Failure(f"found {line[:160]!r}; {len(context.notes.strange)} such lines")


def stderr_is_no_answer(context: Context) -> None:
    """In the whole run: no answers on standard error."""
    for line in context.notes.stderr:
        if line.split(" ", 1)[0] in ANSWERS - {"error", "info"}:
            raise Failure(f"found {line[:160]!r}")
