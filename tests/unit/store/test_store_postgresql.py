"""A store in PostgreSQL: what only a server can do, and what is lost when it goes away
(nothing).
"""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import postgres_server
import pytest
from sqlalchemy import event

from motebench.base.errors import ExitCode, StoreError
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.measuring.request import Start, carry_out
from motebench.store import Store, database, schema
from motebench.store import postgresql as postgresql_store
from motebench.store.opening import examine, repair
from motebench.store.search import StoreFilter

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
OTHER = replace(AES, implementation="libgcrypt", provider="libgcrypt")
TIME = Series("time", "tick", 1.0, 20.0, "clock", Evidence.MEASURED)


def refusal(place, *, create=False):
    with pytest.raises(StoreError) as caught:
        Store.open(place, create=create)
    assert caught.value.exit_code == ExitCode.STORE
    assert caught.value.where == "--store"
    return str(caught.value)


@pytest.fixture
def place(request, postgresql):
    return postgresql.place(request.node.name)


@pytest.fixture
def server():
    """A server that a test may kill."""
    reason = postgres_server.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres_server.running(durable=True) as found:
        yield found


@pytest.fixture
def impatient(monkeypatch):
    """Short waiting times for all tests."""
    monkeypatch.setattr(database, "PATIENCE", 0.0)


@pytest.fixture
def soon(monkeypatch):
    """A run that another one writes is refused at once."""
    monkeypatch.setattr(postgresql_store, "_RELEASE_SECONDS", 0.2)


def new_run(store, *cases, name=None):
    return store.create_run(name, "", {"a": float("nan")}, {}, 1, "0.1.0", cases or (AES,))


def add(store, run, number, case=AES):
    store.add_samples(run, case, [(TIME, Sample(number, float(number)))])


def rounds(place, run=1):
    with Store.open(place, create=False) as store:
        return [
            [s.round for s in series.samples]
            for result in store.load_run(run).results
            for series in result.series
        ]


def tables(server, name):
    return [
        row[0] for row in server.sql(f"SELECT tablename FROM pg_tables WHERE schemaname = '{name}'")
    ]


def cut(server):
    """End every session but the one that says so, as an administrator or a router does."""
    server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name LIKE 'motebench%' AND pid <> pg_backend_pid()"
    )


# What is refused, in words


def test_what_a_server_refuses(postgresql, monkeypatch):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    folder = postgresql.folder
    assert "no such database" in refusal(postgresql.url("none"), create=True)
    assert "no such user" in refusal(postgresql.url(user="none"), create=True)
    assert "asks for a password" in refusal(postgresql.url(user="locked"))
    assert "no server answers there" in refusal(f"postgresql://lab@/postgres?host={folder}/none")
    assert "no server answers there" in refusal("postgresql://lab@127.0.0.1:1/postgres")
    assert "host is unknown" in refusal("postgresql://lab@no-such-host.invalid/postgres")
    monkeypatch.setenv("PGPASSWORD", "wrong")
    said = refusal(postgresql.url(user="locked"))
    assert "the user or the password is wrong" in said
    assert "~/.pgpass" in said


def test_a_run_is_refused_before_anything_is_prepared(tmp_path):
    for place in (
        "postgresql://lab@127.0.0.1:1/postgres",
        "postgresql://me:secret@host/db",
        str(tmp_path),
    ):
        with pytest.raises(StoreError) as caught:
            carry_out(place, Start(None))  # type: ignore[arg-type]
        assert caught.value.where == "--store"


def test_no_right_to_create_tables(postgresql):
    postgresql.sql("CREATE SCHEMA closed; GRANT USAGE ON SCHEMA closed TO guest")
    said = refusal(postgresql.url(user="guest", schema="closed"), create=True)
    assert "no right to create tables" in said
    assert "GRANT" in said


def test_a_guest_reads_and_does_not_write(postgresql, place):
    name = place.rpartition("%3D")[2]
    with Store.open(place, create=True) as store:
        new_run(store, name="mine")
    guest = postgresql.url(user="guest", schema=name)
    postgresql.sql(f"GRANT USAGE ON SCHEMA {name} TO guest")
    assert "no right to use its tables" in refusal(guest)
    postgresql.sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO guest")
    with Store.open(guest, create=False) as store:
        assert [info.name for info in store.runs()] == ["mine"]
        with pytest.raises(StoreError, match="no right to use its tables"):
            new_run(store)


def test_a_guest_reads_a_store_that_only_lacks_indices(postgresql, place):
    name = place.rpartition("%3D")[2]
    with Store.open(place, create=True) as store:
        new_run(store, name="mine")
    columns = ("scheme", "implementation", "target", "operation")
    indices = (*(f"cases_by_{column}" for column in columns), "series_by_metric")
    for index in indices:
        postgresql.sql(f"DROP INDEX {name}.{index}")
    postgresql.sql(f"UPDATE {name}.meta SET value = '5' WHERE key = 'schema'")
    postgresql.sql(f"GRANT USAGE ON SCHEMA {name} TO guest")
    postgresql.sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO guest")

    def stored():
        return postgresql.sql(
            f"SELECT indexname FROM pg_indexes WHERE schemaname = '{name}' AND indexname ~ '_by_'"
        ), postgresql.sql(f"SELECT value FROM {name}.meta WHERE key = 'schema'")

    with Store.open(postgresql.url(user="guest", schema=name), create=False) as store:
        assert [run.name for run in store.runs_page(StoreFilter(words=("aes",)), 0, 9).runs] == [
            "mine"
        ]
    assert stored() == ([], [("5",)])
    Store.open(place, create=False).close()
    assert (len(stored()[0]), stored()[1]) == (len(indices), [(str(schema.VERSION),)])


def test_the_password_of_the_environment_is_used(postgresql, monkeypatch):
    name = "of_locked"
    postgresql.sql(f"CREATE SCHEMA {name} AUTHORIZATION locked")
    monkeypatch.setenv("PGPASSWORD", postgres_server.PASSWORD)
    with Store.open(postgresql.url(user="locked", schema=name), create=True) as store:
        new_run(store)
        assert len(store.runs()) == 1


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:secret@host/db",
        "postgres://me@host/db?password=secret",
        "postgresql+psycopg://me:secret@[host/db",
        "postgresql://me:secret@host:port/db",
    ],
)
def test_a_password_in_the_url_is_refused_and_not_shown(url):
    said = refusal(url, create=True)
    assert "secret" not in said


def test_another_programs_database_is_left_alone(postgresql, place):
    name = place.rpartition("%3D")[2]
    others = ("songs (title text)", "meta (a text, b text)", "meta (key text, value text)")
    for table in others:
        postgresql.sql(
            f"DROP TABLE IF EXISTS {name}.songs, {name}.meta; CREATE TABLE {name}.{table}"
        )
        for create in (True, False):
            assert "not a motebench store" in refusal(place, create=create)
    assert tables(postgresql, name) == ["meta"]


def test_reading_creates_nothing(place, postgresql):
    assert "is empty" in refusal(place)
    name = place.rpartition("%3D")[2]
    assert tables(postgresql, name) == []


def test_a_newer_store_is_refused(postgresql, place):
    Store.open(place, create=True).close()
    name = place.rpartition("%3D")[2]
    postgresql.sql(f"UPDATE {name}.meta SET value = '{schema.VERSION + 1}' WHERE key = 'schema'")
    for create in (True, False):
        assert "upgrade motebench" in refusal(place, create=create)


def test_an_older_store_is_brought_up_to_date_or_stays(postgresql, place, monkeypatch):
    Store.open(place, create=True).close()

    def half(connection):
        connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'blue'")
        connection.exec_driver_sql("ALTER TABLE nothing ADD COLUMN colour TEXT")

    def whole(connection):
        connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'blue'")

    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(schema, "SAME_ROWS", schema.VERSION)
    for step in (half, whole):
        monkeypatch.setitem(schema.MIGRATIONS, schema.VERSION - 1, step)
        if step is half:
            refusal(place)
        else:
            Store.open(place, create=False).close()
    name = place.rpartition("%3D")[2]
    assert postgresql.sql(f"SELECT value FROM {name}.meta WHERE key = 'schema'") == [
        (str(schema.VERSION),)
    ]


@pytest.mark.parametrize(
    "what",
    [
        "CREATE FUNCTION {0}.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
        "CREATE TRIGGER thief BEFORE INSERT ON {0}.samples FOR EACH ROW EXECUTE FUNCTION {0}.f()",
        "CREATE RULE thief AS ON INSERT TO {0}.samples DO INSTEAD NOTHING",
    ],
)
def test_nothing_may_change_what_is_written(postgresql, place, what):
    Store.open(place, create=True).close()
    postgresql.sql(what.format(place.rpartition("%3D")[2]))
    assert "'thief', which could change what is written" in refusal(place)


def test_rows_are_checked_when_they_are_read(postgresql, place):
    with Store.open(place, create=True) as store:
        run = new_run(store, AES, OTHER)
        for number in range(3):
            add(store, run, number)
            add(store, run, number, OTHER)
    name = place.rpartition("%3D")[2]
    postgresql.sql(
        f"SET search_path = {name}; UPDATE samples SET raw = 'NaN' WHERE round = 1 AND series_id "
        "= 1;"
        "UPDATE series SET scale = -1 WHERE id = 2"
    )
    said = [str(finding) for finding in examine(place).findings]
    assert any("series 1, round 1: raw" in each for each in said)
    assert any("series 2: scale is -1" in each for each in said)
    postgresql.sql(f"UPDATE {name}.runs SET environment = '[1]'")
    with (
        Store.open(place, create=False) as store,
        pytest.raises(StoreError, match="a JSON object is expected"),
    ):
        store.load_run(run)


def test_intact_rows_go_into_a_file(place, tmp_path):
    with Store.open(place, create=True) as store:
        run = new_run(store, name="kept")
        add(store, run, 0)
        store.add_note(run, "with \x00 and \ud83d"[:8])
    new = tmp_path / "new.db"
    assert repair(place, str(new)).findings == []
    assert rounds(new, "kept") == rounds(place, "kept") == [[0]]
    with Store.open(new, create=False) as store:
        assert store.load_run("kept").info.notes == ("with \\x00 a",)


# Plans of queries


def test_a_run_is_read_by_the_keys_of_its_rows_and_nothing_is_compiled(place):
    """The tables are small, so that the server would rather read them whole."""
    plans = []

    def explain(connection, cursor, statement, parameters, context, many):
        if statement.startswith("SELECT") and "FROM samples" in statement:
            plan = cursor.connection.execute(f"EXPLAIN {statement}", parameters).fetchall()
            plans.append(" ".join(line for (line,) in plan))

    with Store.open(place, create=True) as store:
        run = new_run(store)
        add(store, run, 0)
        event.listen(store._opened.engine, "after_cursor_execute", explain)
        assert len(store.load_run(run).results[0].series[0].samples) == 1
        assert store._opened.connection.exec_driver_sql("SHOW jit").scalar() == "off"
        assert store._opened.connection.exec_driver_sql("SHOW enable_seqscan").scalar() == "on"
    assert plans
    assert not [plan for plan in plans if "Seq Scan" in plan]


# Several writers


def test_a_run_has_one_writer(place, soon):
    with Store.open(place, create=True) as one:
        run = new_run(one, name="mine")
        with Store.open(place, create=True) as other:
            with pytest.raises(StoreError, match=r"is being written by lab \(motebench "):
                other.claim(run)
            for write in (lambda: add(other, run, 0), lambda: other.finish_run(run, "finished")):
                with pytest.raises(StoreError, match="is being written"):
                    write()
            second = new_run(other)
            add(other, second, 0)
        add(one, run, 0)
    with Store.open(place, create=True) as other:
        other.claim(run)
        add(other, run, 1)
    assert rounds(place) == [[0, 1]]


def test_many_begin_at_the_same_moment(place):
    names, ready = [], threading.Barrier(4)

    def begin():
        ready.wait()
        with Store.open(place, create=True) as store:
            for _ in range(3):
                run = new_run(store)
                add(store, run, 0)
                names.append(store.load_run(run).info.name)

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == len(set(names)) == 12
    assert len({int(name.rpartition("-")[2]) for name in names} & set(range(1, 13))) == 12


# A server that goes away


def test_a_cut_connection_is_made_again_and_the_run_stays_ours(postgresql, place, soon):
    told = []
    with Store.open(place, create=True) as store:
        store.tell(told.append)
        run = new_run(store)
        for number in range(5):
            cut(postgresql)
            add(store, run, number)
        with (
            Store.open(place, create=True) as other,
            pytest.raises(StoreError, match="is being written"),
        ):
            other.claim(run)
        cut(postgresql)
        assert store.next_round(run) == 5
    assert rounds(place) == [[0, 1, 2, 3, 4]]
    assert told[0].endswith("is away: trying again for 120 s")
    assert "is back after" in told[1]


@pytest.mark.parametrize("what", ["create", "samples", "failure", "note", "environment"])
def test_a_commit_whose_answer_is_lost_happens_once(postgresql, place, monkeypatch, what):
    """The server commits, and the connection ends before it can say so."""
    from sqlalchemy.engine.default import DefaultDialect

    failure = Failure("*", "mbedtls", "host", FailureKind.BUILD, "no such probe")
    with Store.open(place, create=True) as store:
        run = new_run(store, name="first")
        whole, lost = DefaultDialect.do_commit, []

        def commit(self, connection):
            whole(self, connection)
            if not lost:
                lost.append(True)
                cut(postgresql)
                # Finds the connection gone, as reading the answer would
                connection.execute("SELECT 1")

        with monkeypatch.context() as patched:
            patched.setattr(type(store._opened.engine.dialect), "do_commit", commit)
            if what == "create":
                assert new_run(store) == run + 1
            elif what == "samples":
                add(store, run, 0)
            elif what == "failure":
                store.add_failure(run, failure)
            elif what == "note":
                store.add_note(run, "once")
            else:
                store.set_environment_end(run, {"host": {}})
        assert lost
        add(store, run, 1)
    with Store.open(place, create=False) as store:
        assert len(store.runs()) == 1 + (what == "create")
        found = store.load_run(run)
    assert [s.round for s in found.results[0].series[0].samples] == [
        *([0] if what == "samples" else []),
        1,
    ]
    assert len(found.failures) == (what == "failure")
    assert len(found.info.notes) == (what == "note")


@pytest.mark.long
def test_a_server_that_is_killed_and_comes_back(server):
    place = server.place("killed")
    told, numbers = [], iter(range(10**6))
    with Store.open(place, create=True) as store:

        def tell(text):
            told.append(text)
            if "is away" in text:
                server.start()

        store.tell(tell)
        run = new_run(store)
        for _ in range(3):
            for _ in range(20):
                add(store, run, next(numbers))
            server.kill()
            add(store, run, next(numbers))
    assert rounds(place) == [list(range(63))]
    assert ["back" in text for text in told] == [False, True] * 3


@pytest.mark.long
def test_a_server_that_stays_away(server, impatient):
    place = server.place("gone")
    with Store.open(place, create=True) as store:
        run = new_run(store)
        add(store, run, 0)
        server.kill()
        with pytest.raises(StoreError, match=r"aes-128-cbc .*time of round 1") as caught:
            add(store, run, 1)
        assert caught.value.exit_code == ExitCode.STORE
        assert "--resume" in str(caught.value)
        server.start()
        assert rounds(place) == [[0]]
        add(store, run, 1)
    assert rounds(place) == [[0, 1]]


_CHILD = """
import sys
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.store import Store
case = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
series = [Series(m, "tick", 1.0, 20.0, "clock", Evidence.MEASURED) for m in ("time", "cycles")]
with Store.open(sys.argv[1], create=False) as store:
    number = store.next_round(1)
    while True:
        store.add_samples(1, case, [(one, Sample(number, float(number))) for one in series])
        print(number, flush=True)
        number += 1
"""


@pytest.mark.long
def test_a_writer_that_is_killed_loses_nothing_and_gives_its_run_back(place):
    with Store.open(place, create=True) as store:
        new_run(store)
    acknowledged = []
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", _CHILD, place], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            acknowledged += [int(child.stdout.readline()) for _ in range(5)]
            child.kill()
            acknowledged += [int(line) for line in child.stdout.read().split("\n")[:-1]]
        first, second = rounds(place)
        assert first == second == list(range(len(first)))
        assert set(acknowledged) <= set(first)


def test_nobody_needs_the_driver_for_a_file(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    Store.open(tmp_path / "m.db", create=True).close()
    assert "pip install 'psycopg[binary]'" in refusal("postgresql://lab@host/db", create=True)
    assert isinstance(database.backend_of("x").place, str)
