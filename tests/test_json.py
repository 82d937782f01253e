"""harmonies-engine --json: queries, answers, priorities, termination, and what is wrong."""

import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_cli.commands.analyse import analyse
from engine_cli.jsonmode.settings import offered
from engine_cli.main import main
from engine_cli.protocol import go
from engine_cli.protocol.failure import RequestError
from engine_cli.protocol.options import Options
from engine_cli.protocol.words import Words
from engine_process import COMMAND, EngineProcess, engine_environment
from harmonies_core import Position
from harmonies_core.search import searcher
from json_talk import QUERY, Analysis
from talk import Talk

DOCUMENT = Path(__file__).parent.parent / "docs" / "json.md"
START = "2A 5/4/5/4/5|- 5/4/5/4/5|- MLR,MMF,RRR,WMR,TFR 17,20,16,8,23 1 1 -"
FIRST = "g1,Ma1,La2,Rb1"
NODES = {"nodes": 200}


@pytest.fixture
def one_by_one() -> Iterator[Analysis]:
    with Analysis() as analysis:
        yield analysis


class Gate:
    """Stands for the search: waits until it is opened or the search is stopped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began: list[str] = []
        self.changed = threading.Condition()
        self.open = False
        self._search = searcher.search
        monkeypatch.setattr(searcher, "search", self)

    def __call__(
        self,
        position: Position,
        limit: searcher.Limit,
        *,
        stop: searcher.StopFlag,
        on_info: Callable[[Sequence[searcher.Line]], None] | None = None,
        **rest: Any,
    ) -> list[searcher.Line]:
        with self.changed:
            self.began.append(position.hfen())
            self.changed.notify_all()
            while not self.open and not stop.is_set():
                self.changed.wait(0.002)
                if on_info is not None:
                    on_info(self._search(position, searcher.Limit(nodes=1)))
        return self._search(position, searcher.Limit(nodes=1))

    def wait(self, number: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.began) >= number, 20)

    def let_through(self) -> None:
        with self.changed:
            self.open = True
            self.changed.notify_all()


# -- answers --------------------------------------------------------------------------------


def test_every_turn_of_a_game(one_by_one: Analysis) -> None:
    talk = Talk()
    talk.quiet("newgame players 3 side B spirits on seed 5")
    moves: list[str] = []
    keys = [talk.query("key")]
    while talk.query("gameover") == "false":
        moves.append(talk.best())
        talk.quiet(f"position startpos moves {' '.join(moves)}")
        if talk.query("phase") == "chance":
            talk.one("deal")
        keys.append(talk.query("key"))
    query = {
        "id": "game",
        "game": {"players": 3, "side": "B", "spirits": True, "seed": 5},
        "moves": moves,
        "analyzeTurns": list(range(len(moves) + 1)),
        "limits": {"nodes": 1},
        "includePosition": True,
        "includeBreakdown": True,
    }
    QUERY.validate(query)
    one_by_one.send(query)
    answers = one_by_one.finish()
    assert [answer["turnNumber"] for answer in answers] == list(range(len(moves) + 1))
    assert [answer["rootInfo"]["key"] for answer in answers] == keys
    for number, answer in enumerate(answers[:-1]):
        root = answer["rootInfo"]
        assert (root["seat"], root["turn"]) == (number % 3 + 1, number // 3 + 1)
        position = Position.from_hfen(root["position"])
        assert [score["total"] for score in root["breakdown"]] == root["scores"]
        position.push(answer["moveInfos"][0]["move"])
    last = answers[-1]["rootInfo"]
    assert last["phase"] == "over"
    assert answers[-1]["moveInfos"] == []
    assert last["ranks"] == [int(rank) for rank in talk.query("ranks").split()]


def test_the_same_turns_as_in_a_session(one_by_one: Analysis) -> None:
    talk = Talk()
    talk.quiet(f"position hfen {START}")
    *lines, best = talk.until("go nodes 20000 depth 1 multipv 4", "bestmove")
    first = max(number for number, line in enumerate(lines) if " multipv 1 " in line)
    lines = lines[first:]  # the last report
    limits = {"nodes": 20000, "depth": 1}
    answer = one_by_one.one({"id": "x", "position": START, "limits": limits, "multipv": 4})
    infos = answer["moveInfos"]
    assert best == f"bestmove {infos[0]['move']}"
    assert [info["order"] for info in infos] == list(range(len(lines)))
    for line, info in zip(lines, infos, strict=True):
        assert f" pv {info['move']}" in line
        assert f" cp {round(100 * info['points'])} " in line
        assert f" seats {' '.join(str(round(100 * x)) for x in info['seats'])} " in line


def test_several_at_once_each_answered_once() -> None:
    with Analysis(jobs=4) as analysis:
        for number in range(12):
            query = {
                "id": f"q{number}",
                "game": {"seed": number, "players": number % 4 + 1},
                "limits": NODES,
            }
            QUERY.validate(query)
            analysis.send(query)
        answers = analysis.finish()
    assert sorted(answer["id"] for answer in answers) == sorted(f"q{n}" for n in range(12))
    assert not any(answer["isDuringSearch"] for answer in answers)


def test_seed_field_and_refills_that_nobody_knows(one_by_one: Analysis) -> None:
    query = {"id": "x", "moves": [FIRST], "limits": NODES}
    known = one_by_one.one({**query, "position": f"{START} seed:3"})
    assert known["rootInfo"]["phase"] == "turn"
    assert len(known["moveInfos"]) == 1
    unknown = one_by_one.one({**query, "position": START})
    assert unknown["rootInfo"]["phase"] == "chance"
    assert unknown["moveInfos"] == []


def test_options_and_searchmoves(one_by_one: Analysis) -> None:
    query = {"id": "x", "position": START, "limits": NODES, "searchmoves": [FIRST]}
    assert one_by_one.one(query)["moveInfos"][0]["move"] == FIRST
    moves = set()
    for seed in range(6):
        options = {"Algorithm": "random", "Seed": seed}
        answer = one_by_one.one({"id": "x", "position": START, "options": options})
        assert answer["rootInfo"]["nodes"] == 1
        moves.add(answer["moveInfos"][0]["move"])
    assert len(moves) > 1


def test_own_ids_come_back(one_by_one: Analysis) -> None:
    for name in ("", "é\u2028\ud800", '"\\\n', "x" * 10_000):
        query = {"id": name, "position": START, "limits": NODES}
        assert one_by_one.one(query)["id"] == name


# -- order, partial answers, termination ---------------------------------------------------------


def test_priorities(one_by_one: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    base = {"game": {}, "limits": NODES}
    one_by_one.send({"id": "first", **base})
    gate.wait(1)
    one_by_one.send({"id": "low", **base})
    one_by_one.send({"id": "last", "priority": -5, **base})
    one_by_one.send({"id": "high", "priority": 7, **base})
    one_by_one.send({"id": "also low", **base})
    each = {"moves": [FIRST], "analyzeTurns": [0, 1], "priorities": [8, 9]}
    one_by_one.send({"id": "turns", **base, "game": {"seed": 3}, **each})
    gate.let_through()
    answers = [(answer["id"], answer["turnNumber"]) for answer in one_by_one.finish()]
    assert answers == [
        ("first", 0),
        ("turns", 1),
        ("turns", 0),
        ("high", 0),
        ("low", 0),
        ("also low", 0),
        ("last", 0),
    ]


def test_partial_answers(one_by_one: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    one_by_one.send({"id": "p", "game": {}, "reportDuringSearchEvery": 0.001})
    partial = one_by_one.next(3)
    assert all(answer["isDuringSearch"] and answer["moveInfos"] for answer in partial)
    gate.let_through()
    rest = one_by_one.finish()
    assert [answer["isDuringSearch"] for answer in rest] == [True] * (len(rest) - 1) + [False]


def test_terminate(one_by_one: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    game = {"game": {"seed": 3}, "moves": [FIRST], "analyzeTurns": [0, 1]}
    one_by_one.send({"id": "a", **game})
    gate.wait(1)
    one_by_one.send({"id": "b", **game})
    one_by_one.send({"id": "c", **game})
    action = {"id": "t", "action": "terminate", "terminateId": "b", "turnNumbers": [1, 5]}
    QUERY.validate(action)
    one_by_one.send(action)
    acknowledged, gone = one_by_one.next(2)
    assert acknowledged == action
    assert gone == {"id": "b", "isDuringSearch": False, "turnNumber": 1, "noResults": True}
    one_by_one.send({"id": "u", "action": "terminate", "terminateId": "a"})
    answers = one_by_one.next(3)  # a 0 was being searched, a 1 was not
    assert answers[0] == {"id": "u", "action": "terminate", "terminateId": "a"}
    finals = {answer["turnNumber"]: answer for answer in answers[1:]}
    assert finals[0]["moveInfos"]
    assert finals[1]["noResults"]
    gate.wait(2)
    action = {"id": "v", "action": "terminate_all"}
    QUERY.validate(action)
    one_by_one.send(action)
    rest = one_by_one.finish()
    assert [answer for answer in rest if "action" in answer] == [action]
    ended = {(a["id"], a["turnNumber"]) for a in rest if "action" not in a}
    assert ended == {("b", 0), ("c", 0), ("c", 1)}


def test_version(one_by_one: Analysis) -> None:
    answer = one_by_one.one({"id": "v", "action": "query_version", "note": [1, None]})
    assert answer.pop("version") != ""
    assert answer == {
        "id": "v",
        "action": "query_version",
        "note": [1, None],
        "name": "Kingfisher",
        "protocol": 1,
    }


def test_a_search_that_fails(
    one_by_one: Analysis, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no\nway")

    monkeypatch.setattr(searcher, "search", broken)
    answer = one_by_one.one({"id": "x", "game": {}})
    assert (answer["noResults"], answer["isDuringSearch"]) == (True, False)
    assert "no" in answer["error"]
    assert "analysis failed" in capsys.readouterr().err


# -- what is wrong -------------------------------------------------------------------------------

GOOD = {"id": "x", "position": START}
BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"position": START}, "id"),
    ({**GOOD, "id": 3}, "id"),
    ({**GOOD, "id": None}, "id"),
    ({"id": "x"}, "position"),
    ({**GOOD, "position": 3}, "position"),
    ({**GOOD, "game": {}}, "game"),
    ({"id": "x", "game": []}, "game"),
    ({"id": "x", "game": {"players": 0}}, "game.players"),
    ({"id": "x", "game": {"players": 2.5}}, "game.players"),
    ({"id": "x", "game": {"players": True}}, "game.players"),
    ({"id": "x", "game": {"side": "C"}}, "game.side"),
    ({"id": "x", "game": {"spirits": "on"}}, "game.spirits"),
    ({"id": "x", "game": {"river": "long"}}, "game.river"),
    ({"id": "x", "game": {"packs": []}}, "game.packs"),
    ({"id": "x", "game": {"packs": "base"}}, "game.packs"),
    ({"id": "x", "game": {"seed": -1}}, "game.seed"),
    ({"id": "x", "game": {"seed": 2**60}}, "game.seed"),
    ({"id": "x", "game": {"colour": 1}}, "game.colour"),
    ({**GOOD, "moves": FIRST}, "moves"),
    ({**GOOD, "moves": [FIRST, 3]}, "moves[1]"),
    ({**GOOD, "moves": ["g1"] * 1001}, "moves"),
    ({**GOOD, "analyzeTurns": 0}, "analyzeTurns"),
    ({**GOOD, "analyzeTurns": [-1]}, "analyzeTurns[0]"),
    ({**GOOD, "analyzeTurns": [0, 0]}, "analyzeTurns"),
    ({**GOOD, "limits": 5}, "limits"),
    ({**GOOD, "limits": {"nodes": 0}}, "limits.nodes"),
    ({**GOOD, "limits": {"nodes": 2**53 + 1}}, "limits.nodes"),
    ({**GOOD, "limits": {"depth": 1001}}, "limits.depth"),
    ({**GOOD, "limits": {"depth": -1}}, "limits.depth"),
    ({**GOOD, "limits": {"movetime": "5"}}, "limits.movetime"),
    ({**GOOD, "limits": {"movetime": -1}}, "limits.movetime"),
    ({**GOOD, "limits": {"movetime": 2**31}}, "limits.movetime"),
    ({**GOOD, "limits": {"movtime": 5}}, "limits.movtime"),
    ({**GOOD, "options": []}, "options"),
    ({**GOOD, "options": {"Seed": None}}, "options.Seed"),
    ({**GOOD, "options": {"Seed": [1]}}, "options.Seed"),
    ({**GOOD, "multipv": 0}, "multipv"),
    ({**GOOD, "multipv": 501}, "multipv"),
    ({**GOOD, "searchmoves": []}, "searchmoves"),
    ({**GOOD, "searchmoves": [1]}, "searchmoves[0]"),
    ({**GOOD, "reportDuringSearchEvery": 0}, "reportDuringSearchEvery"),
    ({**GOOD, "reportDuringSearchEvery": "1"}, "reportDuringSearchEvery"),
    ({**GOOD, "priority": 2**31}, "priority"),
    ({**GOOD, "priorities": [1.5]}, "priorities[0]"),
    ({**GOOD, "includePosition": 1}, "includePosition"),
    ({**GOOD, "includeBreakdown": "yes"}, "includeBreakdown"),
    ({"id": "x", "action": "dance"}, "action"),
    ({"id": "x", "action": 3}, "action"),
    ({"id": "x", "action": "terminate"}, "terminateId"),
    ({"id": "x", "action": "terminate", "terminateId": 3}, "terminateId"),
    ({"id": "x", "action": "terminate_all", "turnNumbers": [-1]}, "turnNumbers[0]"),
]


@pytest.mark.parametrize(("query", "field"), BAD_FIELDS)
def test_bad_fields(one_by_one: Analysis, query: dict[str, Any], field: str) -> None:
    assert not QUERY.is_valid(query)
    answer = one_by_one.one(query)
    assert set(answer) == {"error", "field"} | ({"id"} if field != "id" else set())
    assert answer["field"] == field
    assert one_by_one.finish() == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({**GOOD, "position": "2A"}, "position"),
        ({**GOOD, "moves": ["zz"]}, "moves[0]"),
        ({**GOOD, "moves": [FIRST, FIRST]}, "moves[1]"),
        ({**GOOD, "analyzeTurns": [1]}, "analyzeTurns[0]"),
        ({**GOOD, "priority": 1, "priorities": [1]}, "priorities"),
        ({**GOOD, "priorities": [1, 2]}, "priorities"),
        ({**GOOD, "searchmoves": ["g1"]}, "searchmoves[0]"),
        ({**GOOD, "searchmoves": [FIRST, "g9"]}, "searchmoves[1]"),
        ({**GOOD, "options": {"Strongness": 3}}, "options.Strongness"),
        ({**GOOD, "options": {"LogFile": "x"}}, "options.LogFile"),
        ({**GOOD, "options": {"Seed": -1}}, "options.Seed"),
        ({"id": "x", "game": {"packs": ["nosuch"]}}, "game.packs"),
    ],
)
def test_fields_that_a_schema_cannot_judge(
    one_by_one: Analysis, query: dict[str, Any], field: str
) -> None:
    answer = one_by_one.one(query)
    assert (answer["field"], answer["id"]) == (field, "x")
    assert one_by_one.finish() == []


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "null",
        '{"id": "x"',
        "{'id': 'x'}",
        '{"id": NaN}',
        '{"id": "x", "priority": 1e999}',
        f'{{"id": "x", "priority": {"9" * 5000}}}',
        "[" * 100_000,
        b"\xff",
        b"\xef\xbb\xbf{}",
    ],
)
def test_lines_that_are_no_queries(one_by_one: Analysis, line: str | bytes) -> None:
    assert set(one_by_one.one(line)) == {"error"}


def test_unknown_fields_are_named(one_by_one: Analysis) -> None:
    one_by_one.send({**GOOD, "maxVisits": 5, "limits": NODES})
    first, second = one_by_one.finish()
    assert (first["field"], first["id"]) == ("maxVisits", "x")
    assert "warning" in first
    assert second["moveInfos"]


def test_null_is_as_good_as_nothing(one_by_one: Analysis) -> None:
    names = QUERY.schema["$defs"]["query"]["properties"]
    query = {**dict.fromkeys(names), "id": "x", "position": START, "limits": NODES}
    QUERY.validate(query)
    assert one_by_one.one(query)["moveInfos"]


def test_whole_numbers_may_have_a_point(one_by_one: Analysis) -> None:
    query = '{"id":"x","game":{"players":3.0},"limits":{"depth":1.0},"multipv":2.0}'
    QUERY.validate(json.loads(query))
    assert len(one_by_one.one(query)["moveInfos"]) == 2


@pytest.mark.parametrize(
    ("name", "bounds"), [("nodes", go.NODES), ("movetime", go.MOVETIME), ("depth", go.DEPTH)]
)
def test_limits_have_one_range_everywhere(name: str, bounds: tuple[int, int]) -> None:
    schema = QUERY.schema["$defs"]["query"]["properties"]["limits"]["properties"][name]
    assert (schema["minimum"], schema["maximum"]) == bounds
    (option,) = [option for option in analyse.params if option.name == name]
    assert isinstance(option.type, click.IntRange)
    assert (option.type.min, option.type.max) == bounds
    for value in bounds:
        go.parse_go(Words([name, str(value)]), 1)
    for value in (bounds[0] - 1, bounds[1] + 1):
        with pytest.raises(RequestError):
            go.parse_go(Words([name, str(value)]), 1)


@pytest.mark.parametrize("name", ["movetime", "depth"])
def test_least_limits(one_by_one: Analysis, name: str) -> None:
    assert one_by_one.one({**GOOD, "limits": {name: 0}})["moveInfos"]
    result = CliRunner().invoke(main, ["analyse", START, f"--{name}", "0"])
    assert result.exit_code == 0, result.output


PARTS = [
    *GOOD.values(),
    *(value for query, _ in BAD_FIELDS for value in query.values()),
    FIRST,
    [FIRST],
    NODES,
    {"seed": 3},
    [0],
]
NAMES = [*QUERY.schema["$defs"]["query"]["properties"], "id", "action", "terminateId", "x"]
some_queries = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(PARTS), max_size=5).map(
    lambda query: {**query, "limits": query.get("limits", NODES)}
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(some_queries, st.binary(max_size=30), st.text(max_size=30)), max_size=6))
def test_every_line_is_answered(lines: list[Any]) -> None:
    wanted = 0
    with Analysis(jobs=2) as analysis:
        for line in lines:
            analysis.send(line)
            empty = (
                isinstance(line, bytes | str)
                and not (line if isinstance(line, bytes) else line.encode()).strip()
            )
            wanted += not empty
        answers = analysis.finish()
    finals = [a for a in answers if "warning" not in a and not a.get("isDuringSearch")]
    assert len(finals) >= wanted or any("analyzeTurns" in line for line in lines)
    assert not any(a.get("error", "").startswith("internal") for a in answers)


@settings(max_examples=200, deadline=None)
@given(some_queries)
def test_what_the_schema_refuses_is_an_error(query: dict[str, Any]) -> None:
    if QUERY.is_valid(query):
        return
    with Analysis() as analysis:
        answer = analysis.one(query)
        assert "error" in answer
        assert analysis.finish() == []


# -- the process --------------------------------------------------------------------------------


def test_queue_is_finished_at_the_end_of_input() -> None:
    with EngineProcess("--json", "--jobs", "2") as engine:
        for number in range(8):
            engine.tell(json.dumps({"id": str(number), "game": {"seed": number}}))
        rest, status = engine.finish()
    assert status == 0
    assert sorted(json.loads(line)["id"] for line in engine.lines) == [str(n) for n in range(8)]
    assert len(rest) == 8


def test_pack_of_ones_own(tmp_path: Path) -> None:
    import harmonies_core

    pulse = Path(next(iter(harmonies_core.__path__))) / "packs" / "pulse.toml"
    text = pulse.read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(re.sub(r'(?m)^name = "pulse"', 'name = "mine"', text, count=1), "utf-8")
    with EngineProcess("--json", "--pack", str(mine)) as engine:
        query = {"id": "x", "game": {"packs": ["base", "mine"]}, "includePosition": True}
        answer = json.loads(engine.ask(json.dumps(query), "{"))
        assert answer["rootInfo"]["position"].startswith("2A:base+mine ")
        query = {"id": "x", "position": answer["rootInfo"]["position"]}
        assert json.loads(engine.ask(json.dumps(query), "{"))["moveInfos"]


@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        (["--help"], 0, "--json", ""),
        (["--version"], 0, "harmonies-engine ", ""),
        (["--jsn"], 2, "", "--jsn"),
        (["--json", "--jobs", "0"], 2, "", "--jobs"),
        (["--jobs", "2"], 2, "", "--json"),
        (["--json", "--pack", "nosuch.toml"], 2, "", "nosuch.toml"),
        (["play"], 2, "", "play"),
    ],
)
def test_command_line(arguments: list[str], status: int, out: str, err: str) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=engine_environment(),
        timeout=60,
    )
    assert done.returncode == status
    assert out in done.stdout
    assert err in done.stderr
    assert done.stderr.count("\n") == (1 if err else 0)


# -- the document --------------------------------------------------------------------------------


def like(value: Any, pattern: Any) -> bool:
    """Whether a value is as documented; "…" at the end of a text stands for anything."""
    if isinstance(pattern, str) and pattern.endswith("…"):
        return pattern == "…" or str(value).startswith(pattern[:-1])
    if isinstance(pattern, dict):
        return set(value) == set(pattern) and all(like(value[k], v) for k, v in pattern.items())
    if isinstance(pattern, list):
        return len(value) == len(pattern) and all(map(like, value, pattern))
    return bool(value == pattern)


def test_documented_example(one_by_one: Analysis) -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition("\n## Example\n")[2]
    lines = re.search(r"```text\n(.*?)```", text, re.DOTALL).group(1).splitlines()
    assert lines
    for line in lines:
        mark, _, rest = line.partition(" ")
        if mark == ">":
            one_by_one.send(rest)
            continue
        (answer,) = one_by_one.next()
        assert like(answer, json.loads(rest)), (answer, rest)
    assert one_by_one.finish() == []


def test_document_and_schema_have_the_same_fields() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition("\n## Queries\n")[2]
    table = set(re.findall(r"(?m)^\| `(\w+)` \|", text.partition("\n## Answers\n")[0]))
    assert table == {"id", *QUERY.schema["$defs"]["query"]["properties"]}


def test_options_of_queries_are_those_of_searches() -> None:
    names = offered(Options())
    assert {"Algorithm", "Seed"} <= set(names)
    assert not {"LogFile", "EvalFile", "Packs"} & set(names)


def test_a_field_given_twice_is_an_error(one_by_one: Analysis) -> None:
    """Somebody may wait for either id; neither is answered with a result."""
    answer = one_by_one.one('{"id": "a", "id": "b", "game": {}, "limits": {"nodes": 1}}')
    assert "is given twice" in answer["error"]
