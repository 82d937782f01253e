"""A session on the standard streams."""

import os
import sys
from typing import Final

from engine_cli.protocol.output import Output, discard_stdout
from engine_cli.protocol.reader import read_lines
from engine_cli.protocol.session import Session

__all__ = ["serve_standard_streams"]

# A search that is busy in Python hands over to the reader after so many seconds.
_SWITCH: Final = 0.0005


def serve_standard_streams() -> int:
    """Answer until quit or the end of input; return the exit status."""
    if sys.stdin is None or sys.stdout is None:  # started with closed streams
        return 0
    sys.setswitchinterval(_SWITCH)
    output = Output(sys.stdout.buffer)
    session = Session(output)
    status = 0
    try:
        session.serve(read_lines(sys.stdin.buffer))
    except KeyboardInterrupt:
        session.close(finish=False)
        status = 130
    if output.closed:
        discard_stdout()
    if session.working:
        # perft cannot be interrupted: leave without waiting for its thread
        sys.stderr.flush()
        os._exit(status)
    return status
