"""The program `harmonies`, as people and scripts use it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine_cli.atomic import write_text
from engine_cli.main import main
from harmonies_core.game import Position
from harmonies_core.search.searcher import StopFlag

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parent.parent / "examples"

# The example files, by the name of the position in the data.
FILES = {
    "sidea-late_active_turn": "midgame.hfen",
    "sidea-full_hand": "midgame-full-hand.hfen",
    "sidea-early_spirit_choice": "midgame-spirit-choice.hfen",
    "sideb-full_hand": "midgame-side-b.hfen",
}
MIDGAME = {
    entry["position"]: entry
    for entry in json.loads((DATA / "midgame.json").read_text(encoding="utf-8"))["positions"]
}
EXAMPLE = str(EXAMPLES / "midgame.hfen")
COMMANDS = ("analyse", "cards", "compliance", "new", "score", "show")

OWN_PACK = """
[pack]
format = 1
name = "own"
title = "Mine"
version = "1"
verified = false
mirrors = false

[[card]]
id = 99
name = "[red]Fox & <Hen>"
kind = "animal"
points = [3, 8]
cube_on = "BLD"
others = [{ at = [-1, 0], stack = "MMM" }]
"""


def run(*args: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin, env=env)


def good(*args: str, stdin: str | bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def read_json(*args: str, stdin: str | None = None) -> Any:
    return json.loads(good(*args, "--json", stdin=stdin))


def bad(*args: str, stdin: str | bytes | None = None) -> str:
    """The one line on stderr of a command that fails."""
    result = run(*args, stdin=stdin)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1
    return result.stderr.strip()


def start_process(*args: str, **options: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "engine_cli.main", *args],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        **options,
    )


def write_pack(folder: Path) -> str:
    path = folder / "own.toml"
    path.write_text(OWN_PACK, encoding="utf-8")
    return str(path)


# The example positions against the data they were made from ----------------------------------


def seats(entry: dict[str, Any], data: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Players of the data with what a command says about their seats; P1 is the one to move."""
    mover = data["seat"] - 1
    return [
        (player, (data["boards"] if "boards" in data else data["seats"])[index])
        for player, index in zip(entry["players"], (mover, 1 - mover), strict=True)
    ]


@pytest.mark.parametrize("name", FILES)
def test_score_of_real_positions(name: str) -> None:
    file = str(EXAMPLES / FILES[name])
    scores = {**read_json("score", file), "seat": read_json("show", file)["seat"]}
    for player, seat in seats(MIDGAME[name], scores):
        wanted = player["score_if_ended_now"]
        assert {key: seat[key] for key in wanted} == wanted
        assert seat["cubes"] == len(player["cube_cells"])
        assert sum(card["points"] for card in seat["cards"]) == seat["animals"] + seat["spirit"]


@pytest.mark.parametrize("name", FILES)
def test_examples_hold_the_real_positions(name: str) -> None:
    entry = MIDGAME[name]
    data = read_json("show", str(EXAMPLES / FILES[name]))
    assert [sorted(group) for group in data["centre"]] == [sorted(g) for g in entry["central"]]
    assert data["row"] == entry["row"]
    assert data["bag"] == entry["bag_plus_hand"]
    for player, board in seats(entry, data):
        assert board["stacks"] == player["cells"]
        assert sorted(board["cubes"]) == player["cube_cells"]
        assert board["empty"] == player["empty_cells"]
        remaining = {card["id"]: card["cubes"] - card["placed"] for card in board["cards"]}
        assert remaining == {
            card["id"]: card["remaining"] for card in player["active"] + player["done"]
        }
        assert player["spirit_choices"] == (data["offered"] or []) or player["player"] == "P2"


@pytest.mark.parametrize("name", FILES)
def test_examples_are_in_printed_form(name: str) -> None:
    file = EXAMPLES / FILES[name]
    text = file.read_text(encoding="utf-8").splitlines()[-1]
    assert read_json("show", str(file))["hfen"] == text


def test_score_prints_every_category() -> None:
    out = good("score", EXAMPLE)
    for word in ("trees", "mountains", "fields", "buildings", "river", "animals", "spirit"):
        assert word in out
    for word in ("total", "cubes", "rank", "Penguin", "Dragonfly", "water groups, size 2+ = 7"):
        assert word in out


def test_score_of_side_b_speaks_of_islands_and_solo_of_suns() -> None:
    assert "islands" in good("score", str(EXAMPLES / "midgame-side-b.hfen"))
    solo = good("new", "--players", "1", "--seed", "1")
    out = good("score", stdin=solo)
    assert re.search(r"^\d suns?$", out, re.MULTILINE)
    assert "rank" not in out
    assert isinstance(read_json("score", stdin=solo)["suns"], int)


# Where positions come from -------------------------------------------------------------------


def test_position_as_text_file_and_stdin() -> None:
    text = Path(EXAMPLE).read_text(encoding="utf-8")
    shown = good("show", EXAMPLE)
    assert good("show", text.splitlines()[-1]) == shown
    assert good("show", "-", stdin=text) == shown
    assert good("show", stdin=text) == shown
    assert good("show", stdin="\ufeff" + text.replace("\n", "\r\n")) == shown


def test_line_chooses_among_several(tmp_path: Path) -> None:
    lines = ["# two positions", "", Position.start(2).hfen(), Position.start(3).hfen()]
    file = tmp_path / "several.hfen"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert read_json("show", str(file))["players"] == 2
    assert read_json("show", str(file), "--line", "4")["players"] == 3
    assert "line 2" in bad("show", str(file), "--line", "2")
    assert "no line 5" in bad("show", str(file), "--line", "5")
    assert "--line" in bad("show", str(file), "--line", "0")
    assert "--line" in bad("show", lines[2], "--line", "1")


def test_positions_with_a_pack_of_ones_own(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    hfen = good("new", "--packs", "base", "--packs", pack, "--seed", "3").strip()
    assert hfen.startswith("2A:base+own ")
    assert read_json("show", hfen, "--pack", pack)["packs"] == ["base", "own"]
    assert "own" in bad("show", hfen)


# Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["show", "missing.hfen"], ["missing.hfen", "no such file"]),
        (["show", "a\nb"], ["no such file"]),
        (["show", "a\0b"], ["cannot be read"]),
        (["show", "."], [".:", "folder", "expected a file"]),
        (["score", sys.executable], [sys.executable, "expected a file with a position"]),
        (["show", ""], ["no such file"]),
        (["show", "2A nonsense"], []),
        (["show", "2A " * 100_000], []),
        (["analyse", EXAMPLE, "--lines", "0"], ["--lines", "1<=x<="]),
        (["analyse", EXAMPLE, "--lines", "many"], ["--lines", "many"]),
        (["analyse", EXAMPLE, "--algorithm", "magic"], ["--algorithm", "greedy"]),
        (["analyse", EXAMPLE, "--nodes", "-1"], ["--nodes"]),
        (["show", EXAMPLE, "--svg", "missing/board.svg"], ["missing/board.svg", "No such"]),
        (["show", EXAMPLE, "--svg", "."], [".:", "folder"]),
        (["show", EXAMPLE, "--svg", "a\0b"], ["cannot be written"]),
        (["show", EXAMPLE, "--svg", "b.svg", "--json"], ["--svg", "--json"]),
        (["show", EXAMPLE, "and", "more"], ["and"]),
        (["show", EXAMPLE, "--pack", "missing.toml"], ["--pack", "missing.toml", "no such file"]),
        (["cards", "unicorn"], ['"unicorn"', "base, pulse"]),
        (["cards", "bore"], ["did you mean", "Boar"]),
        (["cards", "128"], ['"128"']),
        (["cards", "--pack", "nopack"], ['"nopack"', "base, pulse"]),
        (["new", "--players", "5"], ["--players", "1<=x<=4"]),
        (["new", "--side", "C"], ["--side", "'A', 'B'"]),
        (["new", "--seed", "x"], ["--seed"]),
        (["new", "--packs", "base+nopack"], ['"nopack"']),
        (["unheard-of"], ["unheard-of"]),
        (["show", EXAMPLE, "--unheard-of"], ["--unheard-of"]),
    ],
)
def test_bad_input_is_one_line(
    args: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = bad(*args)
    assert line.startswith("harmonies")
    for word in words:
        assert word in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"\n\n", b"# only a comment\n"])
def test_files_without_a_position(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "empty.hfen"
    file.write_bytes(data)
    assert f"{file}: expected a position, found none" in bad("show", str(file))
    assert "standard input: expected a position" in bad("show", stdin=data)


def test_binary_data_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "binary.hfen"
    file.write_bytes(b"# fine\n\xff\xfe\x00")
    assert f"{file}, line 2: not UTF-8" in bad("show", str(file))
    assert "standard input, line 2: not UTF-8" in bad("score", "-", stdin=file.read_bytes())


def test_bad_position_in_a_file_names_file_line_and_field(tmp_path: Path) -> None:
    file = tmp_path / "bad.hfen"
    text = Path(EXAMPLE).read_text(encoding="utf-8").splitlines()[-1]
    file.write_text(f"# seat 9\n{text.replace(' 2 6 -', ' 9 6 -')}\n", encoding="utf-8")
    line = bad("show", str(file))
    assert f"{file}, line 2: " in line
    assert "seat" in line
    assert "9" in line


def test_pack_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(OWN_PACK.replace("[3, 8]", "[8, 3]"), encoding="utf-8")
    line = bad("cards", "--pack", str(file))
    assert str(file) in line
    assert "points" in line


# show ----------------------------------------------------------------------------------------


def test_show_prints_no_colours_without_a_terminal() -> None:
    out = good("show", EXAMPLE)
    assert "\x1b" not in out
    assert "seat 2 to move, turn 6" in out
    assert "17 Boar" in out


@pytest.mark.parametrize("env", [{"FORCE_COLOR": "1"}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}])
def test_colours_can_be_had_and_refused(env: dict[str, str]) -> None:
    env |= {"TERM": "xterm-256color"}
    with_colours = run("show", EXAMPLE, env=env).stdout
    assert ("\x1b[" in with_colours) is ("NO_COLOR" not in env)
    assert run("show", EXAMPLE, "--no-color", env=env).stdout == good("show", EXAMPLE)


def test_show_writes_svg(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    file.write_text("old", encoding="utf-8")
    assert good("show", EXAMPLE, "--svg", str(file)) == f"wrote {file}\n"
    picture = file.read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert good("show", EXAMPLE, "--svg", "-") == picture
    assert list(tmp_path.iterdir()) == [file]


# analyse -------------------------------------------------------------------------------------


def test_analyse_lists_the_best_turns() -> None:
    data = read_json("analyse", EXAMPLE, "--nodes", "2000", "--lines", "3")
    assert len(data["lines"]) == 3
    mover = [line["expected"][data["seat"] - 1] for line in data["lines"]]
    assert mover == sorted(mover, reverse=True)
    for line in data["lines"]:
        Position.from_hfen(data["hfen"]).push(line["turn"])
    later = Position.from_hfen(data["hfen"])
    later.push(data["lines"][0]["turn"])
    assert data["score_after"] == later.score(data["seat"]).as_dict()
    assert data["score_before"]["total"] == 15
    assert data == {
        **read_json("analyse", EXAMPLE, "--nodes", "2000", "--lines", "3"),
        "time_ms": data["time_ms"],
    }


def test_analyse_for_people() -> None:
    args = ("analyse", EXAMPLE, "--nodes", "2000", "--lines", "2")
    data = read_json(*args)
    out = good(*args)
    assert f"best: {data['lines'][0]['turn']}\n" in out
    for line in data["lines"]:
        assert f"{line['expected'][1]:.1f}" in out
        if re.search(r"\+\d", line["turn"]):
            assert re.search(r"\+\d+ \([A-Z][a-z ]+\)", line["text"])
    assert "after the best turn" in out
    assert "Traceback" not in out


@pytest.mark.parametrize("example", FILES.values())
def test_analyse_works_on_every_example(example: str) -> None:
    data = read_json("analyse", str(EXAMPLES / example), "--nodes", "500", "--lines", "1")
    assert len(data["lines"]) == 1


def test_analyse_of_a_position_without_a_move() -> None:
    position = Position.from_hfen(good("new", "--seed", "1").strip())
    position.push(read_json("analyse", position.hfen(), "--nodes", "100")["lines"][0]["turn"])
    assert position.phase == "chance"
    line = bad("analyse", position.hfen())
    assert "nothing to analyse" in line
    assert "to be dealt: 1 central space" in line
    assert "to be dealt" in good("show", position.hfen())


# new -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("side", ["A", "B"])
def test_new_deals_positions(players: int, side: str) -> None:
    args = ("new", "--players", str(players), "--side", side, "--spirits", "--seed", "7")
    hfen = good(*args).strip()
    wanted = Position.start(players, side, spirits=True, seed=7)
    assert hfen == f"{wanted.hfen()} seed:7"
    assert Position.from_hfen(hfen) == wanted
    data = read_json(*args)
    assert (data["players"], data["side"], data["hfen"], data["seed"]) == (players, side, hfen, 7)
    assert good("show", hfen)


def test_new_without_a_seed_deals_another_game_each_time() -> None:
    assert len({good("new") for _ in range(5)}) > 1


def test_new_deals_one_position_for_each_seed() -> None:
    several = good("new", "--seed", "5", "--count", "3").splitlines()
    assert several == [good("new", "--seed", seed).strip() for seed in ("5", "6", "7")]
    data = json.loads(good("new", "--seed", "5", "--count", "3", "--json"))
    assert [each["hfen"] for each in data] == several
    assert bad("new", "--seed", str(2**60 - 1), "--count", "2").startswith(
        "harmonies new: --count 2 "
    )


def test_new_with_packs_and_river() -> None:
    assert good("new", "--packs", "base+pulse", "--river", "loop").startswith("2Al:base+pulse ")


# cards ---------------------------------------------------------------------------------------


def test_cards_agree_with_the_data() -> None:
    table = json.loads((DATA / "cards.json").read_text(encoding="utf-8"))["cards"]
    printed = read_json("cards", "--pack", "base")
    assert len(printed) == len(table) == 42
    for card, wanted in zip(printed, table, strict=True):
        for key in ("id", "name", "kind", "cube_on", "others"):
            assert card[key] == wanted[key]
        assert card["points"] == wanted.get("points", [])


def test_cards_by_number_and_name() -> None:
    assert [card["id"] for card in read_json("cards", "17", "arctic fox", "Panda")] == [17, 29, 51]
    out = good("cards", "boar")
    assert "Boar" in out
    assert "/ BLD  \\______" in out
    assert "\\______/ TL*  \\" in out
    assert "Ray" not in out


def test_cards_of_all_packs() -> None:
    out = good("cards")
    assert "Crocodile" in out
    assert "Tortoise" in out
    assert "Beetle" in out
    assert "pack pulse were not compared" in out
    assert "pack base were not" not in out


def test_cards_of_a_pack_of_ones_own(tmp_path: Path) -> None:
    out = good("cards", "--pack", write_pack(tmp_path))
    assert "[red]Fox & <Hen>" in out


# The program around them ---------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_name_real_options(command: str) -> None:
    out = good(command, "--help")
    assert out == good(command, "-h")
    head, _, examples = out.partition("Examples:\n")
    assert len(examples.splitlines()) >= 2
    for line in examples.splitlines():
        assert line.startswith("    harmonies ")
    for option in re.findall(r"--[a-z]+", examples):
        assert option in head


def test_examples_of_the_help_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-cards.toml").write_text(OWN_PACK, encoding="utf-8")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "game.hfen").write_text(Position.start(seed=7).hfen(), encoding="utf-8")
    (tmp_path / "positions.hfen").write_text(f"\n\n{Position.start().hfen()}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        if command == "compliance":
            continue  # its engines are not here; tests/test_compliance.py
        for line in good(command, "--help").partition("Examples:\n")[2].splitlines():
            words = re.findall(r'"[^"]+"|[^ "]+', line.strip().removeprefix("harmonies "))
            words = [word.strip('"') for word in words if "|" not in line]
            if command == "analyse":
                words += ["--movetime", "200"]
            if words:
                assert good(*words)


def test_without_a_command_it_shows_the_help() -> None:
    assert good() == good("--help")
    for command in COMMANDS:
        assert f"\n  {command} " in good()


def test_version() -> None:
    assert re.fullmatch(r"harmonies \d+\S*\n", good("--version"))


def test_nobody_hears_of_a_closed_pipe() -> None:
    process = start_process("cards")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=60)


@pytest.mark.skipif(os.name == "nt", reason="Windows has another Ctrl-C")
def test_ctrl_c_is_quiet() -> None:
    process = start_process("show", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    # More than any pipe holds: when it is written, the program has begun to read.
    process.stdin.write(b"\n" * 1_000_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows has another Ctrl-C")
def test_ctrl_c_stops_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = []

    def search(*_: object, stop: StopFlag, **__: object) -> list[object]:
        flags.append(stop)
        os.kill(os.getpid(), signal.SIGINT)
        deadline = time.monotonic() + 30
        while not stop.is_set() and time.monotonic() < deadline:
            time.sleep(0.01)
        return []

    # The package has a command of the same name as its module.
    monkeypatch.setattr(sys.modules["engine_cli.commands.analyse"], "search", search)
    result = run("analyse", EXAMPLE)
    assert result.exit_code == 130
    assert result.output.strip() == ""
    assert flags[0].is_set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        process = start_process("show", EXAMPLE, stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.startswith(b"harmonies: cannot write the output: ")
    assert err.count(b"\n") == 1


def test_terminals_without_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN_PACK.replace("[red]Fox", "R\u00e9nard"), encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = start_process("cards", "--pack", str(path), env=env)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err == b""
    assert "R?nard" in out.decode("ascii")


def test_files_are_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file.txt"
    write_text(file, "first\n")
    os.chmod(file, 0o640)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space left"):
            write_text(file, "second\n")
    assert file.read_text(encoding="utf-8") == "first\n"
    assert list(tmp_path.iterdir()) == [file]
    write_text(file, "third\n")
    assert file.read_bytes() == b"third\n"
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o640
