"""The command line of `harmonies-engine`, for those who give it arguments."""

import os
import sys

import click

import engine_cli
from engine_cli.failures import OneLineCommand
from engine_cli.inputs import join_packs, read_packs
from engine_cli.jsonmode.server import Server
from engine_cli.protocol.output import Output, discard_stdout
from engine_cli.protocol.reader import read_lines
from engine_cli.terminal import examples
from harmonies_core.cards import Pack

__all__ = ["main"]

_MAX_JOBS = 1024


@click.command(
    name="harmonies-engine",
    cls=OneLineCommand,
    epilog=examples("harmonies-engine", "harmonies-engine --json --jobs 4 < queries.jsonl"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--json", "as_json", is_flag=True, help="Analyse JSON queries (docs/json.md).")
@click.option(
    "--jobs",
    type=click.IntRange(1, _MAX_JOBS),
    metavar="N",
    help="With --json: positions searched at the same time.  [default: one for each core]",
)
@click.option(
    "--pack",
    "packs",
    type=read_packs,
    multiple=True,
    metavar="FILE",
    help="With --json: a card pack that queries may name. Can be repeated.",
)
def main(
    version: bool, as_json: bool, jobs: int | None, packs: tuple[tuple[Pack, ...], ...]
) -> int:
    """The engine Kingfisher: UHI on standard input and output (docs/protocol.md), or JSON.

    Type uhi, help or quit once it runs.
    """
    if version:
        click.echo(f"harmonies-engine {engine_cli.__version__}")
        return 0
    if not as_json:
        if jobs is not None or packs:
            raise click.UsageError("--jobs and --pack need --json", click.get_current_context())
        from engine_cli.protocol.serve import serve_standard_streams

        return serve_standard_streams()
    return _serve(jobs or _cores(), {pack.name: pack for pack in join_packs(packs)})


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _serve(jobs: int, packs: dict[str, Pack]) -> int:
    """Answer until the end of input; return the exit status."""
    if sys.stdin is None or sys.stdout is None:  # started with closed streams
        return 0
    output = Output(sys.stdout.buffer)
    server = Server(output, jobs, packs)
    status = 0
    try:
        server.serve(read_lines(sys.stdin.buffer))
    except KeyboardInterrupt:
        status = 130
    if output.closed:
        discard_stdout()
    return status
