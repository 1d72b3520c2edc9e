"""Checks of the values of a store, and of the rows around a damaged one."""

from __future__ import annotations

import json
import sqlite3

import pytest

from motebench.base.errors import StoreError
from motebench.base.model import (
    KIND,
    Case,
    Evidence,
    Failure,
    FailureKind,
    LeakRecord,
    Operation,
    RunKind,
    Sample,
    Series,
)
from motebench.measuring.study.model import PRESETS, policy_from
from motebench.store import Store
from motebench.store.checking import decoded, problems, usable_name, visible
from motebench.store.opening import examine, repair
from motebench.targets.machine import host_of, noise_sources

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
SHA = Case("sha256", "openssl", Operation.DIGEST, 16, "host", "openssl")
TIME = Series("time", "tick", 1.0, 20.0, "clock", Evidence.MEASURED)


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        for name in ("one", "two"):
            run = store.create_run(name, "", {}, {"host": {"threads": 4}}, 1, "0.1.0", [AES, SHA])
            for number in range(3):
                store.add_samples(run, AES, [(TIME, Sample(number, 100.0 + number))])
            store.finish_case(run, AES, ["noted"])
            store.fail_case(
                run, SHA, Failure("sha256", "openssl", "host", FailureKind.CRASH, "it fell")
            )
    return path


def change(path, statement, *values):
    with sqlite3.connect(path) as raw:
        raw.execute(statement, values)
    raw.close()


def loaded(path, name="one"):
    with Store.open(path, create=False) as store:
        return store.load_run(name)


def test_a_case_that_is_not_whole_takes_its_samples_with_it_and_no_text(stored):
    change(stored, "UPDATE cases SET operation = 'fly' WHERE run_id = 1")
    run = loaded(stored)
    assert run.results == ()
    assert [failure.message for failure in run.failures] == ["it fell"]
    assert "noted" in run.info.notes
    assert any("case 1: operation is 'fly'" in note for note in run.info.notes)
    assert loaded(stored, "two").results[0].series[0].samples[2].raw == 102.0


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("raw", float("inf"), "raw is inf, a finite number is expected"),
        ("raw", -1.0, "raw is -1, a finite number, 0 or more, is expected"),
        ("raw", 1e-300, "raw is 1e-300"),
        ("batch", 0, "batch is 0"),
        ("at", -1.0, "at is -1"),
        ("position", "x", "position is text"),
        ("invocation", 1.5, "invocation is 1.5"),
        ("disturbed", "a\nb", "disturbed is 'a\\nb'"),
    ],
)
def test_a_sample_that_is_not_whole(stored, column, value, said):
    change(stored, f"UPDATE samples SET {column} = ? WHERE series_id = 1 AND round = 1", value)
    run = loaded(stored)
    assert [sample.round for sample in run.results[0].series[0].samples] == [0, 2]
    (note,) = [note for note in run.info.notes if note.startswith("store: ")]
    assert f"samples, series 1, round 1: {said}" in note


@pytest.mark.parametrize(
    ("column", "value", "defect"),
    [
        ("varied", "", "varied is empty, a line of 1 to 5000 characters is expected; left out"),
        ("case_id", 99, "belongs to case 99, which is not whole; left out"),
        ("content", "[1]", "is a list, a JSON object is expected; left out"),
        ("content", "{", "is not JSON, a JSON object is expected; left out"),
    ],
)
def test_a_leak_that_is_damaged_is_left_out_alone(tmp_path, column, value, defect):
    path, records = (
        tmp_path / "m.db",
        [LeakRecord("key", {"verdict": "leaks"}), LeakRecord("message", {})],
    )
    with Store.open(path, create=True) as store:
        run = store.create_run("one", "", {KIND: RunKind.LEAK}, {}, 1, "0.1.0", [AES])
        for record in records:
            store.add_leak(run, AES, record)
    raw = sqlite3.connect(path)  # without foreign keys, as another program may write
    raw.execute(f"UPDATE leaks SET {column} = ? WHERE id = 1", (value,))
    raw.commit()
    raw.close()
    (finding,) = examine(str(path)).findings
    assert str(finding) == f"store: leaks, leak 1: {defect}"
    assert loaded(path).results[0].leaks == (records[1],)
    repair(str(path), str(tmp_path / "new.db"))
    assert examine(str(tmp_path / "new.db")).findings == []
    repaired = loaded(tmp_path / "new.db")
    assert repaired.results[0].leaks == (records[1],)
    assert any(defect in note for note in repaired.info.notes)


def test_many_findings_are_counted(stored):
    with sqlite3.connect(stored) as raw:
        raw.executemany(
            "INSERT INTO samples VALUES (1, ?, -1, 1, 0, 0.0, NULL, '')",
            [(at,) for at in range(10, 110)],
        )
    raw.close()
    notes = [note for note in loaded(stored).info.notes if note.startswith("store: ")]
    assert len(notes) == 21
    assert "80 more rows" in notes[-1]


@pytest.mark.parametrize(
    "column", ["name", "started", "status", "version", "seed", "study", "settings", "environment"]
)
def test_a_run_whose_row_is_not_whole_is_refused_by_table_row_and_column(stored, column):
    change(stored, f"UPDATE runs SET {column} = x'ff' WHERE id = 2")
    with Store.open(stored, create=False) as store:
        infos, unusable = store.survey()
        assert [info.name for info in infos] == ["one"]
        assert [(found.table, found.row, found.column) for found in unusable] == [
            ("runs", "run 2", column)
        ]
        with pytest.raises(StoreError) as caught:
            store.load_run(2)
    assert (caught.value.where or "").endswith("runs, run 2")
    assert column in caught.value.what
    assert "--repair" in (caught.value.hint or "")


def test_nothing_is_added_to_a_damaged_run(stored):
    change(stored, "UPDATE samples SET raw = 'x' WHERE series_id = 1 AND round = 1")
    with Store.open(stored, create=False) as store:
        with pytest.raises(StoreError, match="nothing can be added"):
            store.load_run("one", whole=True)
        assert store.load_run("two", whole=True).results


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (None, "is missing, a JSON object"),
        (b"\xff", "no text in UTF-8"),
        ("", "is not JSON"),
        ("[]", "is a list"),
        ("5", "is a number"),
        ("[" * 100_000, "is not JSON"),
        ('{"a": ' * 60 + "1" + "}" * 60, "nested more than"),
        (json.dumps(list(range(10))), "is a list"),
    ],
)
def test_json_that_is_no_map(text, what):
    found, said = decoded("environment", text)
    assert found is None
    assert what in said[0]


def test_parts_of_json_are_what_code_relies_on():
    text = (
        '{"host": 5, "probes": {"a": {"version": "1"}, "b": []}, "own": [1], "x": 1e999, "y": '
        '%s, "end": null}'
    )
    found, said = decoded("environment", text % ("9" * 5000))
    assert found == {"probes": {"a": {"version": "1"}}, "own": [1], "x": None, "y": None}
    assert len(said) == 3
    assert "environment.host is a number, a map is expected" in said[1]


SESSION = {
    "groups": ["a", "b"],
    "runs": 3,
    "seed": 1,
    "builds": {"a": {"kind": "probes", "path": "/x"}},
}
GROUP = {"name": "a", "number": 2, "session": SESSION}


def test_a_group_that_is_whole_is_kept():
    assert decoded("settings", json.dumps({"group": GROUP})) == ({"group": GROUP}, [])
    assert decoded("settings", "{}") == ({}, [])


@pytest.mark.parametrize(
    "group",
    [
        5,
        {},
        {"name": "a"},
        {**GROUP, "name": "c"},
        {**GROUP, "number": 4},
        {**GROUP, "number": "2"},
        {**GROUP, "session": []},
        *(
            {**GROUP, "session": {**SESSION, **change}}
            for change in (
                {"runs": 10**9},
                {"seed": None},
                {"groups": [["a"]]},
                {"groups": ["a", "a"]},
                {"builds": {"a": 5}},
                {"builds": {"c": {"kind": "probes", "path": "/x"}}},
            )
        ),
    ],
)
def test_a_group_that_is_none_is_left_out_and_said(group):
    found, said = decoded("settings", json.dumps({"group": group, "study": "s"}))
    assert found == {"study": "s"}
    assert "settings.group" in said[0]


def test_facts_of_the_wrong_kind_are_left_out():
    odd = {
        "load": ["x"],
        "threads": True,
        "governor": 5,
        "throttling": [1],
        "battery_percent": "x",
        "own": 1,
    }
    assert host_of({"host": odd}) == {"own": 1}
    assert noise_sources({"host": {**odd, "threads": 0, "load": [1.0]}}) == []
    assert host_of({"host": []}) == {}


def test_texts_and_names():
    assert visible("a\x1b[2Jb\r\n\ud800\tc") == "a\\x1b[2Jb\n\ufffd\tc"
    assert usable_name("a run") and not any(
        map(usable_name, ("", "5", "latest", "a:b", "a\x9bb", "x" * 101))
    )
    row = {"id": 1, "run_id": 1, "case_id": None, "text": "x" * (4 * 2**20 + 1)}
    assert problems("notes", row)[0][0] == "text"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_policy_is_read_back(preset):
    assert policy_from(json.loads(json.dumps(PRESETS[preset].plain()))) == PRESETS[preset]


@pytest.mark.parametrize(
    "change",
    [
        {"batch": "x"},
        {"batch": float("nan")},
        {"precision": -1},
        {"min_samples": 1.5},
        {"runtime": "x"},
        {"more": 1},
        {"timeout": True},
        {"instrument": 5},
        {"share": "ntt"},
    ],
)
def test_a_policy_that_is_none(change):
    with pytest.raises(ValueError, match="policy"):
        policy_from({**PRESETS["fast"].plain(), **change})
    with pytest.raises(ValueError, match="has no"):
        policy_from({})
