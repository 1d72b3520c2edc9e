"""Stores whose tables compute: they are refused before a row is read, and other tables of the file
are left alone.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from motebench.base.errors import ExitCode, StoreError
from motebench.store import Store
from motebench.store.opening import examine

ENDLESS = (
    "(WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"
)
LONG = "length(replace(hex(zeroblob(20000000)), '0', 'abab'))"


@pytest.fixture
def place(tmp_path):
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        store.create_run("first", "", {}, {}, 1, "0.1.0", [])
    return path


def change(place, *statements):
    with closing(sqlite3.connect(place)) as raw:
        for statement in statements:
            raw.execute(statement)
        raw.commit()


@pytest.mark.parametrize(
    ("statements", "what"),
    [
        (
            ("ALTER TABLE notes RENAME TO n", f"CREATE VIEW notes AS SELECT {ENDLESS} AS id"),
            "notes is a view",
        ),
        (
            ("ALTER TABLE meta RENAME TO m", f"CREATE VIEW meta AS SELECT {ENDLESS} AS key"),
            "meta is a view",
        ),
        (
            (f"ALTER TABLE runs ADD COLUMN z GENERATED ALWAYS AS ({LONG})",),
            "the column z of runs is computed",
        ),
        ((f"CREATE INDEX slow ON notes({LONG})",), "the index 'slow' is computed"),
        (("CREATE INDEX some ON notes(id) WHERE id > 3",), "the index 'some' is computed"),
        (
            (f"ALTER TABLE notes ADD COLUMN z INTEGER CHECK ({LONG} > 3)",),
            "the table notes has a condition",
        ),
    ],
)
def test_a_store_whose_tables_compute_is_refused(place, statements, what):
    change(place, *statements)
    for opened in (lambda: Store.open(place, create=False), lambda: examine(str(place))):
        with pytest.raises(StoreError, match="forever") as caught:
            opened()
        assert caught.value.what.startswith(what)
        assert caught.value.exit_code == ExitCode.STORE


def test_a_plain_index_of_ones_own_is_no_problem(place):
    change(place, "CREATE INDEX mine ON notes(text)")
    assert examine(str(place)).findings == []


def test_tables_of_others_are_not_read(place):
    change(
        place,
        f"CREATE TABLE theirs (a, b GENERATED ALWAYS AS ({LONG}))",
        "INSERT INTO theirs(a) VALUES (1), (2), (3), (4), (5)",
        f"CREATE VIEW endless AS SELECT {ENDLESS}",
    )
    assert examine(str(place)).findings == []
    with Store.open(place, create=False) as store:
        assert [info.name for info in store.runs()] == ["first"]


def test_looking_at_the_schema_has_a_limit_of_time(place, monkeypatch):
    monkeypatch.setattr("motebench.store.backend._MOST_SECONDS", -1)
    monkeypatch.setattr("motebench.store.backend._STEPS", 1)
    with pytest.raises(StoreError, match="reading its schema took longer"):
        Store.open(place, create=False)


def test_what_is_done_with_a_known_store_has_none(place):
    with Store.open(place, create=True) as store:
        for number in range(50):
            store.add_note(1, f"{number}")
        assert len(store.load_run(1).info.notes) == 50


def test_the_command_says_it(place):
    change(place, "ALTER TABLE notes RENAME TO n", f"CREATE VIEW notes AS SELECT {ENDLESS} AS id")
    for words in (("show",), ("doctor",), ("compare", "1", "2")):
        line = [sys.executable, "-m", "motebench", *words, "--store", str(place)]
        ended = subprocess.run(line, capture_output=True, text=True, timeout=1200, check=False)
        assert (ended.returncode, ended.stdout) == (ExitCode.STORE, "")
        assert "notes is a view" in ended.stderr
