"""Stores whose columns hold anything: every command ends with a documented exit code, and shows no
wrong number.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from calls import SLOW_EXAMPLES, call
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import CASES, damage, loosen, make

from motebench.base.errors import InputError, StoreError
from motebench.store import Store, schema

BAD = (None, "abc", b"\xff\xfe\x00", float("inf"), -float("inf"), -5, -1e308)
"""Invalid numbers of a store."""
ODD = (
    "",
    0,
    1,
    1e308,
    1e-320,
    2**63 - 1,
    -(2**63),
    1.5,
    "x" * 10_000,
    "\x1b[2J",
    "a\nb",
    "\u202e",
    "latest",
    "5",
    "null",
    "[]",
    "{}",
    "[" * 100_000,
    '{"host": []}',
    '{"host": {"load": ["x"], "threads": 0, "throttling": [1]}}',
    '{"probes": [1]}',
    '{"probes": {"openssl": 5}}',
    '{"policy": {"precision": "x"}, "question": "{}"}',
    '{"a": 1e999, "b": NaN, "host": {"cpu_model": "\\ud800", "frequency_now": "x", "threads": '
    "true}}",
    '{"host": {"threads": ' + "9" * 5000 + "}}",
    '{"policy": 1, "question": 2, "skipped": {}, "study": []}',
    '{"host": ' * 60 + "1" + "}" * 60,
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
)
NUMBERS = (
    ("samples", "raw"),
    ("samples", "batch"),
    ("samples", "round"),
    ("samples", "at"),
    ("samples", "position"),
    ("series", "scale"),
    ("series", "overhead"),
    ("cases", "input_bytes"),
    ("cases", "aad_bytes"),
)
COLUMNS = [
    (each.name, name)
    for each in schema.METADATA.sorted_tables
    for name in [column.name for column in each.columns]
    if each.name != "meta"
]
FORMATS = ("csv", "json", "markdown", "latex", "google-benchmark", "bencher")
RUNS = ("first", "second", "third")


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A whole store as motebench makes it, and one without constraints."""
    folder = tmp_path_factory.mktemp("stores")
    found = {loose: folder / f"{loose}.db" for loose in (False, True)}
    for path in found.values():
        make(path)
    loosen(found[True])
    return found


@pytest.fixture
def store(tmp_path: Path, templates: dict[bool, Path]) -> Path:
    path = tmp_path / "m.db"
    shutil.copy(templates[True], path)
    return path


@pytest.fixture(autouse=True)
def nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def planned(question: object, **also: object) -> None:
        raise InputError("nothing is measured here")

    monkeypatch.setattr("motebench.measuring.measure.find_targets", planned)


def numbers(path: Path, run: str) -> dict[tuple[object, ...], dict[int, float]] | None:
    """Values by round of each measurement of a run; None if the run cannot be shown."""
    shown = call("show", run, "--store", path, "--json", "--samples")
    if shown.code:
        return None
    found = {}
    for entry in json.loads(shown.out)["measurements"]:
        names = (
            "scheme",
            "implementation",
            "operation",
            "input_bytes",
            "aad_bytes",
            "target",
            "file",
            "metric",
        )
        key = tuple(entry.get(name) for name in names)
        found[key] = dict(zip(entry["rounds"], entry["values"], strict=True))
    return found


def looked_at(path: Path) -> None:
    """Everything that reads a store, but ``show``."""
    call("list", "runs", "--store", path)
    for run in RUNS:
        call("show", run, "--store", path, "--details")
    call("compare", "first", "second", "--store", path)
    call(
        "compare",
        "first",
        "second",
        "--store",
        path,
        "--json",
        "--across-environments",
        "--fail-if-slower",
        "1%",
    )
    for form in FORMATS:
        call("export", "first", "-f", form, "--store", path)
    call("report", "first", "--store", path, "-o", path.with_suffix(".html"))
    call(
        "choose", "--device", "samd21g18a", "--message", "16", "--results", "first", "--store", path
    )
    call("run", "--resume", "third", "--store", path)


def mended(path: Path) -> None:
    """A repaired store is whole, and has no number that the other has not."""
    found = call("doctor", "--store", path)
    new = path.with_name("new.db")
    new.unlink(missing_ok=True)
    done = call("doctor", "--store", path, "--repair", new)
    if done.code:
        assert not new.exists()
        return
    again = call("doctor", "--store", new)
    assert again.code == 0, (found.out, again.out)
    for run in RUNS:
        before = numbers(path, run)
        if before is not None:
            assert numbers(new, run) == before
    assert call("doctor", "--store", path, "--repair", new).code == 6, "it exists"


def test_a_whole_store_is_whole(templates: dict[bool, Path]) -> None:
    assert "nothing is wrong" in call("doctor", "--store", templates[False]).out
    assert "runs: has no primary key" in call("doctor", "--store", templates[True]).out
    for path in templates.values():
        looked_at(path)
    # Nothing is added to tables that would take a sample twice.
    assert call("run", "--resume", "third", "--store", templates[True]).code == 6
    with (
        Store.open(templates[True], create=True) as store,
        pytest.raises(StoreError, match="no keys"),
    ):
        store.create_run("new", "", {}, {}, 1, "1", CASES)


@settings(
    max_examples=SLOW_EXAMPLES or 4,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    column=st.sampled_from(COLUMNS),
    row=st.integers(0, 400),
    value=st.sampled_from(BAD + ODD),
    loose=st.booleans(),
)
def test_any_value_in_any_column(
    templates: dict[bool, Path],
    tmp_path: Path,
    column: tuple[str, str],
    row: int,
    value: object,
    loose: bool,
) -> None:
    path = tmp_path / "m.db"
    shutil.copy(templates[loose], path)
    damage(path, *column, row, value)
    looked_at(path)
    mended(path)


@settings(
    max_examples=SLOW_EXAMPLES or 6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(column=st.sampled_from(NUMBERS), row=st.integers(0, 400), value=st.sampled_from(BAD))
def test_no_number_is_made_of_what_is_none(
    templates: dict[bool, Path], tmp_path: Path, column: tuple[str, str], row: int, value: object
) -> None:
    path = tmp_path / "m.db"
    shutil.copy(templates[True], path)
    before = {run: numbers(path, run) for run in RUNS}
    damage(path, *column, row, value)
    assert call("doctor", "--store", path).code == 6
    for run in RUNS:
        now, was = numbers(path, run), before[run]
        assert now is not None and was is not None
        for key, values in now.items():
            if key[-1] == "power":
                continue  # from the median of the times that are left
            assert values.items() <= was[key].items(), (column, key)
