"""`harmonies tournament`, `harmonies games` and `harmonies report` as people use them."""

import csv
import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine_cli.main import main
from engine_cli.match.config import Tournament
from engine_cli.match.configfile import FileError, read_file
from engine_cli.match.engines import BUILTIN, EngineError, builtin, distinct, parse_engine
from engine_cli.match.limits import Limits, LimitsError
from engine_cli.match.plan import PlanError, make_plan
from harmonies_core.cards import BUILTIN_PACKS

FAULTY = Path(__file__).parent / "engines" / "faulty.py"


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def faulty(name: str, fault: str) -> str:
    paths = ":".join(filter(None, sys.path))
    return f"name={name} cmd='{sys.executable} {FAULTY} {fault}' env.PYTHONPATH={paths}"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small tournament with a forfeit in every other game."""
    folder = tmp_path_factory.mktemp("played") / "run"
    result = run(
        *("tournament", "greedy", "--engine", faulty("<bad>", "illegal"), "--rounds", "2"),
        *("--nodes", "500", "--sprt", "0", "20", "--out", str(folder), "--logs"),
    )
    assert result.exit_code == 0, result.output
    return folder


# -- tournament -----------------------------------------------------------------------------


def test_two_names_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("tournament", "greedy", "random", "--rounds", "2", "--nodes", "200")
    result = run(*command)
    assert result.exit_code == 0, result.output
    assert re.search(r"greedy +│ +4 │ \d \d \d │ +\d+\.\d %", result.output)
    assert re.search(r"greedy - random: \+\d =\d -\d, margin", result.output)
    (folder,) = (tmp_path / "tournaments").iterdir()
    assert folder.name.startswith("greedy-random-")
    assert f"4 of 4 games; all in {Path('tournaments') / folder.name}" in result.output
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = run(*command)
    assert "4 of 4 games, 4 of them before this run" in again.output
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    more = run(*command[:-3], "3", "--nodes", "200")
    assert "6 of 6 games, 4 of them before this run" in more.output
    assert "beyond" not in more.output
    fewer = run(*command[:-3], "2", "--nodes", "200")
    assert "6 of 6 games, 6 of them before this run" in fewer.output
    (line,) = [line for line in fewer.output.splitlines() if "beyond" in line]
    assert line == "2 games that were played before are beyond --rounds 2; the results include them"


def test_same_engine_on_both_seats_meets_the_same_luck(tmp_path: Path) -> None:
    """The seats are exchanged on one deal: equal players get equal points, game by game."""
    result = run(
        *("tournament", "greedy", "greedy", "--rounds", "3", "--nodes", "300"),
        *("--out", str(tmp_path), "--side", "B", "--spirits"),
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"greedy - greedy#2: \+(\d) =\d -\1,", result.output)
    assert "margin 0.0 ± 0.0 points" in result.output
    with open(tmp_path / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for first in range(0, len(rows), 4):
        points = [(row["seat"], row["points"]) for row in rows[first : first + 4]]
        assert points[:2] == points[2:]


def test_three_seats_and_solo(tmp_path: Path) -> None:
    table = run(
        *("tournament", "greedy", "random", "--players", "3", "--rounds", "1"),
        *("--nodes", "100", "--out", str(tmp_path / "three")),
    )
    assert table.exit_code == 0, table.output
    assert "rank ± se" in table.output
    assert "greedy - random: ahead in" in table.output
    solo = run(
        *("tournament", "greedy", "random", "--players", "1", "--rounds", "2"),
        *("--nodes", "100", "--out", str(tmp_path / "solo")),
    )
    assert solo.exit_code == 0, solo.output
    assert "suns ± se" in solo.output
    assert "points on the same deals" in solo.output
    for folder in ("three", "solo"):
        assert "verified" in run("games", str(tmp_path / folder), "--verify").output


def test_engines_of_every_kind_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_text(
        f"""
        [tournament]
        format = "gauntlet"
        rounds = 1
        nodes = 100
        out = "{tmp_path / "out"}"

        [[engine]]
        name = "mine"
        command = "{sys.executable}"
        arguments = ["faulty.py", "none"]
        folder = "{FAULTY.parent}"
        options = {{ Level = 2 }}
        environment = {{ PYTHONPATH = "{":".join(filter(None, sys.path))}" }}
        limits = {{ depth = 1 }}

        [[engine]]
        name = "random"
        """
    )
    result = run("tournament", "greedy", "--config", str(file))
    assert result.exit_code == 0, result.output
    assert "4 of 4 games" in result.output  # greedy meets the two others
    record = (tmp_path / "out" / "games.hgn").read_text()
    assert '[TimeControl2 "depth 1"]' in record
    told = json.loads((tmp_path / "out" / "tournament.json").read_text())
    assert [engine["name"] for engine in told["tournament"]["engines"]] == [
        "greedy",
        "mine",
        "random",
    ]


def test_faults_are_told_and_logged(played: Path) -> None:
    result = run("tournament", "greedy", "--engine", faulty("<bad>", "illegal"), "--rounds", "2",
                 "--nodes", "500", "--sprt", "0", "20", "--out", str(played), "--logs")  # fmt: skip
    assert "<bad>: illegal-turn 4 x (the turn breaks a rule, or is not whole)" in result.output
    assert "4 of 4 games, 4 of them before this run" in result.output
    assert "SPRT 0, 20 (normalized Elo): LLR 0." in result.output
    logs = "".join(path.read_text() for path in sorted((played / "logs").iterdir()))
    assert "< bestmove g1,Wa1,Wa1,Wa1" in logs
    assert "> newgame players 2 side A spirits off packs base" in logs


def test_results_are_a_plain_table(played: Path) -> None:
    with open(played / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    by_name = {(row["game"], row["engine"]): row for row in rows}
    lost = by_name["1-1-1", "<bad>"]
    assert (lost["end"], lost["fault"], lost["rank"], lost["score"]) == (
        "illegal-turn", "illegal-turn", "2", "0",
    )  # fmt: skip
    assert "'g1,Wa1,Wa1,Wa1'" in lost["detail"]
    for row in rows:
        parts = [int(row[name]) for name in ("trees", "mountains", "fields", "buildings")]
        parts += [int(row[name]) for name in ("water", "animals", "spirit")]
        assert sum(parts) == int(row["points"])


BAD_LINES = [
    (["greedi", "random"], "'greedi' is no engine known here"),
    (["kingfisher-11", "random"], "levels go from 1 to 10"),
    ([], "no engines"),
    (["greedy"], "at least two engines"),
    (["greedy", "random", "--clock", "1000", "--movetime", "5"], "clock and movetime contradict"),
    (["greedy", "random", "--increment", "5"], "increment needs a clock"),
    (["greedy", "random", "--sprt", "5", "0"], "5 is not less than 0"),
    (["greedy", "random", "--alpha", "0.05"], "alpha: is for --sprt"),
    (["greedy", "random", "kingfisher", "--sprt", "0", "5"], "is for two engines and two seats"),
    (["greedy", "random", "kingfisher", "--format", "match"], "two engines, not 3"),
    (["greedy", "--engine", "name=x"], "there is no cmd="),
    (["greedy", "--engine", "builtin=sparrow"], "builtin=sparrow, expected one of random"),
    (["greedy", "--engine", "builtin=greedy cmd=x"], "builtin=greedy, expected"),
    (["greedy", "--engine", "cmd=x colour=red"], "'colour' is not one of"),
    (["greedy", "--engine", "cmd='x"], "No closing quotation"),
    (["greedy", "--engine", "cmd=x movetime=soon"], "movetime=soon, expected a whole number"),
    (["greedy", "--engine", "cmd=x clock=1 movetime=1"], "engine x: clock and movetime contradict"),
    (["greedy", "random", "--packs", "nope"], "nope"),
    (["greedy", "random", "--config", "/nowhere.toml"], "/nowhere.toml: cannot be read"),
]


@pytest.mark.parametrize(("words", "message"), BAD_LINES, ids=[m for _, m in BAD_LINES])
def test_bad_command_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("tournament", *words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("cmd=/bin/false", "no-start: "),
        ("cmd=/nowhere/engine", "no-start: engine: /nowhere/engine cannot be run"),
        (faulty("x", "none") + " option.Nope=1", "refused: x: the engine has no option Nope"),
        (faulty("x", "none") + " option.Level=9", "expected a number from 1 to 3, found '9'"),
    ],
)
def test_bad_engine_is_said_before_anything_is_written(
    engine: str, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    result = run("tournament", "greedy", "--engine", engine, "--out", str(folder))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert not folder.exists()


def test_without_check_a_bad_engine_forfeits(tmp_path: Path) -> None:
    result = run("tournament", "greedy", "--engine", "name=x cmd=/nowhere/engine", "--no-check",
                 "--rounds", "1", "--nodes", "10", "--out", str(tmp_path))  # fmt: skip
    assert result.exit_code == 0
    assert "x: no-start 2 x" in result.output


def test_folder_of_another_tournament(played: Path) -> None:
    before = {path.name: path.read_bytes() for path in played.iterdir() if path.is_file()}
    result = run("tournament", "greedy", "random", "--nodes", "500", "--out", str(played))
    assert result.exit_code == 1
    assert (
        'holds another tournament (engines 2.name: "<bad>" there, "random" here)' in result.stderr
    )
    assert {p.name: p.read_bytes() for p in played.iterdir() if p.is_file()} == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "not TOML"),
        ("[turnament]", "'turnament', expected [tournament] and [[engine]]"),
        ("[tournament]\nround = 5", "tournament: 'round' is not one of"),
        ('[tournament]\nrounds = "many"', "tournament: rounds = 'many', expected a whole number"),
        ("[tournament]\nrounds = true", "rounds = True, expected a whole number"),
        ("[tournament]\nrounds = 0", "rounds: 0, expected a number from 1"),
        ("[tournament]\nside = 'C'", "side: 'C', expected one of A, B"),
        ("[tournament]\nsprt = [0]", "sprt: expected two"),
        ("[[engine]]\nname = 'x'", "engine 1: no command, and 'x' is no built-in engine"),
        ("[[engine]]\ncommand = 'x'\nlimits = {depht = 1}", "depht: no such limit"),
        ("[[engine]]\ncommand = 'x'\nlimits = {depth = 1.5}", "depth: 1.5, expected a whole"),
        ("[[engine]]\ncommand = 'x'\noptions = {a = []}", "options.a: expected a text"),
        ("[[engine]]\ncommand = 'x'\narguments = [1]", "arguments: expected texts"),
        ("[[engine]]\ncommand = 'x'\nname = \"a\\nb\"", "engine name"),
    ],
)
def test_bad_file(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(PlanError) as caught:
        make_plan(("greedy", "random"), (), str(file), {})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_command_line_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[tournament]\nclock = 5000\nincrement = 10\nrounds = 3\nseed = 4\n")
    plan = make_plan(("greedy", "random"), (), str(file), {"nodes": 7, "rounds": 9})
    assert plan.tournament.engines[0].limits == Limits(nodes=7)
    assert (plan.tournament.rounds, plan.tournament.seed) == (9, 4)
    assert read_file(str(file))[0]["rounds"] == 3
    with pytest.raises(FileError):
        read_file(str(tmp_path))


def test_builtin_names() -> None:
    for name in (*BUILTIN, "level4"):
        engine = builtin(name, {})
        assert engine is not None
        assert (engine.name, engine.command) == (name, ())
    assert builtin("level4", {}).options == {"Strength": "4"}  # type: ignore[union-attr]
    assert builtin("kingfisher-10", {}).options == {"Strength": "10"}  # type: ignore[union-attr]
    assert builtin("sparrow", {}) is None
    with pytest.raises(EngineError, match="1 to 10"):
        builtin("kingfisher-0", {})


def test_engine_as_text() -> None:
    engine = parse_engine(
        "cmd='python3 -u my.py' dir=/srv name='My bot' option.Hash=64 env.A=b clock=9000 "
        "increment=50",
        {"movetime": 5},
    )
    assert engine.command == ("python3", "-u", "my.py")
    assert (engine.name, engine.folder) == ("My bot", "/srv")
    assert (engine.options, engine.environment) == ({"Hash": "64"}, {"A": "b"})
    assert engine.limits == Limits(clock=9000, increment=50)
    assert parse_engine("cmd=/opt/x/run", {"movetime": 5}).limits == Limits(movetime=5)
    small = parse_engine("builtin=greedy name=small nodes=5 option.Seed=3", {})
    assert (small.command, small.limits) == ((), Limits(nodes=5))
    assert small.options == {"Algorithm": "greedy", "Seed": "3"}
    assert [e.name for e in distinct([engine, engine, engine])] == [
        "My bot",
        "My bot#2",
        "My bot#3",
    ]


@pytest.mark.parametrize(
    "values", [{"clock": 0}, {"movetime": -1}, {"nodes": 2**40}, {"increment": 1}, {"depth": True}]
)
def test_limits_out_of_range(values: dict[str, int]) -> None:
    with pytest.raises(LimitsError):
        Limits.read(values)


def test_fingerprint_counts_what_changes_games() -> None:
    engines = tuple(e for name in ("greedy", "random") if (e := builtin(name, {})))
    base = Tournament(engines)
    assert base.fingerprint() == Tournament(engines, rounds=99).fingerprint()
    assert base.fingerprint() != Tournament(engines, seed=1).fingerprint()
    assert base.fingerprint() != Tournament(engines[::-1]).fingerprint()


def test_user_pack_counts_by_its_contents(tmp_path: Path) -> None:
    pack = tmp_path / "own.toml"
    text = (
        '[pack]\nformat = 1\nname = "own"\ntitle = "Mine"\nversion = "1"\nverified = false\n'
        'mirrors = false\n\n[[card]]\nid = 99\nname = "Fox"\nkind = "animal"\npoints = [3, 8]\n'
        'cube_on = "BLD"\nothers = [{ at = [-1, 0], stack = "MMM" }]\n'
    )
    pack.write_text(text)
    given = {"packs": ("base", str(pack)), "rounds": 1, "nodes": 50, "out": str(tmp_path / "out")}
    first = make_plan(("greedy", "random"), (), None, given).tournament.fingerprint()
    result = run("tournament", "greedy", "random", "--packs", "base", "--packs", str(pack),
                 "--rounds", "1", "--nodes", "50", "--out", str(tmp_path / "out"))  # fmt: skip
    assert result.exit_code == 0, result.output
    assert not re.search(r"refused|illegal", result.output)
    assert "2A:base+own" in (tmp_path / "out" / "games.hgn").read_text()
    assert "2 games verified" in run(
        "games", str(tmp_path / "out"), "--verify", "--pack", str(pack)
    ).output  # fmt: skip
    pack.write_text(text.replace("[3, 8]", "[3, 9]"))
    assert make_plan(("greedy", "random"), (), None, given).tournament.fingerprint() != first
    assert "own" not in BUILTIN_PACKS


# -- games ----------------------------------------------------------------------------------


def test_games_are_listed_and_filtered(played: Path) -> None:
    everything = run("games", str(played))
    assert "4 games" in everything.output
    assert "1-1-2  <bad>" in everything.output
    assert "forfeits, illegal-turn" in everything.output
    assert "1 games" in run("games", str(played), "--game", "2-1-1").output
    assert "4 games" in run("games", str(played), "--end", "illegal-turn").output
    assert "4 games" in run("games", str(played), "--end", "forfeit").output
    assert "no such games" in run("games", str(played), "--end", "normal").output
    assert "no such games" in run("games", str(played), "--winner", "<bad>").output
    assert "2 games" in run("games", str(played), "--winner", "greedy", "--limit", "2").output
    lines = run("games", str(played / "games.hgn"), "--json").output.splitlines()
    assert [json.loads(line)["game"] for line in lines] == ["1-1-1", "1-1-2", "2-1-1", "2-1-2"]


def test_replay(played: Path) -> None:
    whole = run("games", str(played), "--game", "1-1-1", "--replay")
    assert whole.exit_code == 0
    assert whole.output.count("seat 1") >= 3
    one = run("games", str(played), "--game", "1-1-1", "--replay", "--turn", "1.2")
    assert "1.2 g" in one.output
    assert "1.1 g" not in one.output
    missing = run("games", str(played), "--game", "1-1-1", "--replay", "--turn", "40.1")
    assert missing.exit_code == 1
    assert missing.stderr == "harmonies: game 1-1-1: there is no turn 40.1\n"
    assert missing.stdout == ""


def test_export(played: Path, tmp_path: Path) -> None:
    for name in ("a.hgn", "a.json", "a.csv"):
        target = tmp_path / name
        result = run("games", str(played), "--winner", "greedy", "--export", str(target))
        assert "4 games written" in result.output
    assert "4 games verified" in run("games", str(tmp_path / "a.hgn"), "--verify").output
    assert len(json.loads((tmp_path / "a.json").read_text())) == 4
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 9
    wrong = run("games", str(played), "--export", str(tmp_path / "a.xls"))
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    result = run("tournament", "greedy", "random", "--rounds", "1", "--nodes", "50",
                 "--out", str(folder))  # fmt: skip
    assert result.exit_code == 0, result.output
    return folder


def tampered(finished: Path, tmp_path: Path, file: str, pattern: str, new: str) -> Path:
    for path in finished.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (tmp_path / file).read_text()
    changed = re.sub(pattern, new, text, count=1)
    assert changed != text
    (tmp_path / file).write_text(changed)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "pattern", "new", "message"),
    [
        ("games.hgn", r'(Result ")\d+', r"\g<1>999", "tag Result"),
        ("games.hgn", r"(?m)^2\.1 g\d", "2.1 g5", "game 1-1-1, line 1: "),
        ("games.hgn", r'(Seed ")\d+', r"\g<1>5", "not the deal of seed 5"),
        ("games.hgn", r"(?m)^(\d+\.\d [^{]*?)/(...)", r"\1/FLW", "line"),
        ("games.hgn", r'(Game ")1-1-1', r"\g<1>9-1-1", "game 9-1-1, line 1: is not in the results"),
        ("games.hgn", r'(Termination ")normal', r"\1?", "ended with '?', the results say 'normal'"),
        ("results.csv", r"(greedy,)\d+", r"\g<1>7", "the points are not those of the results"),
    ],
)
def test_verify_finds_what_was_changed(
    file: str, pattern: str, new: str, message: str, finished: Path, tmp_path: Path
) -> None:
    assert "2 games verified" in run("games", str(finished), "--verify").output
    folder = tampered(finished, tmp_path, file, pattern, new)
    result = run("games", str(folder), "--verify")
    assert result.exit_code == 1
    assert message in result.stderr
    assert "1 of 2 games are not as they must be" in result.stderr


def test_record_that_ends_early(finished: Path, tmp_path: Path) -> None:
    text = (finished / "games.hgn").read_text()
    (tmp_path / "cut.hgn").write_text(text[:-60])
    result = run("games", str(tmp_path / "cut.hgn"), "--verify")
    assert result.exit_code == 1
    assert "game 1-1-2, line" in result.stderr


def test_records_that_are_cut_are_listed_with_a_warning(finished: Path, tmp_path: Path) -> None:
    text = (finished / "games.hgn").read_text()
    assert run("games", str(finished)).stderr == ""
    second = text.index("[Event", 1)
    line = text.count("\n", 0, second) + 1
    last = text.rindex("\n", 0, -1) + 1
    cut = tmp_path / "cut.hgn"
    for end, why in (
        (len(text) - 60, "its last line"),
        (last, "it ended normally, but more turns follow the last one"),
        (last + 12, "its last line"),
        (text.index("[Position", second), "it has no tag Position"),
        (text.index("[Position", second) + 30, "its last line is not whole"),
        (text.index("\n\n1.1", second) + 1, "it ended normally, but has no turns"),
    ):
        cut.write_text(text[:end])
        for words in ((), ("--json",)):
            result = run("games", str(cut), *words)
            assert result.exit_code == 0
            assert "1-1-2" in result.stdout
            assert result.stderr.count("\n") == 1
            told = f"warning: {cut}, line {line}: the record of game 1-1-2 is cut off: {why}"
            assert result.stderr.startswith(told)
    cut.write_text(text[:last] + text[:last])
    assert run("games", str(cut)).stderr.endswith("; 1 more like it\n")
    assert run("games", str(cut), "--game", "1-1-1").stderr == ""


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for words in (("games", "/nowhere"), ("games", str(tmp_path)), ("report", str(tmp_path))):
        result = run(*words)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
        assert "cannot be read" in result.stderr
    (tmp_path / "x.hgn").write_bytes(b"\xff\xfe")
    assert "not UTF-8" in run("games", str(tmp_path / "x.hgn")).stderr


# -- report ---------------------------------------------------------------------------------


def test_report_is_one_page_of_its_own(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    result = run("report", str(played), "--out", str(target))
    assert result.exit_code == 0, result.output
    page = target.read_text()
    assert page.count("<svg") == 4  # no ratings: every game went one way
    assert "Course of the SPRT" in page
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page)
    assert "@import" not in page
    assert "<bad>" not in page.replace("&lt;bad&gt;", "")
    links = set(re.findall(r'<a href="#(game-[^"]+)"', page))
    ids = set(re.findall(r' id="(game-[^"]+)"', page))
    assert links
    assert links <= ids
    assert len(ids) == 4
    assert "illegal-turn 4 x" in page
    assert page == (run("report", str(played), "--out", str(target)) and target.read_text())


def test_report_of_few_games(played: Path) -> None:
    result = run("report", str(played), "--games", "0")
    assert result.exit_code == 0
    assert "0 of 4 games; the others" in (played / "report.html").read_text()
    (played / "report.html").unlink()
