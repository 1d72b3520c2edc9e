"""Runs removed, renamed, marked and copied between stores of both kinds: all of a run or none of
it.
"""

from __future__ import annotations

import sqlite3

import pytest
from test_store import AES, FILE, KEYGEN, TIME, make_run, visit

from motebench.base.errors import InputError, StoreError
from motebench.base.identity import CaseId
from motebench.base.model import KIND, Failure, FailureKind, LeakRecord, RunKind
from motebench.store import Store
from motebench.store.opening import examine


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


@pytest.fixture
def other(tmp_path):
    """Another store with one run that has everything."""
    with Store.open(tmp_path / "other.db", create=True) as opened:
        measured(opened, "there")
        yield opened


def measured(store, name):
    run = make_run(store, name=name)
    store.add_samples(run, AES, visit(0))
    store.add_samples(run, AES, visit(1))
    store.add_samples(run, FILE, visit(0, TIME))
    store.finish_case(run, AES, ["note of a case"])
    failed = CaseId("ed25519", "libgcrypt", "keygen", 0, "host")
    store.fail_case(run, KEYGEN, Failure.of_case(failed, FailureKind.WRONG_ANSWER, "bad", "tc 1"))
    store.add_failure(run, Failure("*", "mbedtls", "host", FailureKind.BUILD, "no such probe"))
    store.add_note(run, "note of the run")
    store.set_environment_end(run, {"host": {"load": [0.5]}})
    store.finish_run(run, "finished")
    return run


def leak_test(store, name):
    settings = {KIND: RunKind.LEAK}
    run = store.create_run(name, "", settings, {}, 1, "0.1.0", [AES, KEYGEN])
    store.add_leak(run, AES, LeakRecord("key", {"verdict": "leaks", "cycles": {"most": 9}}))
    store.add_leak(run, AES, LeakRecord("message", {"verdict": "constant"}))
    store.finish_case(run, AES)
    store.finish_run(run, "interrupted")
    return run


def without_id(run, **changed):
    info = {name: getattr(run.info, name) for name in run.info.__slots__ if name != "id"}
    return info | changed, run.results, run.failures


def test_a_removed_run_leaves_nothing_and_the_others_whole(store, place):
    first, second = measured(store, "first"), measured(store, "second")
    before = without_id(store.load_run(second))
    store.remove(first)
    assert [info.name for info in store.runs()] == ["second"]
    assert without_id(store.load_run("second")) == before
    found = examine(str(place))
    assert (found.findings, found.counts["samples"], found.counts["notes"]) == ([], 5, 2)


def test_the_store_takes_new_runs_after_one_is_removed(store):
    store.remove(measured(store, "first"))
    again = measured(store, "first")
    assert len(store.load_run(again).results) == 4


def test_renaming_is_all_or_nothing(store):
    first, second, third = (make_run(store, name=name) for name in ("a", "b", "c"))
    store.rename({first: "b", second: "a"}, {first: {"group": None}})
    assert [info.name for info in store.runs()] == ["b", "a", "c"]
    with pytest.raises(InputError, match="already has a run 'c'"):
        store.rename({first: "x", second: "c"}, {})
    assert [info.name for info in store.runs()] == ["b", "a", "c"]
    with pytest.raises(InputError, match="cannot be the name"):
        store.rename({third: "12"}, {})


def test_tags_are_of_the_run_and_of_nothing_else(store):
    run = measured(store, "first")
    before = store.load_run(run)
    store.set_tags(run, ["paper", "final", "paper"])
    after = store.load_run(run)
    assert after.info.settings == {**before.info.settings, "tags": ["final", "paper"]}
    assert (after.results, after.info.notes) == (before.results, before.info.notes)
    store.set_tags(run, [])
    assert store.load_run(run).info == before.info
    with pytest.raises(InputError, match="cannot be a tag"):
        store.set_tags(run, ["a,b"])


def test_a_copy_has_every_value_and_is_the_same(store, other):
    make_run(store, name="mine")  # so that ids differ
    copied = store.copy_from(other, 1, "here", {"tags": ["from afar"]})
    there = other.load_run(1)
    settings = {**there.info.settings, "tags": ["from afar"]}
    assert without_id(store.load_run(copied)) == without_id(there, name="here", settings=settings)
    assert store.holds_same(copied, other, 1)
    store.add_samples(copied, AES, visit(2))
    assert not store.holds_same(copied, other, 1)


def test_a_leak_test_is_copied_removed_and_told_apart_by_its_results(store, other, place):
    make_run(store, name="mine")  # so that ids differ
    leaking = leak_test(other, "leaks")
    copied = store.copy_from(other, leaking, "here", {})
    there = other.load_run(leaking)
    assert [len(result.leaks) for result in there.results] == [2, 0]
    assert without_id(store.load_run(copied)) == without_id(there, name="here")
    assert store.holds_same(copied, other, leaking)
    store.add_leak(copied, KEYGEN, LeakRecord("key", {"verdict": "constant"}))
    assert not store.holds_same(copied, other, leaking)
    assert examine(str(place)).counts["leaks"] == 3
    store.remove(copied)
    found = examine(str(place))
    assert (found.findings, found.counts["leaks"], found.counts["runs"]) == ([], 0, 1)


def test_the_newest_run_with_an_implementation_is_a_measurement(store):
    older = make_run(store, AES, name="one")
    leak_test(store, "leaks")
    assert store.newest_with([AES.implementation]) == older


def test_a_name_that_is_taken_copies_nothing(store, other):
    make_run(store, name="there")
    with pytest.raises(InputError, match="already has a run 'there'"):
        store.copy_from(other, 1, "there", {})
    assert len(store.runs()) == 1


def test_a_damaged_run_is_not_copied_in_part(store, other, tmp_path):
    with sqlite3.connect(tmp_path / "other.db") as raw:
        raw.execute("UPDATE samples SET batch = -5 WHERE round = 1")
    raw.close()
    with pytest.raises(StoreError, match="damaged"):
        store.copy_from(other, 1, "here", {})
    assert store.runs() == []


def test_what_was_measured_is_told_by_run(store):
    make_run(store, AES, name="one")
    make_run(store, KEYGEN, name="two")
    assert store.measured() == {1: {("aes-128-cbc", "host")}, 2: {("ed25519", "host")}}
