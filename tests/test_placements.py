"""The fast count of placements against the list of all turns, which is made differently."""

from pathlib import Path

import pytest

from harmonies_core import Position, count_placements

FOLDER = Path(__file__).parent.parent / "examples"
# A first turn has too many turns to list one by one.
EXAMPLES = [path for path in sorted(FOLDER.glob("midgame*.hfen")) if "spirit" not in path.stem]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_count_is_the_number_of_distinct_landscapes(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    position = Position.from_hfen(next(line for line in lines if line and line[0] != "#"))
    landscapes = set()
    for turn in position.turns():
        actions = turn.actions
        if any(action.kind in ("cube", "take") for action in actions):
            continue
        after = position.copy()
        after.push(turn)
        stacks = frozenset(after.stacks(position.seat).items())
        landscapes.add((actions[0].space, stacks))
    assert count_placements(position) == len(landscapes)
