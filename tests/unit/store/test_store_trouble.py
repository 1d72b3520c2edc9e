"""Failures of a store, after which no stored row is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from motebench.base.errors import ExitCode, StoreError
from motebench.base.model import (
    KIND,
    Case,
    Evidence,
    LeakRecord,
    Operation,
    RunKind,
    Sample,
    Series,
)
from motebench.store import Store, backend, database, schema
from motebench.store.opening import examine, repair
from motebench.store.search import StoreFilter

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
TIME = Series("time", "tick", 1.0, 20.0, "clock", Evidence.MEASURED)
NEXT = schema.VERSION + 1
RECORDINGS = Path(__file__).parents[2] / "recordings" / "store"


def refusal(place, *, create=False):
    with pytest.raises(StoreError) as caught:
        Store.open(place, create=create)
    assert caught.value.exit_code == ExitCode.STORE
    assert caught.value.where == "--store"
    return str(caught.value)


@pytest.fixture
def stored(tmp_path):
    """A store with one run of one case and one sample."""
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        run = store.create_run("kept", "", {}, {}, 1, "0.1.0", [AES])
        store.add_samples(run, AES, [(TIME, Sample(0, 100.0))])
    return path


def samples_in(path):
    with Store.open(path, create=False) as store:
        series = store.load_run("kept").results[0].series
        return [sample.round for sample in series[0].samples] if series else []


def test_a_missing_store_is_not_made_by_reading(tmp_path):
    path = tmp_path / "none.db"
    assert "there is no store" in refusal(path)
    assert not path.exists()


def test_a_missing_folder(tmp_path):
    assert "there is no folder" in refusal(tmp_path / "no" / "m.db", create=True)


def test_a_folder_is_no_store(tmp_path):
    assert "is a folder" in refusal(tmp_path, create=True)


@pytest.mark.parametrize("create", [True, False])
def test_another_file_is_left_alone(tmp_path, create):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam,\n" * 100)
    before = path.read_bytes()
    assert "not a motebench store" in refusal(path, create=create)
    assert path.read_bytes() == before


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(
    "table",
    [
        "CREATE TABLE songs (title TEXT)",
        "CREATE TABLE meta (a, b)",
        "CREATE TABLE meta (key, value)",
    ],
)
def test_another_programs_database_is_left_alone(tmp_path, create, table):
    path = tmp_path / "songs.db"
    with sqlite3.connect(path) as other:
        other.execute(table)
    other.close()
    before = path.read_bytes()
    assert "not a motebench store" in refusal(path, create=create)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["songs.db"]


def test_an_empty_file_becomes_a_store_only_when_asked(tmp_path):
    path = tmp_path / "m.db"
    path.touch()
    assert "not a motebench store" in refusal(path)
    with Store.open(path, create=True) as store:
        assert store.runs() == []


def _set_version(path, version):
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(version),))
    raw.close()


def test_a_newer_store_is_refused(stored):
    _set_version(stored, schema.VERSION + 1)
    before = stored.read_bytes()
    for create in (True, False):
        said = refusal(stored, create=create)
        assert f"schema version {schema.VERSION + 1}" in said
        assert "upgrade motebench" in said
    assert stored.read_bytes() == before


def _next(monkeypatch):
    """A version of the store with other rows than this one."""
    monkeypatch.setattr(schema, "VERSION", NEXT)
    monkeypatch.setattr(schema, "SAME_ROWS", NEXT)


def test_an_older_store_is_brought_up_to_date(stored, monkeypatch):
    def add_column(connection):
        connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'blue'")

    _next(monkeypatch)
    monkeypatch.setitem(schema.MIGRATIONS, NEXT - 1, add_column)
    assert samples_in(stored) == [0]
    with sqlite3.connect(stored) as raw:
        assert raw.execute("SELECT colour FROM runs").fetchall() == [("blue",)]
        assert raw.execute("SELECT value FROM meta WHERE key = 'schema'").fetchall() == [
            (str(NEXT),)
        ]
    raw.close()
    assert samples_in(stored) == [0], "a second opening migrates nothing"


def test_a_migration_that_fails_changes_nothing(stored, monkeypatch):
    def half(connection):
        connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN colour TEXT")
        connection.exec_driver_sql("ALTER TABLE nothing ADD COLUMN colour TEXT")

    _next(monkeypatch)
    monkeypatch.setitem(schema.MIGRATIONS, NEXT - 1, half)
    refusal(stored)
    monkeypatch.undo()
    assert samples_in(stored) == [0]


def test_a_version_nobody_had_is_refused(stored, monkeypatch):
    _next(monkeypatch)
    monkeypatch.delitem(schema.MIGRATIONS, NEXT - 1, raising=False)
    assert "unknown" in refusal(stored)


def test_a_store_of_version_1_opens(tmp_path):
    """The recording never changes: it is what version 1 wrote."""
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-1.sql").read_text(encoding="utf-8"))
    raw.close()
    with Store.open(path, create=False) as store:
        run = store.load_run("recorded")
        assert run.info.seed == 20261120
        assert run.info.environment["end"] == {"host": {"load": [0.1]}}
        first, second = run.results
        assert first.finished and first.notes == ("the time was up",)
        assert [sample.raw for sample in first.series[0].samples] == [1000.0, 1001.5]
        assert second.failure is not None and second.failure.vector == "tc 7"
        assert [failure.implementation for failure in run.failures] == ["mbedtls"]
        store.add_samples(run.info.id, first.case, [(first.series[0], Sample(2, 1002.0))])
        assert store.next_round(run.info.id) == 3
        assert [result.case.aad_bytes for result in run.results] == [0, 0]
        # What tells cases apart is new as well: two that differ in their additional data only.
        sizes = [
            replace(first.case, operation=Operation.ENCRYPT_MESSAGE, aad_bytes=size)
            for size in (0, 16)
        ]
        again = store.create_run("again", "", {}, {}, 1, "0.1.0", sizes)
        assert store.unfinished(again) == sizes
    with sqlite3.connect(path) as raw:
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    raw.close()


def test_a_store_of_version_2_opens(tmp_path):
    """The recording never changes: it is what version 2 wrote."""
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-2.sql").read_text(encoding="utf-8"))
    raw.close()
    with Store.open(path, create=False) as store:
        (result,) = store.load_run("recorded").results
        (time,) = result.series
        assert result.case.aad_bytes == 20
        assert [(sample.raw, sample.invocation, sample.disturbed) for sample in time.samples] == [
            (1000.0, None, ""),
            (1001.5, None, ""),
        ]
        assert time.type_b is None
        late = Sample(2, 1002.0, 10, 0, 1.0, 4, "the processor was away")
        store.add_samples(1, result.case, [(time, late)])
        assert store.load_run("recorded").results[0].series[0].samples[-1] == late


def test_a_store_of_version_3_opens(tmp_path):
    """The recording never changes: it is what version 3 wrote."""
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-3.sql").read_text(encoding="utf-8"))
    raw.close()
    with Store.open(path, create=False) as store:
        first, second = store.load_run("recorded", whole=True).results
        assert (first.case.aad_bytes, first.notes) == (20, ("a note",))
        assert [sample.disturbed for sample in first.series[0].samples] == [
            "",
            "the processor was away",
        ]
        assert second.failure is not None
        assert second.failure.id == second.case.id


def test_a_store_of_version_4_opens_and_takes_a_leak_test(tmp_path):
    """The recording never changes: it is what version 4 wrote."""
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-4.sql").read_text(encoding="utf-8"))
    raw.close()
    record = LeakRecord("key", {"verdict": "constant"})
    with Store.open(path, create=False) as store:
        run = store.load_run("recorded", whole=True)
        first, second = run.results
        assert run.info.kind is RunKind.MEASUREMENT
        assert (first.finished, len(first.series[0].samples), first.leaks) == (True, 2, ())
        assert second.failure is not None and second.case.cores == 2
        made = store.create_run("leaks", "", {KIND: RunKind.LEAK}, {}, 1, "0.1.0", [AES])
        store.add_leak(made, AES, record)
    with Store.open(path, create=False) as store:
        run = store.load_run("leaks", whole=True)
        assert run.info.kind is RunKind.LEAK and run.results[0].leaks == (record,)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == (
            str(schema.VERSION),
        )
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.close()


def _recorded(path, version):
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / f"version-{version}.sql").read_text(encoding="utf-8"))
    raw.close()
    return path


def _searched(path):
    """Version of the schema, and the names of the indices of searches."""
    with sqlite3.connect(path) as raw:
        (version,) = raw.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        query = "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE '%_by_%'"
        names = {name for (name,) in raw.execute(query)}
    raw.close()
    return int(version), names


INDICES = {
    "cases_by_scheme",
    "cases_by_implementation",
    "cases_by_target",
    "cases_by_operation",
    "series_by_metric",
}


@pytest.mark.parametrize("version", [1, 3, 5])
def test_an_older_store_gets_the_indices_of_searches(tmp_path, version):
    path = _recorded(tmp_path / "m.db", version)
    with Store.open(path, create=False) as store:
        assert store.runs()
    assert _searched(path) == (schema.VERSION, INDICES)
    fresh = tmp_path / "fresh.db"
    Store.open(fresh, create=True).close()
    assert _searched(fresh) == (schema.VERSION, INDICES)


def test_a_store_of_version_6_gets_the_index_of_metrics(tmp_path):
    path = tmp_path / "m.db"
    Store.open(path, create=True).close()
    with sqlite3.connect(path) as raw:
        raw.execute("DROP INDEX series_by_metric")
        raw.execute("UPDATE meta SET value = '6' WHERE key = 'schema'")
    raw.close()
    Store.open(path, create=False).close()
    assert _searched(path) == (schema.VERSION, INDICES)


def test_a_store_of_version_5_that_nobody_may_write_is_searched_without_indices(
    tmp_path, monkeypatch
):
    """The recording never changes: it is what version 5 wrote."""
    monkeypatch.setattr(backend, "_BUSY_SECONDS", 0.05)
    path = _recorded(tmp_path / "m.db", 5)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store.open(path, create=False) as store:
        assert [info.name for info in store.runs()] == ["recorded", "leaks"]
        page = store.runs_page(StoreFilter(schemes=("aes-128-c*",)), 0, 10)
        assert [run.name for run in page.runs] == ["leaks"]
        assert store.names().sizes == (16, 64)
    assert _searched(path) == (5, set())
    other.execute("ROLLBACK")
    other.close()
    Store.open(path, create=False).close()
    assert _searched(path) == (schema.VERSION, INDICES)


def test_a_damaged_store_of_version_5_is_upgraded_and_its_intact_rows_are_read(tmp_path):
    path = _recorded(tmp_path / "m.db", 5)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE cases SET input_bytes = 'many' WHERE id = 1")
    raw.close()
    with Store.open(path, create=False) as store:
        run = store.load_run("recorded")
    assert [result.case.scheme for result in run.results] == ["sha256"]
    assert any("input_bytes" in note for note in run.info.notes)
    assert _searched(path) == (schema.VERSION, INDICES)


def test_a_store_of_this_version_without_its_table_of_leaks_is_damaged(stored):
    with sqlite3.connect(stored) as raw:
        raw.execute("DROP TABLE leaks")
    raw.close()
    assert "has no table leaks" in refusal(stored)


def test_counts_of_a_constant_rate_were_called_cycles(tmp_path):
    path = tmp_path / "m.db"
    sources = ("tsc", "cntvct_el0", "perf_event:cpu-cycles:u", "SysTick, TC4")
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-2.sql").read_text(encoding="utf-8"))
        for number, source in enumerate(sources):
            raw.execute(
                "INSERT INTO runs SELECT ?, ?, study, started, finished, status, version, seed, "
                "settings, environment, environment_end FROM runs WHERE id = 1",
                (10 + number, f"r{number}"),
            )
            names = (
                "scheme, implementation, operation, input_bytes, aad_bytes, target, provider, "
                "file, state"
            )
            raw.execute(
                f"INSERT INTO cases (id, run_id, {names}) SELECT ?, ?, {names} FROM cases WHERE "
                "id = 1",
                (10 + number, 10 + number),
            )
            raw.execute(
                "INSERT INTO series VALUES (?, ?, 'cycles', 'count', 1.0, 0.0, ?, 'measured')",
                (10 + number, 10 + number, source),
            )
    raw.close()
    with Store.open(path, create=False) as store:
        found = [
            store.load_run(10 + number).results[0].series[0].metric
            for number in range(len(sources))
        ]
    assert found == ["ticks", "ticks", "cycles", "cycles"]


def test_a_locked_store_says_who_waits(stored, monkeypatch):
    monkeypatch.setattr(backend, "_BUSY_SECONDS", 0.05)
    other = sqlite3.connect(stored, isolation_level=None)
    with Store.open(stored, create=False) as store:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program is writing"):
            store.add_samples(1, AES, [(TIME, Sample(1, 1.0))])
        other.execute("COMMIT")
        store.add_samples(1, AES, [(TIME, Sample(1, 1.0))])
    other.close()
    assert samples_in(stored) == [0, 1]


def test_a_full_disk_loses_nothing(stored):
    """SQLite's own limit on pages gives the very error that a full disk gives."""
    with Store.open(stored, create=False) as store:
        pages = store._opened.connection.exec_driver_sql("PRAGMA page_count").scalar()
        store._opened.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        store._opened.connection.rollback()
        done = 0
        with pytest.raises(StoreError, match="disk is full") as caught:
            for number in range(1, 5000):
                store.add_samples(1, AES, [(TIME, Sample(number, 1.0))])
                done = number
        assert "what was stored before is still there" in str(caught.value)
    assert samples_in(stored) == list(range(done + 1))


@pytest.mark.parametrize(
    ("free", "words"), [(0, "the disk is full"), (10**9, "the disk reports an error")]
)
def test_an_index_that_does_not_fit_the_disk_is_a_full_disk(stored, monkeypatch, free, words):
    """SQLite calls it an I/O error."""
    monkeypatch.setattr(backend.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    error = OperationalError("SELECT", {}, sqlite3.OperationalError("disk I/O error"))
    with pytest.raises(StoreError, match=words), database.explained(database.backend_of(stored)):
        raise error


def test_a_store_that_may_not_be_written(stored):
    with Store.open(f"sqlite:///file:{stored}?mode=ro&uri=true", create=False) as store:
        assert store.runs()[0].name == "kept"
        with pytest.raises(StoreError, match="may not be written"):
            store.add_samples(1, AES, [(TIME, Sample(1, 1.0))])


def test_a_store_on_a_read_only_medium_can_be_read(stored, monkeypatch):
    # Only asked: whoever runs the tests may be allowed everything.
    monkeypatch.setattr(backend.os, "access", lambda path, mode: mode != os.W_OK)
    renamed = stored.rename(stored.with_name("100% mine #1?.db"))
    with Store.open(renamed, create=False) as store:
        assert [info.name for info in store.runs()] == ["kept"]
        with pytest.raises(StoreError, match="may not be written"):
            store.finish_run(1, "finished")
    assert [item.name for item in renamed.parent.iterdir()] == [renamed.name]


def test_a_damaged_store_is_no_traceback(stored):
    content = bytearray(stored.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    stored.write_bytes(content)
    with pytest.raises(StoreError), Store.open(stored, create=False) as store:
        store.load_run("kept")


@pytest.mark.parametrize("url", ["nosuch://host/db", "mysql+nodriver://x/y", "://"])
def test_a_url_nobody_understands(url):
    assert refusal(url, create=True)


def test_no_password_is_shown():
    said = refusal("postgresql+nodriver://me:secret@host/db", create=True)
    assert "secret" not in said


_CHILD = """
import sys
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.store import Store
case = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
names = ("time", "cycles", "cpu_time")
series = [Series(m, "tick", 1.0, 20.0, "clock", Evidence.MEASURED) for m in names]
with Store.open(sys.argv[1], create=False) as store:
    number = store.next_round(1)
    while True:
        store.add_samples(1, case, [(one, Sample(number, float(number))) for one in series])
        print(number, flush=True)
        number += 1
"""


def test_kill_9_loses_no_sample_and_doubles_none(tmp_path):
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        store.create_run("kept", "", {}, {}, 1, "0.1.0", [AES])
    acknowledged = []
    for attempt in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        # At least one visit, then any moment within the next ones.
        acknowledged.append(int(child.stdout.readline()))
        time.sleep(0.001 * (attempt * 7 % 23))
        child.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in child.stdout.read().split("\n")[:-1]]
        child.wait()
        child.stdout.close()

        raw = sqlite3.connect(path)
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        raw.close()
        with Store.open(path, create=False) as store:
            series = store.load_run("kept").results[0].series
        rounds = [[sample.round for sample in one.samples] for one in series]
        # Whole visits only, each once, and none of those acknowledged is missing.
        assert len(rounds) == 3
        assert rounds[0] == rounds[1] == rounds[2] == list(range(len(rounds[0])))
        assert set(acknowledged) <= set(rounds[0])
        assert len(rounds[0]) - len(acknowledged) <= attempt + 1


def _of_version(path, version, *statements):
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / f"version-{version}.sql").read_text(encoding="utf-8"))
        for statement in statements:
            raw.executescript(statement)
    raw.close()
    return path.read_bytes()


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("UPDATE samples SET raw = 'x' WHERE round = 1", "samples, series 1, round 1: raw is text"),
        ("UPDATE cases SET input_bytes = -1 WHERE id = 1", "cases, case 1: input_bytes is -1"),
        ("UPDATE runs SET environment = '['", "runs, run 1: environment is not JSON"),
        ("UPDATE series SET case_id = 99", "series 1"),
    ],
)
def test_a_damaged_store_of_an_older_version_stays_as_it_is(tmp_path, version, statement, word):
    path = tmp_path / "m.db"
    before = _of_version(path, version, statement)
    found = examine(str(path))
    assert any(word in str(finding) for finding in found.findings)
    assert f"schema version {version} and is damaged, so nothing can be added" in refusal(
        path, create=True
    )
    with Store.open(path, create=False) as store:
        store.survey()
        with pytest.raises(StoreError, match="may not be written"):
            store.finish_run(1, "finished")
    assert path.read_bytes() == before
    repair(str(path), str(tmp_path / "new.db"))
    assert path.read_bytes() == before
    assert not examine(str(tmp_path / "new.db")).findings


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE notes",
        "ALTER TABLE samples ADD COLUMN invocation INTEGER",
        "ALTER TABLE series RENAME COLUMN source TO other",
    ],
)
def test_a_store_that_cannot_be_brought_up_to_date_stays_as_it_is(
    tmp_path, version, statement, create
):
    path = tmp_path / "m.db"
    before = _of_version(path, version, statement)
    assert str(path) in refusal(path, create=create)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_is_no_file_is_no_store(tmp_path):
    path = tmp_path / "m.db"
    os.mkfifo(path)
    for create in (True, False):
        assert "is not a file" in refusal(path, create=create)
