"""The broken engines of the folder `engines`, as commands."""

import ast
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "engines"
NAMES = sorted({path.stem for path in FOLDER.glob("*.py")} - {"relay", "faulty"})  # helpers

#: How the engine of this project is started.
GOOD = [sys.executable, "-m", "engine_cli.engine"]


def command(name: str, after: int = 0) -> list[str]:
    """How a broken engine is started; the first `after` searches go well."""
    return [sys.executable, str(FOLDER / f"{name}.py"), "--after", str(after)]


def complaint(name: str) -> str:
    """What is wrong with it, in its own words."""
    return ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))) or ""


def children() -> set[int]:
    """Processes that descend from this one, and those that were left behind by one (Linux)."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return found - {os.getpid()}
        found |= more
