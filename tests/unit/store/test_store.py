"""The store: what goes in comes out, once."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy

from motebench.base.errors import InputError, StoreError
from motebench.base.identity import CaseId
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.store import Store

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
ALIAS = replace(AES, implementation="again")
FILE = Case(
    "copy", "copy", Operation.COPY_FILE, 10**9, "host", "openssl", file="/data/über file.bin"
)
KEYGEN = Case("ed25519", "libgcrypt", Operation.KEYGEN, 0, "host", "libgcrypt")
TIME = Series("time", "tick", 0.5, 21.5, "CLOCK_MONOTONIC_RAW", Evidence.MEASURED)
CYCLES = Series("cycles", "count", 1.0, 18.0, "tsc", Evidence.MEASURED)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """A place for a store, of each kind."""
    if request.param == "sqlite":
        return tmp_path / "motebench.db"
    return request.getfixturevalue("postgresql").place(request.node.name)


@pytest.fixture
def store(place):
    with Store.open(place, create=True) as opened:
        yield opened


def make_run(store, *cases, name=None):
    return store.create_run(
        name=name,
        study_text="title = 'x'\n",
        settings={"policy": {"precision": 0.01}},
        environment={"host": {"cpu_model": "Ünïcode"}},
        seed=2**63 - 1,
        version="0.1.0",
        cases=cases or (AES, ALIAS, FILE, KEYGEN),
    )


def visit(number, *series, raw=1000.0):
    return [(one, Sample(number, raw + number, 10, 3, 0.25)) for one in series or (TIME, CYCLES)]


def test_readings_of_all_cases_at_once_are_those_of_each(store):
    runs = [make_run(store, AES, FILE), make_run(store, AES, FILE)]
    readings = {AES: visit(0), FILE: visit(0, TIME)}
    for case, entries in readings.items():
        store.add_samples(runs[0], case, entries)
        store.finish_case(runs[0], case)
    store.add_finished(runs[1], readings)
    one, other = (store.load_run(run) for run in runs)
    assert one.results == other.results and all(result.finished for result in other.results)
    store.add_samples(runs[1], AES, visit(1))
    assert len(store.load_run(runs[1]).results[0].series[0].samples) == 2


def test_no_readings_at_once_change_nothing(store):
    run = make_run(store, AES)
    store.add_finished(run, {})
    assert store.next_round(run) == 0
    assert [case.scheme for case in store.unfinished(run)] == [AES.scheme]


def test_a_run_comes_back_as_it_was_stored(store):
    run = make_run(store, name="first run")
    store.add_samples(run, AES, visit(0))
    store.add_samples(run, AES, visit(1))
    store.add_samples(run, FILE, visit(0, TIME))
    store.finish_case(run, AES, ["note one", "note two"])
    failure = Failure.of_case(
        CaseId("ed25519", "libgcrypt", "keygen", 0, "host"), FailureKind.WRONG_ANSWER, "bad", "tc 1"
    )
    store.fail_case(run, KEYGEN, failure)
    whole = Failure("*", "mbedtls", "host", FailureKind.BUILD, "no such probe")
    store.add_failure(run, whole)
    store.add_note(run, "on the run")
    store.set_environment_end(run, {"host": {"load": [0.5]}})
    store.finish_run(run, "finished")

    loaded = store.load_run("first run")
    assert [result.case for result in loaded.results] == [AES, ALIAS, FILE, KEYGEN]
    aes, alias, file, keygen = loaded.results
    assert aes.series == (
        replace(TIME, samples=(Sample(0, 1000.0, 10, 3, 0.25), Sample(1, 1001.0, 10, 3, 0.25))),
        replace(CYCLES, samples=(Sample(0, 1000.0, 10, 3, 0.25), Sample(1, 1001.0, 10, 3, 0.25))),
    )
    assert (aes.finished, aes.failure, aes.notes) == (True, None, ("note one", "note two"))
    assert (alias.finished, alias.series) == (False, ())
    assert len(file.series[0].samples) == 1
    assert (keygen.failure, keygen.finished) == (failure, False)
    assert loaded.failures == (whole,)
    info = loaded.info
    assert (info.id, info.name, info.status, info.seed, info.version) == (
        run,
        "first run",
        "finished",
        2**63 - 1,
        "0.1.0",
    )
    assert (info.study, info.notes, info.settings) == (
        "title = 'x'\n",
        ("on the run",),
        {"policy": {"precision": 0.01}},
    )
    assert info.environment == {"host": {"cpu_model": "Ünïcode"}, "end": {"host": {"load": [0.5]}}}
    assert info.started <= info.finished
    assert store.runs() == [info]


def test_processes_disturbances_and_uncertainties_come_back(store):
    run = make_run(store)
    energy = replace(TIME, metric="energy", type_b=1.5e-9)
    samples = (
        Sample(0, 1.0, 1, 0, 0.0, 2, "30 % without the processor"),
        Sample(1, 1.0, 1, 0, 0.0, 2),
    )
    for sample in samples:
        store.add_samples(run, AES, [(energy, sample)])
    assert store.load_run(run).results[0].series == (replace(energy, samples=samples),)


def test_a_sample_is_stored_once(store):
    run = make_run(store)
    store.add_samples(run, AES, visit(4, raw=1.0))
    store.add_samples(run, AES, visit(4, raw=999.0))
    # A visit that holds one sample that is there and one that is not adds the missing one.
    store.add_samples(run, AES, visit(5, TIME))
    store.add_samples(run, AES, visit(5, TIME, CYCLES))
    time, cycles = store.load_run(run).results[0].series
    assert [sample.round for sample in time.samples] == [4, 5]
    assert [sample.round for sample in cycles.samples] == [4, 5]
    assert time.samples[0].raw == 5.0, "the first one stands"


def test_a_visit_is_stored_whole_or_not_at_all(store):
    run = make_run(store)
    broken = [*visit(0, TIME), (CYCLES, Sample(0, 1.0, None))]
    with pytest.raises(StoreError):
        store.add_samples(run, AES, broken)
    assert store.load_run(run).results[0].series == ()
    # The series of the failed visit were not kept in mind.
    store.add_samples(run, AES, visit(0))
    assert [len(series.samples) for series in store.load_run(run).results[0].series] == [1, 1]


def test_resuming_finds_where_it_was(store, place):
    run = make_run(store)
    assert store.next_round(run) == 0
    store.add_samples(run, AES, visit(0))
    store.add_samples(run, ALIAS, visit(6))
    store.finish_case(run, ALIAS)
    store.fail_case(run, FILE, Failure("copy", "copy", "host", FailureKind.ERROR, "disk full"))
    other = make_run(store)
    store.add_samples(other, AES, visit(17))
    store.close()
    with Store.open(place, create=False) as again:
        assert again.next_round(run) == 7
        assert again.unfinished(run) == [AES, KEYGEN]
        again.add_samples(run, AES, visit(7))
        assert [s.round for s in again.load_run(run).results[0].series[0].samples] == [0, 7]


def test_a_resumed_series_keeps_its_constants(store, place):
    run = make_run(store)
    store.add_samples(run, AES, visit(0, TIME))
    store.close()
    with Store.open(place, create=False) as again:
        # Overhead is measured anew by each process and does not make another series.
        again.add_samples(run, AES, visit(1, replace(TIME, overhead=30.0)))
        assert again.load_run(run).results[0].series[0].overhead == 21.5
        for change in (
            {"source": "tsc"},
            {"scale": 1.0},
            {"raw_unit": "ns"},
            {"evidence": Evidence.SIMULATED},
        ):
            with pytest.raises(StoreError, match="was read from CLOCK_MONOTONIC_RAW"):
                again.add_samples(run, AES, visit(2, replace(TIME, **change)))
        assert len(again.load_run(run).results[0].series[0].samples) == 2


def test_the_first_failure_of_a_case_stands(store):
    run = make_run(store)
    for message in ("first", "second"):
        store.fail_case(
            run, AES, Failure("aes-128-cbc", "openssl", "host", FailureKind.CRASH, message)
        )
    assert store.load_run(run).results[0].failure.message == "first"


def test_the_same_case_twice_is_one_case(store):
    run = make_run(store, AES, AES)
    assert len(store.load_run(run).results) == 1


def test_a_case_of_another_run_is_refused(store):
    run = make_run(store, AES)
    with pytest.raises(StoreError, match="no case ed25519"):
        store.add_samples(run, KEYGEN, visit(0))


def test_runs_are_called_by_date_and_number(store):
    names = [store.load_run(make_run(store)).info.name for _ in range(3)]
    day = store.runs()[0].started[:10]
    assert names == [f"{day}-{number}" for number in (1, 2, 3)]


def test_runs_are_found_by_id_name_and_latest(store):
    first, second = make_run(store, name="a"), make_run(store)
    assert (
        store.load_run(first).info.id
        == store.load_run(str(first)).info.id
        == store.load_run("a").info.id
        == first
    )
    assert {store.load_run(word).info.id for word in ("latest", "last")} == {second}
    with pytest.raises(InputError) as caught:
        store.load_run("b")
    assert "there is no run 'b'" in str(caught.value)
    assert "a (1)" in caught.value.valid
    with pytest.raises(InputError, match="there is no run '77'"):
        store.load_run("77")


def test_an_empty_store_says_so(store):
    with pytest.raises(InputError, match="no run"):
        store.load_run("latest")
    assert store.runs() == []


@pytest.mark.parametrize(
    "name", ["", " x", "12", "latest", "Last", "a:b", "a/b", "x" * 101, "a\nb", "\x1b[31m"]
)
def test_names_that_could_be_mistaken_are_refused(store, name):
    with pytest.raises(InputError) as caught:
        make_run(store, name=name)
    assert caught.value.where == "--name"
    assert store.runs() == []


def test_a_taken_name_is_refused_with_a_hint(store):
    make_run(store, name="mine")
    with pytest.raises(InputError, match="'mine'") as caught:
        make_run(store, name="mine")
    assert caught.value.hint
    assert len(store.runs()) == 1


def test_statuses(store):
    run = make_run(store)
    assert (store.runs()[0].status, store.runs()[0].finished) == ("running", None)
    store.finish_run(run, "interrupted")
    assert store.runs()[0].finished
    store.finish_run(run, "running")
    assert store.runs()[0].finished is None
    with pytest.raises(ValueError, match="done"):
        store.finish_run(run, "done")


def test_in_memory_and_by_url(tmp_path):
    with Store.open("sqlite://", create=True) as opened:
        make_run(opened)
        assert len(opened.runs()) == 1
    with Store.open(f"sqlite:///{tmp_path}/by-url.db", create=True) as opened:
        make_run(opened)
    with Store.open(str(tmp_path / "by-url.db"), create=False) as opened:
        assert len(opened.runs()) == 1


def test_two_programs_at_once(place):
    with Store.open(place, create=True) as one, Store.open(place, create=True) as other:
        first, second = make_run(one), make_run(other)
        for number in range(20):
            one.add_samples(first, AES, visit(number))
            other.add_samples(second, AES, visit(number))
        assert len(one.load_run(second).results[0].series[0].samples) == 20
        assert len(other.runs()) == 2


def test_the_tables_are_portable():
    """Every table can be spelt for other databases; nothing in the schema is SQLite's own."""
    from sqlalchemy.dialects import mysql, postgresql

    from motebench.store.schema import METADATA

    assert len(METADATA.sorted_tables) >= 8
    for dialect in (postgresql.dialect(), mysql.dialect()):
        for table in METADATA.sorted_tables:
            assert table.name in str(sqlalchemy.schema.CreateTable(table).compile(dialect=dialect))
