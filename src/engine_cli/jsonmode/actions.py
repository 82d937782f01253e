"""Lines that are no queries: `query_version`, `terminate`, `terminate_all`."""

from collections.abc import Callable
from typing import Any, Final

from engine_cli.jsonmode import answers
from engine_cli.jsonmode.fields import Fields
from engine_cli.jsonmode.query import Task
from engine_cli.jsonmode.tasks import Tasks
from engine_cli.protocol.words import MAX_COUNT

__all__ = ["VERSION", "act"]

#: Version of what docs/json.md describes.
VERSION: Final = 1

_ACTIONS: Final = ("query_version", "terminate", "terminate_all")


def act(fields: Fields, tasks: Tasks, send: Callable[[dict[str, Any]], None]) -> None:
    """Do what the field `action` says and answer it; the line is sent back, with what it is about.

    The acknowledgement comes before the answers of what was terminated.
    """
    action = fields.choice("action", *_ACTIONS)
    given = {name: fields.take(name) for name in fields.names()}
    if action == "query_version":
        from engine_cli import __version__

        send({**given, "name": "Kingfisher", "version": __version__, "protocol": VERSION})
        return
    name = None
    if action == "terminate":
        name = fields.text("terminateId")
        if name is None:
            fields.fail("terminateId", "is missing")
    numbers = fields.integers("turnNumbers", 0, MAX_COUNT)

    def wanted(task: Task) -> bool:
        return (name is None or task.query.id == name) and (
            numbers is None or task.turn_number in numbers
        )

    send(given)
    for task in tasks.terminate(wanted):
        send(answers.no_results(task))
