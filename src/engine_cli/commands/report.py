"""`harmonies report`: a tournament as one HTML page."""

from pathlib import Path

import click

from engine_cli.terminal import examples

__all__ = ["report"]


@click.command(
    epilog=examples(
        "harmonies report tournaments/kingfisher-greedy-1a2b3c",
        "harmonies report tournaments/kingfisher-greedy-1a2b3c --out report.html --games 50",
    ),
)
@click.argument("results", metavar="RESULTS")
@click.option("--out", metavar="FILE", help="Where to write it.  [default: report.html in RESULTS]")
@click.option(
    "--games",
    type=click.IntRange(0, 100_000),
    default=200,
    show_default=True,
    metavar="N",
    help="Records to include, beside as many games with faults.",
)
def report(results: str, out: str | None, games: int) -> None:
    """Write a page with tables, pictures and games of a tournament.

    RESULTS is the folder of a tournament. The page needs no other file and no network. It can be
    made while the tournament goes on. Needs matplotlib and Jinja2: harmonies-engine[report].
    """
    from engine_cli.atomic import write_text
    from engine_cli.match.archive import ArchiveError
    from engine_cli.match.journal import JournalError
    from engine_cli.match.stored import StoredTournament

    try:
        from engine_cli.match.report.page import report_page
    except ImportError as error:
        raise click.ClickException(
            f"needs {error.name}: pip install 'harmonies-engine[report]'"
        ) from None
    try:
        stored = StoredTournament.open(Path(results))
        page = report_page(stored, games)
    except (ArchiveError, JournalError) as error:
        raise click.ClickException(str(error)) from None
    target = Path(out) if out is not None else stored.folder / "report.html"
    try:
        write_text(target, page)
    except OSError as error:
        raise click.ClickException(f"{target}: cannot be written: {error.strerror}") from None
    click.echo(f"written to {target}")
