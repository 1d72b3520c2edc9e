"""The tables, their version, and how a store of an earlier version becomes one of this version.

History of the schema (also in ``docs/reference/store.md``):

1. First version. ``meta`` (key, value) says what the file is; ``runs``, ``cases``, ``series``,
   ``samples``, ``failures``, ``notes`` hold a run each level finer. A sample is identified by its
   series and its round.
2. ``cases`` and ``failures`` have ``aad_bytes``, which is part of what identifies a case.
3. ``samples`` have ``invocation`` and ``disturbed``, ``series`` have ``type_b``. Counts of ``tsc``
   and ``cntvct_el0``, which were ``cycles``, are the metric ``ticks``.
4. ``cases`` and ``failures`` have ``cores``, which is part of what identifies a case.
5. ``leaks`` holds the results of leak tests, one for each secret of a case.
6. ``cases`` have indices by scheme, implementation, target and operation, for searches.
7. ``series`` have an index by metric.

A change of the tables raises `VERSION` by one, adds an entry here and a step to `MIGRATIONS`. A new
dimension of cases (``motebench.base.identity``) does both by its ``since``. A store of an earlier
version is brought up to date, in one transaction, when it is opened; one of a later version is
refused.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    column,
    inspect,
    select,
    table,
)
from sqlalchemy.schema import AddConstraint
from sqlalchemy.types import TypeEngine

from motebench.base.identity import DIMENSIONS, NAMES

FORMAT = "motebench-store"
VERSION = max(7, *(each.since for each in DIMENSIONS))

SAME_ROWS = max(5, *(each.since for each in DIMENSIONS))
"""First version whose rows are those of this one, which adds only indices: a store that cannot be
written is read without them.
"""

METADATA = MetaData()


def _line(most: int) -> TypeEngine[str]:
    """Text of usually up to ``most`` characters. SQLite enforces no length, so PostgreSQL does not
    either.
    """
    return String(most).with_variant(Text(), "postgresql")


meta = Table(
    "meta",
    METADATA,
    Column("key", _line(50), primary_key=True),
    Column("value", Text, nullable=False),
)

runs = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", _line(100), nullable=False, unique=True),
    Column("study", Text, nullable=False),
    # Times are UTC, ISO 8601.
    Column("started", _line(40), nullable=False),
    Column("finished", _line(40)),
    Column("status", _line(20), nullable=False),
    Column("version", _line(50), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("environment", JSON, nullable=False),
    Column("environment_end", JSON(none_as_null=True)),
)


def _beside() -> list[Column[int]]:
    """The dimensions of cases other than the input, one column each."""
    return [
        Column(dimension.name, BigInteger, nullable=False, server_default="0")
        for dimension in DIMENSIONS
    ]


_IDENTITY = UniqueConstraint("run_id", *NAMES)
"""The columns that identify a case within a run."""

cases = Table(
    "cases",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    Column("scheme", _line(100), nullable=False),
    Column("implementation", _line(100), nullable=False),
    Column("operation", _line(50), nullable=False),
    Column("input_bytes", BigInteger, nullable=False),
    *_beside(),
    Column("target", _line(100), nullable=False),
    Column("provider", _line(100), nullable=False),
    # Empty instead of NULL, because to a unique constraint all NULLs differ.
    Column("file", _line(400), nullable=False),
    # pending, finished or failed
    Column("state", _line(20), nullable=False),
    _IDENTITY,
)

series = Table(
    "series",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("case_id", ForeignKey("cases.id"), nullable=False),
    Column("metric", _line(50), nullable=False),
    Column("raw_unit", _line(20), nullable=False),
    Column("scale", Double, nullable=False),
    Column("overhead", Double, nullable=False),
    Column("source", _line(200), nullable=False),
    Column("evidence", _line(20), nullable=False),
    # Standard uncertainty (GUM, type B) of each value, in the unit of the metric. NULL if none is
    # stated.
    Column("type_b", Double),
    UniqueConstraint("case_id", "metric"),
)

samples = Table(
    "samples",
    METADATA,
    # The primary key makes it impossible to store a sample twice.
    Column("series_id", ForeignKey("series.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("raw", Double, nullable=False),
    Column("batch", BigInteger, nullable=False),
    Column("position", Integer, nullable=False),
    # Seconds since the run, or the resumed run, began sampling.
    Column("at", Double, nullable=False),
    # Number of the process that gave the sample. NULL if each round has its own process.
    Column("invocation", Integer),
    # Reason why the reading must not be quoted, as text; empty if it is undisturbed.
    Column("disturbed", _line(200), nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

failures = Table(
    "failures",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    # NULL if a whole implementation failed, or a case that never began.
    Column("case_id", ForeignKey("cases.id"), unique=True),
    Column("scheme", _line(100), nullable=False),
    Column("implementation", _line(100), nullable=False),
    Column("target", _line(100), nullable=False),
    Column("kind", _line(20), nullable=False),
    Column("message", Text, nullable=False),
    Column("operation", _line(50)),
    Column("input_bytes", BigInteger),
    *_beside(),
    Column("vector", Text),
    Column("file", Text),
)

notes = Table(
    "notes",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    # NULL for a note on the whole run.
    Column("case_id", ForeignKey("cases.id")),
    Column("text", Text, nullable=False),
)

leaks = Table(
    "leaks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("case_id", ForeignKey("cases.id"), nullable=False),
    # Name of the secret that was varied.
    Column("varied", _line(100), nullable=False),
    Column("content", JSON, nullable=False),
    UniqueConstraint("case_id", "varied"),
    info={"since": 5},
)

# Each has every column that a search reads, so that it reads no row of the table.
_SEARCHED = tuple(
    Index(f"cases_by_{names[0]}", *(cases.c[name] for name in (*names, "state", "run_id")))
    for names in (
        ("scheme", "implementation", "operation", "input_bytes", "target"),
        ("implementation", "operation", "input_bytes", "scheme", "target"),
        ("target", "scheme", "implementation", "operation", "input_bytes"),
        ("operation", "input_bytes"),
    )
)
_BY_METRIC = Index("series_by_metric", series.c.metric)
Index("failures_of_run", failures.c.run_id)
Index("notes_of_run", notes.c.run_id)


def tables_of(version: int) -> list[str]:
    """Names of the tables that a store of that version has."""
    return [name for name, made in METADATA.tables.items() if made.info.get("since", 1) <= version]


def _add_dimensions(connection: Connection) -> None:
    """Add the missing dimensions to cases and failures. SQLite cannot change a constraint, so the
    table is created anew."""
    present = {item["name"] for item in inspect(connection).get_columns("cases")}
    missing = [item.name for item in DIMENSIONS if item.name not in present]
    if not missing:
        return  # an earlier step of this migration added them all
    for name in missing:
        add = f"ADD COLUMN {name} BIGINT NOT NULL DEFAULT 0"
        connection.exec_driver_sql(f"ALTER TABLE failures {add}")
        connection.exec_driver_sql(f"ALTER TABLE cases {add}")
    if connection.dialect.name != "sqlite":
        for constraint in inspect(connection).get_unique_constraints("cases"):
            connection.exec_driver_sql(f'ALTER TABLE cases DROP CONSTRAINT "{constraint["name"]}"')
        connection.execute(AddConstraint(_IDENTITY))
        return
    # Rows of other tables refer to the old ones until the new ones exist, all within one
    # transaction.
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    connection.exec_driver_sql("CREATE TEMP TABLE kept AS SELECT * FROM cases")
    connection.exec_driver_sql("DROP TABLE cases")
    cases.create(connection)
    copied = table("kept", *(column(item.name) for item in cases.columns))
    connection.execute(cases.insert().from_select(list(copied.columns), select(copied)))
    connection.exec_driver_sql("DROP TABLE kept")


def _to_3(connection: Connection) -> None:
    """Add the process and the disturbance to samples, and the type B uncertainty to series."""
    connection.exec_driver_sql("ALTER TABLE samples ADD COLUMN invocation INTEGER")
    connection.exec_driver_sql(
        f"ALTER TABLE samples ADD COLUMN disturbed {_line(200).compile(connection.dialect)} NOT "
        "NULL DEFAULT ''"
    )
    connection.exec_driver_sql(
        f"ALTER TABLE series ADD COLUMN type_b {Double().compile(connection.dialect)}"
    )
    # Until then counts of these counters, whose rate is constant, were called cycles.
    connection.execute(
        series.update()
        .where(series.c.metric == "cycles", series.c.source.in_(("tsc", "cntvct_el0")))
        .values(metric="ticks")
    )


def _to_5(connection: Connection) -> None:
    """Add the table of leak tests."""
    leaks.create(connection)


def _to_6(connection: Connection) -> None:
    """Add the indices of searches; a step that made the table of cases anew has them already."""
    for index in _SEARCHED:
        index.create(connection, checkfirst=True)


def _to_7(connection: Connection) -> None:
    """Add the index of metrics."""
    _BY_METRIC.create(connection, checkfirst=True)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    2: _to_3,
    4: _to_5,
    5: _to_6,
    6: _to_7,
    **{each.since - 1: _add_dimensions for each in DIMENSIONS},
}
"""Step from version n to n + 1, by n."""
