"""Files in the place of a store and beside it: damaged stores, older ones, and files of other
kinds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from folder import FIFO, FOLDER, SOCKET, Thing, link, store, text

from motebench.store import schema

_RECORDED = Path(__file__).parent.parent / "recordings" / "store"

_TABLES = [
    (each.name, column.name)
    for each in schema.METADATA.sorted_tables
    for column in each.columns
    if each.name != "meta"
]
_ODD_CELLS = (
    None,
    "abc",
    b"\xff\xfe\x00",
    float("inf"),
    -1,
    2**63 - 1,
    "9" * 400,
    "[]",
    "x" * 70_000,
    "\x1b[2J",
    "",
    1e-320,
)


def _cut(share: float) -> Callable[[Path], None]:
    def cut(path: Path) -> None:
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])

    return cut


def _overwritten(at: float, content: bytes) -> Callable[[Path], None]:
    def overwrite(path: Path) -> None:
        whole = bytearray(path.read_bytes())
        place = int(len(whole) * at)
        whole[place : place + len(content)] = content
        path.write_bytes(bytes(whole))

    return overwrite


def _old(version: int, *statements: str) -> Thing:
    """A store of an older version, without constraints, with a run called first, and these
    statements.
    """

    def made(path: Path) -> None:
        path.unlink()
        raw = sqlite3.connect(path)
        raw.executescript((_RECORDED / f"version-{version}.sql").read_text(encoding="utf-8"))
        raw.execute("UPDATE runs SET name = 'first'")
        for statement in statements:
            raw.executescript(statement)
        raw.commit()
        raw.close()

    return Thing("store", (False, (made,)))


def _loosened(table: str) -> str:
    return (
        f"CREATE TABLE loose AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE loose "
        f"RENAME TO {table};"
    )


_WORDS = ("NULL", "'abc'", "x'fffe00'", "9e999", "-1", "9223372036854775807", "''", "'[]'")
_OLD_COLUMNS = [
    (table, column)
    for table, column in _TABLES
    if column not in ("aad_bytes", "invocation", "disturbed", "type_b")
]
OLD = tuple(
    _old(version, *statements)
    for version in (1, 2)
    for statements in (
        (),
        *(
            (f"DROP TABLE {table}",)
            for table in ("cases", "failures", "samples", "series", "runs", "meta", "notes")
        ),
        ("CREATE TABLE kept (x)",),
        ("CREATE VIEW v AS SELECT * FROM no",),
        ("DELETE FROM runs",),
        ("DELETE FROM cases",),
        ("ALTER TABLE cases ADD COLUMN aad_bytes",),
        ("ALTER TABLE samples ADD COLUMN invocation",),
        ("ALTER TABLE series ADD COLUMN type_b",),
        ("ALTER TABLE samples ADD COLUMN disturbed",),
        ("CREATE TRIGGER t AFTER UPDATE ON series BEGIN DELETE FROM samples; END",),
        ("UPDATE meta SET value = '0'",),
        ("UPDATE meta SET value = '2' WHERE key = 'schema'",),
        ("UPDATE meta SET value = '1' WHERE key = 'schema'",),
        ("UPDATE meta SET value = '3' WHERE key = 'schema'",),
        ("CREATE INDEX failures_of_run ON cases (run_id)",),
        (_loosened("cases"), "INSERT INTO cases SELECT * FROM cases"),
        (_loosened("series"), "INSERT INTO series SELECT * FROM series"),
        ("ALTER TABLE cases RENAME COLUMN scheme TO other",),
        ("ALTER TABLE runs DROP COLUMN environment",),
        *(
            (_loosened(table), f"UPDATE {table} SET {column} = {word}")
            for table, column in _OLD_COLUMNS
            for word in _WORDS
        ),
    )
)
"""Stores of older versions, most of them damaged."""
_SHARES = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.999)
DAMAGES: tuple[tuple[tuple[str, Thing], ...], ...] = (
    (("m.db", store(loose=False)),), (("m.db", store()),),
    *((("m.db", store((table, column, row, odd))),) for table, column in _TABLES for row in (0,
    3) for odd in _ODD_CELLS),
    *((("m.db", store(f"UPDATE {table} SET {column} = {word}")),) for table,
    column in _TABLES for word in _WORDS[:4]),
    *((("m.db", store(f"DELETE FROM {each.name}")),) for each in schema.METADATA.sorted_tables),
    *((("m.db", store(f"DROP TABLE {each.name}", loose=False)),
    ) for each in schema.METADATA.sorted_tables),
    *((("m.db", store(f"INSERT INTO {each.name} SELECT * FROM {each.name}")),
    ) for each in schema.METADATA.sorted_tables),
    *((("m.db", store(_cut(share), loose=False)),) for share in _SHARES),
    *((("m.db", store(_overwritten(share, odd), loose=False)),) for share in (0,
    *_SHARES) for odd in (b"\0" * 4096,
    b"\xff" * 200)),
    *((("m.db", each),) for each in (*OLD, FIFO, SOCKET, FOLDER, link("/dev/zero"),
    link("m.db"), link("/dev/full"),
    link("no/such"),
                                     text(""), text(b"\0" * 10**6), text("SQLite format 3\0"),
                                     text(b"SQLite format 3\0" + b"\xff" * 10**5),
                                     Thing("sparse", 2**31), text("Dear Sir"))),
    *((("m.db", store(loose=False)), (f"m.db-{kind}", each)) for kind in ("wal", "shm", "journal")
      for each in (text("x"), text(b"\0" * 10**5), FIFO, FOLDER, link("m.db"), link("/dev/zero"),
      text(b"\x37\x7f\x06\x82" + b"\xff" * 10**5))),
    *((("m.db", Thing("link", "gone.db")), (f"m.db-{kind}", text("x"))) for kind in ("wal",
    "journal")),
    *((("m.db", store(statement)),) for statement in (
        "CREATE TABLE more (x); INSERT INTO more VALUES (1)", "PRAGMA user_version = 5",
        "PRAGMA encoding = 'UTF-16'",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM",
        "CREATE VIEW w AS SELECT * FROM w",
        "UPDATE runs SET name = 'first'", "UPDATE samples SET at = 1e300",
        "UPDATE samples SET raw = 0",
        "UPDATE samples SET raw = 1e-29",
        "UPDATE series SET overhead = 1e19", "UPDATE series SET scale = 1e-12",
        "UPDATE samples SET batch = 9223372036854775807",
        "UPDATE cases SET input_bytes = 1125899906842624",
        "UPDATE samples SET raw = 18446744073709551616.0",
        "UPDATE cases SET run_id = 99", "UPDATE series SET case_id = 99",
        "UPDATE samples SET series_id = 99",
        "UPDATE runs SET environment = "
        "'{\"probes\": {\"openssl\": {\"clock\": 5, \"counter\": [], \"cpu\": \"x\"}}}'",
        "UPDATE runs SET settings = "
        "'{\"group\": {\"name\": \"g\", \"number\": 1, \"session\": {}}}'",
        "UPDATE runs SET started = '2026-01-01T00:00:00'",
        "UPDATE series SET metric = 'no such metric'",
    )),
)  # fmt: skip
"""Damaged files in place of ``m.db`` and beside it."""
