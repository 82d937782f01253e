"""The folder of a run: settings.json, checkpoint, log.csv and best.weights."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from engine_cli.atomic import write_bytes, write_text
from engine_cli.training.checkpoint import LARGEST, pack, unpack
from engine_cli.training.log import csv_text
from engine_cli.training.weights import run_weights
from harmonies_core.errors import HarmoniesError
from harmonies_core.learning.run import Run
from harmonies_core.learning.settings import Settings

__all__ = ["RunFolder", "make_folder", "write"]


class RunFolder:
    """Where one run is kept; all errors are of click, with one line that names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self, settings: Settings, before: str = "") -> Path | None:
        """Write the settings, or compare with those that are there.

        before: the run that this one goes on from, and how it was then. What went on from another
        one is put aside; the folder where it is then.
        """
        file = self.path / "settings.json"
        wanted = json.loads(json.dumps(asdict(settings)))
        if before:
            wanted["before"] = before
        make_folder(self.path)
        if not _exists(file):
            if _exists(self.path / "checkpoint"):
                raise click.ClickException(f"{file}: is missing, but there is a checkpoint")
            write(file, json.dumps(wanted, indent=2) + "\n")
            return None
        try:
            found = json.loads(_read(file, 1_000_000))
        except (ValueError, RecursionError) as error:
            raise click.ClickException(f"{file}: is no JSON: {error}") from None
        if before and isinstance(found, dict) and found.get("before", before) != before:
            aside = self._put_aside()
            make_folder(self.path)
            write(file, json.dumps(wanted, indent=2) + "\n")
            return aside
        _compare(file, found, wanted)
        return None

    def load(self, run: Run, command: str) -> bool:
        """Bring a new run to where the checkpoint is, if there is one."""
        file = self.path / "checkpoint"
        if not _exists(file):
            return False
        try:
            unpack(_read(file, LARGEST), run)
        except HarmoniesError as error:
            raise click.ClickException(f"{file}: {error}") from None
        self._publish(run, command)  # a kill may have come between the files
        return True

    def save(self, run: Run, command: str) -> None:
        """Write the checkpoint, and then what follows from it."""
        write(self.path / "checkpoint", pack(run))
        self._publish(run, command)

    def _put_aside(self) -> Path:
        """Give the folder another name."""
        number = 1
        while _exists(aside := self.path.with_name(f"{self.path.name}.{number}")):
            number += 1
        try:
            self.path.rename(aside)
        except OSError as error:
            raise click.ClickException(
                f"{self.path}: cannot be put aside: {error.strerror}"
            ) from None
        return aside

    def _publish(self, run: Run, command: str) -> None:
        write(self.path / "log.csv", csv_text([run]))
        if run.best is not None:
            write(self.path / "best.weights", run_weights(run, command))


def _compare(file: Path, found: Any, wanted: dict[str, Any]) -> None:
    if not isinstance(found, dict):
        raise click.ClickException(f"{file}: is no JSON object")
    other = [
        f"{name} {found.get(name)!r} instead of {wanted.get(name)!r}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]
    if other:
        raise click.ClickException(
            f"{file}: the run there has {', '.join(other)}; use the same settings to go on, or "
            "another folder"
        )


def make_folder(path: Path) -> None:
    """Make a folder unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be made a folder: {error.strerror}") from None


def write(path: Path, data: bytes | str) -> None:
    """Write a file whole or not at all."""
    try:
        if isinstance(data, str):
            write_text(path, data)
        else:
            write_bytes(path, data)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read: {error.strerror}") from None


def _read(path: Path, largest: int) -> bytes:
    try:
        if os.stat(path).st_size > largest:
            raise click.ClickException(f"{path}: is too large")
        return path.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read: {error.strerror}") from None
