"""`harmonies train`: what it writes, going on after a kill, and what it refuses."""

import csv
import io
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from engine_cli.main import main
from engine_cli.match.lock import FolderLock
from engine_cli.training import curve
from engine_cli.training.checkpoint import unpack
from harmonies_core.learning.evaluation import Standing
from harmonies_core.learning.run import Run
from harmonies_core.learning.settings import Configuration, Settings
from harmonies_core.learning.workers import Workers
from harmonies_core.values.network import Weights
from harmonies_core.values.weights import default_weights, load_weights

TINY = (
    "--memory", "300", "--warm-up", "4", "--chunk", "3", "--evaluate-every", "6", "--deals", "2",
    "--final-deals", "2", "--look-games", "1", "--special-games", "3", "--width", "1,1,1,1",
    "--match-width", "1,1,1,1", "--batch", "16", "--jobs", "2",
)  # fmt: skip
ONE = (*TINY, "--side", "B", "--seeds", "7", "--no-curve")
WAIT = 100.0  # seconds, far more than anything here takes


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["train", *map(str, args)])


def good(*args: object) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.output


def bad(*args: object) -> str:
    """The one line on stderr of a command that fails."""
    result = run(*args)
    assert result.exit_code in (1, 2), result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr.strip()


def rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text())))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training of one run with 12 games."""
    folder = tmp_path_factory.mktemp("done")
    good(folder, *ONE, "--games", 12)
    return folder


@pytest.mark.timeout(600)
def test_both_sides_and_two_seeds(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    output = good(tmp_path, *TINY, "--seeds", "1,2", "--games", 3)
    for name in ("A-1", "A-2", "B-1", "B-2"):
        assert {path.name for path in (tmp_path / name).iterdir()} == {
            "settings.json", "checkpoint", "log.csv", "best.weights",
        }  # fmt: skip
        assert [row["games"] for row in rows(tmp_path / name / "log.csv")] == ["0", "3"]
    for side in ("A", "B"):
        for part, games in (
            ("look", ["3", "4"]), ("plain-1", ["4", "7"]), ("plain-2", ["4", "7"]),
            ("spirits-1", ["4", "7"]), ("spirits-2", ["4", "7"]),
        ):  # fmt: skip
            log = rows(tmp_path / f"{side}-{part}" / "log.csv")
            assert {row["part"] for row in log} == {part[:-2] if "-" in part else part}
            assert [row["games"] for row in log] == games
    assert len(rows(tmp_path / "curve.csv")) == 28
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert output.count("chosen") == 6

    weights = load_weights(tmp_path / "kingfisher.weights")
    header = weights.header
    assert header["command"].startswith("harmonies train OUT --seeds 1,2 --games 3 ")
    assert "jobs" not in header["command"]
    for side in ("A", "B"):
        about = header["trained"][side]
        for kind in ("plain", "spirits"):
            assert about[kind]["plans"] == [3, 4, 7]
        assert {entry["seed"] for entry in about["compared"]} == {1, 2}
        assert about["compared"][0]["win"] >= about["compared"][1]["win"]


def test_columns(done: Path) -> None:
    log = rows(done / "B-7" / "log.csv")
    assert [row["games"] for row in log] == ["0", "6", "12"]
    assert log == rows(done / "curve.csv")[:3]
    assert log[0]["best_win"] == ""
    for row in log:
        assert (row["side"], row["seed"]) == ("B", "7")
        assert 0 <= float(row["points"]) <= 200
        assert all(0 <= float(row[f"{name}_win"]) <= 1 for name in ("hand", "now", "rush"))
    rates = [float(row["rate"]) for row in log]
    assert rates == sorted(rates, reverse=True)


def test_the_other_side_is_what_is_shipped(done: Path) -> None:
    weights = load_weights(done / "kingfisher.weights")
    for spirits in (False, True):
        assert weights.parameters("A", spirits) == default_weights().parameters("A", spirits)
        assert weights.parameters("B", spirits) != default_weights().parameters("B", spirits)
    assert set(weights.header["trained"]) == {"B"}


def test_again_gives_the_same(done: Path, tmp_path: Path) -> None:
    """Same command and seed, another folder and number of threads: same bytes."""
    good(tmp_path, *ONE, "--games", 12, "--jobs", 1)
    name = "B-7/best.weights"
    assert (tmp_path / name).read_bytes() == (done / name).read_bytes()


def start(folder: Path, *args: str) -> "subprocess.Popen[str]":
    """A training in a process of its own, once it has its first checkpoint."""
    process = subprocess.Popen(
        [sys.executable, "-m", "engine_cli.main", "train", str(folder), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + WAIT
    while not (folder / "B-7" / "checkpoint").exists() and time.monotonic() < end:
        time.sleep(0.01)
    return process


def test_killed_and_gone_on(done: Path, tmp_path: Path) -> None:
    process = start(tmp_path, *ONE, "--games", "12")
    process.kill()
    process.communicate(timeout=WAIT)
    assert "B seed 7 goes on after" in good(tmp_path, *ONE, "--games", 12)
    name = "B-7/best.weights"
    assert (tmp_path / name).read_bytes() == (done / name).read_bytes()
    games = [row["games"] for row in rows(tmp_path / "B-7" / "log.csv")]
    assert games == ["0", "6", "12"]


def test_killed_between_two_files(done: Path) -> None:
    """What follows from the checkpoint is written again."""
    files = [done / "B-7" / name for name in ("log.csv", "best.weights")]
    wanted = [file.read_bytes() for file in files]
    for file in files:
        file.unlink()
    good(done, *ONE, "--games", 12)
    assert [file.read_bytes() for file in files] == wanted


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_and_gone_on(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, *ONE, "--games", "1000000")
    process.send_signal(number)
    _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert not (tmp_path / "kingfisher.weights").exists()
    good(tmp_path, *ONE, "--games", 3)
    assert (tmp_path / "kingfisher.weights").exists()


def test_longer(done: Path, tmp_path: Path) -> None:
    good(tmp_path, *ONE, "--games", 3)
    assert "goes on after 3 games" in good(tmp_path, *ONE, "--games", 6)
    weights = load_weights(tmp_path / "kingfisher.weights")
    assert weights.header["trained"]["B"]["plans"] in ([3], [3, 6])
    assert rows(tmp_path / "B-7" / "log.csv")[-1]["games"] == "6"
    assert rows(tmp_path / "curve.csv")[-1]["games"] == "10"


def test_minutes(tmp_path: Path) -> None:
    good(tmp_path, *ONE, "--minutes", "0.0001")
    assert rows(tmp_path / "B-7" / "log.csv")[-1]["games"] == "0"


def test_another_run_in_the_folder(done: Path) -> None:
    line = bad(done, *ONE, "--games", 12, "--lambda", "0.5")
    assert "settings.json: the run there has decay 0.7 instead of 0.5" in line


def test_locked(done: Path) -> None:
    lock = FolderLock(done)
    try:
        assert "another training is running there" in bad(done, *ONE)
    finally:
        lock.release()


def test_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "is a file" in bad(file, *ONE)
    assert "cannot be made a folder" in bad(file / "x", *ONE)


def of_size(header: bytes, number: bytes) -> bytes:
    return re.sub(rb'"bytes": \d+', b'"bytes": ' + number, header)


def damaged(data: bytes) -> list[tuple[bytes, str]]:
    first, header, body = data.split(b"\n", 2)
    no_run = json.dumps({"bytes": 1, "sha256": ""}).encode()
    return [
        (b"", "not a checkpoint"),
        (b"x" + data, "not a checkpoint"),
        (data[:-1], "hash"),
        (data[:-1] + bytes([data[-1] ^ 1]), "hash"),
        (first + b"\nx\n" + body, "no header"),
        (first + b"\n[]\n" + body, "no header"),
        (first + b"\n" + b"[" * 200_000 + b"\n" + body, "no header"),
        (first + b"\n" + of_size(header, b"-1") + b"\n" + body, "-1 bytes"),
        (first + b"\n" + of_size(header, b"1e400") + b"\n" + body, "no header"),
        (first + b"\n" + of_size(header, b"9" * 30) + b"\n" + body, "bytes in its header"),
        (first + b"\n" + no_run + b"\n" + body, "no header"),
        (first + b"\n" + header.replace(b'"games": ', b'"games": 1', 1) + b"\n" + body, "hash"),
    ]


def test_damaged_checkpoint(done: Path, tmp_path: Path) -> None:
    folder = tmp_path / "B-7"
    folder.mkdir()
    (folder / "settings.json").write_bytes((done / "B-7" / "settings.json").read_bytes())
    file = folder / "checkpoint"
    for data, wanted in damaged((done / "B-7" / "checkpoint").read_bytes()):
        file.write_bytes(data)
        line = bad(tmp_path, *ONE)
        assert f"{file}: " in line
        assert wanted in line
        assert file.read_bytes() == data
    for text in ("{", "[" * 200_000):
        (folder / "settings.json").write_text(text)
        assert "is no JSON" in bad(tmp_path, *ONE)
    (folder / "settings.json").unlink()
    assert "is missing" in bad(tmp_path, *ONE)


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (("--games", "0"), "--games"),
        (("--minutes", "-1"), "--minutes"),
        (("--special-games", "-1"), "--special-games"),
        (("--look-games", "x"), "--look-games"),
        (("--seeds", "1,1"), "names a seed twice"),
        (("--seeds", "x"), "'x' is not a whole number"),
        (("--seeds", "99999999999999999999"), "not a whole number"),
        (("--width", "1,2"), "four numbers"),
        (("--width", "9,1,1,1"), "width"),
        (("--mixture", "5:1"), "'5' is not 1 to 4 players"),
        (("--mixture", "2"), "no share"),
        (("--styles", "best:1"), "'best' is not one of"),
        (("--lambda", "2"), "--lambda: 2.0 is not a number from 0 to 1"),
        (("--lambda", "nan"), "--lambda: nan"),
        (("--first-rate", "1e-6"), "--last-rate: 0.0002"),
        (("--first-rate", "1e-6", "--look", "4,2"), "--look-rate: 0.0002"),
        (("--memory", "1"), "--memory: 1 is not"),
    ],
)
def test_bad_options(tmp_path: Path, args: tuple[str, ...], wanted: str) -> None:
    assert wanted in bad(tmp_path / "out", *args)
    assert not (tmp_path / "out").exists()


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curve, "find_spec", lambda name: None)
    line = bad(tmp_path / "out", *TINY)
    assert "harmonies-engine[train]" in line
    assert "--no-curve" in line
    assert not (tmp_path / "out").exists()


def test_lost_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that runs away ends the command with one line."""

    def lost(*args: Any) -> None:
        raise ArithmeticError("the network was lost: use smaller steps")

    monkeypatch.setattr("harmonies_core.learning.run.Run._learn", lost)
    assert "B seed 7: the network was lost" in run(tmp_path, *ONE).stderr


def test_out_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("harmonies_core.learning.run.Run._play", full)
    assert "B seed 7: out of memory" in run(tmp_path, *ONE).stderr


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Any, data: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("engine_cli.training.folder.write_bytes", full)
    result = run(tmp_path, *ONE)
    assert result.exit_code == 1
    assert "checkpoint: cannot be written: No space left on device" in result.stderr


def test_run_weights_play(done: Path) -> None:
    data = (done / "B-7" / "best.weights").read_bytes()
    assert Weights.from_bytes(data).header["trained"]["B"]["seed"] == 7


TWO = (*TINY, "--side", "B", "--seeds", "1,2", "--no-curve", "--games", "6")
SPECIAL = ("B-plain-7", "B-spirits-7")


def test_winner_goes_on_with_each_kind_of_game(tmp_path: Path) -> None:
    """The better seed of two, as the matches say; only its games are counted on."""
    good(tmp_path, *TWO)
    about = load_weights(tmp_path / "kingfisher.weights").header["trained"]["B"]
    winner = f"B seed {about['seed']}"
    for name, before, kinds, look in (
        ("B-look", f"{winner} after 6 games", {False, True}, [12, 4]),
        ("B-plain-1", f"{winner} look after 7 games", {False}, [0, 0]),
        ("B-plain-2", f"{winner} look after 7 games", {False}, [0, 0]),
        ("B-spirits-1", f"{winner} look after 7 games", {True}, [0, 0]),
        ("B-spirits-2", f"{winner} look after 7 games", {True}, [0, 0]),
    ):
        settings = json.loads((tmp_path / name / "settings.json").read_text())
        assert re.fullmatch(before + ", [0-9a-f]{12}", settings["before"])
        assert {kind[1] for kind in settings["mixture"]} == kinds
        assert settings["look"] == look
        assert settings["first_rate"] == pytest.approx(10 * settings["last_rate"])
        assert settings["first_rate"] == 2e-4
    for name in ("B-1", "B-2"):
        assert rows(tmp_path / name / "log.csv")[-1]["games"] == "6"


def test_the_mean_of_those_that_went_on_takes_part(tmp_path: Path) -> None:
    """Each kind of game has a run for each seed; their mean is compared with the best of each."""
    out = good(tmp_path, *TWO)
    about = load_weights(tmp_path / "kingfisher.weights").header["trained"]["B"]
    for part in ("plain", "spirits"):
        compared = about[part]["compared"]
        assert {entry["seed"] for entry in compared} == {1, 2, "mean"}
        assert compared[0]["win"] == max(entry["win"] for entry in compared)
        chosen = about[part].get("seed", "mean")
        assert chosen == compared[0]["seed"]
        weights = load_weights(tmp_path / "kingfisher.weights").parameters("B", part == "spirits")
        if chosen != "mean":
            best = load_weights(tmp_path / f"B-{part}-{chosen}" / "best.weights")
            assert weights == best.parameters("B", part == "spirits")
        else:
            assert about[part]["mean"] == [1, 2]
            assert about[part]["games"] == 10
    assert out.count("chosen") == 3
    # All of it comes out again from the checkpoints.
    before = (tmp_path / "kingfisher.weights").read_bytes()
    good(tmp_path, *TWO)
    assert (tmp_path / "kingfisher.weights").read_bytes() == before


def test_the_mean_is_what_the_runs_came_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the matches say so, the file has the mean of the last networks of the runs."""

    matches = []

    def last_first(
        side: str, nets: list[bytes], width: Any, deals: int, workers: Any, kinds: tuple[bool, ...]
    ) -> list[Standing]:
        matches.append((side, len(nets), deals, set(kinds)))
        return [Standing(number, 0.5, 0.0, 0.0) for number in reversed(range(len(nets)))]

    monkeypatch.setattr("engine_cli.training.program.rank", last_first)
    good(tmp_path, *TWO)
    # The deals asked for among the seeds, four times as many of its kind at the end.
    assert matches == [
        ("B", 2, 2, {False, True}), ("B", 3, 8, {False}), ("B", 3, 8, {True})
    ]  # fmt: skip
    weights = load_weights(tmp_path / "kingfisher.weights")
    winner = weights.header["trained"]["B"]["seed"]
    assert winner == 2
    for part, spirits in (("plain", False), ("spirits", True)):
        ends = []
        for seed in (1, 2):
            settings = replace(_settings(tmp_path / f"B-{part}-{seed}"), seed=seed)
            follower = Run(settings, Workers(), part)
            unpack((tmp_path / f"B-{part}-{seed}" / "checkpoint").read_bytes(), follower)
            ends.append(np.frombuffer(follower.current, np.float32))
        assert (ends[0] != ends[1]).any()
        found = np.frombuffer(weights.parameters("B", spirits), np.float32)
        np.testing.assert_allclose(found, (ends[0] + ends[1]) / 2, rtol=1e-5, atol=1e-8)


def _settings(folder: Path) -> Settings:
    """The settings that a run wrote down."""
    data = json.loads((folder / "settings.json").read_text())
    del data["before"]
    data = {
        name: tuple(tuple(x) if isinstance(x, list) else x for x in value)
        if isinstance(value, list)
        else value
        for name, value in data.items()
    }
    return Settings(**data | {"mixture": tuple(Configuration(*kind) for kind in data["mixture"])})


def test_damage_in_a_run_that_goes_on(done: Path, tmp_path: Path) -> None:
    """Nothing is trained again or taken from another run in silence."""
    shutil.copytree(done, tmp_path / "run")
    file = tmp_path / "run" / "B-look" / "settings.json"
    settings = file.read_text()
    file.write_text("{}")
    assert (
        "settings.json: the run there has averaging None instead of"
        in run(tmp_path / "run", *ONE, "--games", 12).stderr
    )
    file.write_text(settings)
    other = (tmp_path / "run" / "B-plain-7" / "checkpoint").read_bytes()
    (file.parent / "checkpoint").write_bytes(other)
    assert (
        "B-look/checkpoint: the state of another run: B 7 plain"
        in run(tmp_path / "run", *ONE, "--games", 12).stderr
    )


def test_what_goes_on_must_beat_what_was(tmp_path: Path) -> None:
    """What the last runs begin with is compared with the best network of the winner."""
    good(tmp_path, *ONE, "--games", 12)
    for part in ("look", "plain-7", "spirits-7"):
        first = rows(tmp_path / f"B-{part}" / "log.csv")[0]
        assert 0 <= float(first["best_win"]) <= 1
        assert (first["promoted"] == "1") == (float(first["best_win"]) > 0.5)


def test_minutes_bound_all_of_it(tmp_path: Path) -> None:
    args = list(ONE)
    for option in ("--look-games", "--special-games"):
        del args[args.index(option) : args.index(option) + 2]
    good(tmp_path, *args, "--minutes", "0.0001")
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"B-7"}


def test_no_special_games(tmp_path: Path) -> None:
    good(tmp_path, *ONE, "--games", 3, "--special-games", 0, "--look-games", 0)
    weights = load_weights(tmp_path / "kingfisher.weights")
    best = load_weights(tmp_path / "B-7" / "best.weights")
    for spirits in (False, True):
        assert weights.parameters("B", spirits) == best.parameters("B", True)
    assert not (tmp_path / "B-plain-7").exists()


def test_special_games_of_one_kind(tmp_path: Path) -> None:
    """Where no game has spirits, the network for them is that of all games."""
    good(tmp_path, *ONE, "--games", 3, "--mixture", "2:1")
    assert not (tmp_path / "B-spirits-7").exists()
    weights = load_weights(tmp_path / "kingfisher.weights")
    best = load_weights(tmp_path / "B-look" / "best.weights")
    assert weights.parameters("B", True) == best.parameters("B", True)
    plain = load_weights(tmp_path / "B-plain-7" / "best.weights")
    assert weights.parameters("B", False) == plain.parameters("B", False)


def test_longer_before_the_special_games(tmp_path: Path) -> None:
    """They begin again from what is better now, as if that had been asked for at once."""
    good(tmp_path / "twice", *ONE, "--games", 3)
    first = (tmp_path / "twice" / "B-plain-7" / "checkpoint").read_bytes()
    assert "plain begins anew" in good(tmp_path / "twice", *ONE, "--games", 6)
    settings = json.loads((tmp_path / "twice" / "B-plain-7" / "settings.json").read_text())
    assert settings["before"].startswith("B seed 7 look after 7 games, ")
    assert (tmp_path / "twice" / "B-plain-7.1" / "checkpoint").read_bytes() == first
    for name in SPECIAL:
        log = rows(tmp_path / "twice" / name / "log.csv")
        assert [row["games"] for row in log] == ["7", "10"]


def test_special_games_killed_and_gone_on(tmp_path: Path) -> None:
    args = (*ONE, "--games", "3", "--special-games", "60")
    process = start(tmp_path / "killed", *args)
    log = tmp_path / "killed" / "B-spirits-7" / "log.csv"
    end = time.monotonic() + WAIT
    while time.monotonic() < end and not (log.exists() and int(rows(log)[-1]["games"]) > 4):
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=WAIT)
    assert "B seed 7 spirits goes on after" in good(tmp_path / "killed", *args)
    good(tmp_path / "whole", *args)
    for name in SPECIAL:
        logs = [rows(tmp_path / at / name / "log.csv") for at in ("killed", "whole")]
        assert [row["points"] for row in logs[0]] == [row["points"] for row in logs[1]]
    weights = [
        load_weights(tmp_path / at / "kingfisher.weights").parameters("B", spirits)
        for at in ("killed", "whole")
        for spirits in (False, True)
    ]
    assert weights[:2] == weights[2:]
