"""Searches in a store of either kind: filters, pages, names, and writers at work meanwhile."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from motebench.base.errors import NotFoundError
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.base.naming import PLACE
from motebench.store import Store, rows
from motebench.store.search import StoreFilter

AES = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl")
SHA = Case("sha256", "mbedtls", Operation.DIGEST, 1024, "sim:samd21g18a", "mbedtls")
CASES = (AES, replace(AES, implementation="nettle", provider="nettle"), SHA)
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "m.db")
    return request.getfixturevalue("postgresql").place(request.node.name)


@pytest.fixture
def store(place):
    """Runs ``one`` (all cases), ``two`` (AES of two implementations) and ``three`` (SHA,
    pending)."""
    with Store.open(place, create=True) as made:
        for name, cases in (("one", CASES), ("two", CASES[:2]), ("three", CASES[2:])):
            settings = {"command": f"motebench run --name {name}"}
            run = made.create_run(name, "", settings, {}, 1, "0.1.0", cases)
            for case in cases if name != "three" else ():
                made.add_samples(run, case, [(TIME, Sample(0, 100.0))])
                made.finish_case(run, case)
        made.add_note(2, "the fan was 100 % loud")
        made.set_tags(1, ["nightly"])
        yield made


@pytest.mark.parametrize(
    ("chosen", "runs", "cases"),
    [
        ({}, [3, 2, 1], 5),
        ({"schemes": ("sha256",)}, [3, 1], 1),
        ({"schemes": ("sha*", "none")}, [3, 1], 1),
        ({"schemes": ("SHA*",)}, [3, 1], 1),
        ({"schemes": ("sha25?",)}, [3, 1], 1),
        ({"schemes": ("sha%",)}, [], 0),
        ({"schemes": ("' OR 1=1 --",)}, [], 0),
        ({"implementations": ("nettle",)}, [2, 1], 2),
        ({"implementations": ("n*", "mbedtls")}, [3, 2, 1], 3),
        ({"targets": ("host",)}, [2, 1], 4),
        ({"targets": ()}, [], 0),
        ({"operations": ("digest",)}, [3, 1], 1),
        ({"sizes": (16,)}, [2, 1], 4),
        ({"sizes": (16,), "operations": ("digest",)}, [], 0),
        ({"schemes": ("aes*",), "implementations": ("openssl",), "sizes": (16,)}, [2, 1], 2),
        ({"versions": ("0.1*",)}, [3, 2, 1], 5),
        ({"versions": ("0.2*",)}, [], 0),
        ({"since": "2999-01-01"}, [], 0),
        ({"until": "2000-01-01"}, [], 0),
        ({"tag": "nightly"}, [1], 3),
        ({"tag": "night"}, [], 0),
        ({"tag": "nightly", "schemes": ("sha256",)}, [1], 1),
        ({"words": ("FAN",)}, [2], 2),
        ({"words": ("100 %", "loud")}, [2], 2),
        ({"words": ("samd21",)}, [3, 1], 3),
        ({"words": ("nett",)}, [2, 1], 5),
        ({"words": ("three",)}, [3], 0),
        ({"words": ("samd21", "fan")}, [], 0),
        ({"runs": (2, 3)}, [3, 2], 2),
    ],
)
def test_runs_and_cases_that_fit(store, chosen, runs, cases):
    page = store.runs_page(StoreFilter(**chosen), 0, 10)
    assert ([run.id for run in page.runs], page.total) == (runs, len(runs))
    total, places = store.case_places(StoreFilter(**chosen), 0, 10)
    assert (total, sum(map(len, places.values()))) == (cases, cases)
    assert list(places) == sorted(places, reverse=True)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"schemes": ("aes*",)},
        {"targets": ()},
        {"sizes": (16,)},
        {"tag": "nightly"},
        {"runs": (3,)},
    ],
)
def test_identities_of_measured_cases_are_each_once_in_their_order(store, chosen):
    longer = [replace(AES, aad_bytes=size) for size in (32, 0, 8)]
    run = store.create_run("four", "", {}, {}, 1, "0.1.0", longer)
    for case in longer:
        store.add_samples(run, case, [(TIME, Sample(0, 100.0))])
        store.finish_case(run, case)
    _, places = store.case_places(StoreFilter(**chosen), 0, 100)
    ids = [number for part in places.values() for number in part]
    every = sorted({_parts(case) for case in store.identities(ids).values()})
    for most in (1, 2, 100):
        found = store.case_identities(StoreFilter(**chosen), most)
        assert list(map(_parts, found)) == every[:most]


def _parts(case):
    return tuple("" if part is None else part for part in case.identity().values())


def test_pages_of_runs_and_cases_follow_each_other(store):
    whole = [run.id for run in store.runs_page(StoreFilter(), 0, 10).runs]
    parts = [store.runs_page(StoreFilter(), start, 1) for start in range(4)]
    assert [run.id for page in parts for run in page.runs] == whole
    assert {page.total for page in parts} == {3}
    steps = [store.case_places(StoreFilter(), start, 2) for start in (0, 2, 4)]
    ids = [number for _, places in steps for part in places.values() for number in part]
    assert {total for total, _ in steps} == {5} and len(set(ids)) == len(ids) == 5


def test_a_summary_says_what_the_cases_are_of_only_if_asked(store):
    (run,) = store.runs_page(StoreFilter(runs=(1,)), 0, 1).runs
    assert (run.schemes, run.targets) == (("aes-128-gcm", "sha256"), ("host", "sim:samd21g18a"))
    assert run.states == {"finished": 3}
    (bare,) = store.runs_page(StoreFilter(runs=(1,)), 0, 1, contents=False).runs
    assert (bare.name, bare.schemes, bare.states) == ("one", (), {})


def test_names_of_a_store(store):
    names = store.names()
    assert names.schemes == ("aes-128-gcm", "sha256")
    assert names.implementations == ("mbedtls", "nettle", "openssl")
    assert names.targets == ("host", "sim:samd21g18a")
    assert names.operations == ("digest", "encrypt-message")
    assert names.sizes == (16, 1024)
    assert (names.versions, names.tags) == (("0.1.0",), ("nightly",))


def _newest(store, series=("time",), **chosen):
    cases = store.newest_cases(StoreFilter(**chosen), series)
    return [(case.run, store.identities([case.id])[case.id].implementation) for case in cases]


@pytest.mark.parametrize(
    ("chosen", "newest"),
    [
        ({}, [(2, "openssl"), (2, "nettle"), (1, "mbedtls")]),
        ({"schemes": ("aes*",)}, [(2, "openssl"), (2, "nettle")]),
        ({"tag": "nightly"}, [(1, "openssl"), (1, "nettle"), (1, "mbedtls")]),
        ({"targets": ()}, []),
        ({"words": ("loud",)}, [(2, "openssl"), (2, "nettle")]),
        ({"series": ("cycles",)}, []),
        ({"series": ("cycles", "time"), "operations": ("digest",)}, [(1, "mbedtls")]),
    ],
)
def test_the_newest_case_of_each_kind(store, chosen, newest):
    assert _newest(store, **chosen) == newest


@pytest.mark.parametrize(
    ("older", "newer", "pairs"),
    [
        ({"runs": (1,)}, {"runs": (2, 3)}, {("openssl", 1, 2), ("nettle", 1, 2)}),
        ({"runs": (1,)}, {"schemes": ("aes*",), "runs": (2,), "implementations": ("n*",)}, None),
        ({"tag": "nightly"}, {"words": ("two",)}, {("openssl", 1, 2), ("nettle", 1, 2)}),
        ({"runs": (2,)}, {"runs": (1,)}, {("openssl", 2, 1), ("nettle", 2, 1)}),
        ({"runs": (3,)}, {}, set()),
        ({"until": "2000-01-01"}, {}, set()),
    ],
)
def test_the_newest_cases_of_two_selections_are_paired(store, older, newer, pairs):
    made = store.newest_pairs(StoreFilter(**older), StoreFilter(**newer))
    names = store.identities([pair.id for pair in made])
    assert store.identities([pair.older for pair in made]).keys() == {pair.older for pair in made}
    expected = {("nettle", 1, 2)} if pairs is None else pairs
    numbers = {(names[pair.id].implementation, pair.older_run, pair.run) for pair in made}
    assert numbers == expected


def test_cases_with_other_input_are_other_pairs(store):
    with_aad = replace(AES, aad_bytes=13)
    for name in ("four", "five"):
        run = store.create_run(name, "", {}, {}, 1, "0.1.0", [with_aad])
        store.add_samples(run, with_aad, [(TIME, Sample(0, 100.0))])
        store.finish_case(run, with_aad)
    (pair,) = store.newest_pairs(StoreFilter(runs=(1, 4)), StoreFilter(runs=(5,)))
    assert (pair.older_run, pair.run) == (4, 5)


def test_a_case_with_more_than_its_input_is_no_newest_case(store):
    with_aad = replace(AES, aad_bytes=13)
    run = store.create_run("four", "", {}, {}, 1, "0.1.0", [with_aad])
    store.add_samples(run, with_aad, [(TIME, Sample(0, 100.0))])
    store.finish_case(run, with_aad)
    assert _newest(store, implementations=("openssl",)) == [(2, "openssl")]


def test_a_part_of_a_run_is_what_the_whole_run_has_of_it(store, monkeypatch):
    """A placed case comes with its like, and the loop of every case; other cases do not."""
    monkeypatch.setattr(rows, "MOST_BOUND", 2)  # more than one query for its rows
    loop = replace(TIME, metric="reference_loop")
    placed, beside, other, failed = (
        replace(AES, target=f"host{PLACE}ram"),
        replace(AES, implementation="botan"),
        replace(AES, implementation="wolfssl"),
        replace(AES, input_bytes=64),
    )
    cases = [AES, placed, beside, other, failed]
    run = store.create_run("parts", "", {}, {}, 1, "0.1.0", cases)
    for case in cases[:4]:
        entries = [(TIME, Sample(number, 100.0 + number)) for number in range(3)]
        store.add_samples(run, case, entries)
        store.finish_case(run, case, ["a note"])
    for case in (AES, beside):
        store.add_samples(run, case, [(loop, Sample(0, 7.0))])
    store.fail_case(run, failed, Failure.of_case(failed.id, FailureKind.ERROR, "it broke"))
    store.add_note(run, "on the whole run")
    whole = store.load_run(run)
    numbers = {case: number for number, case in store.cases_of(run).items()}
    ids = frozenset({numbers[AES.id], numbers[failed.id]})
    part = store.load_part(run, rows.RunPart(ids, loop.metric))
    by_case = {result.case: result for result in whole.results}
    (of_beside,) = (result for result in part.results if result.case == beside)
    assert [series.metric for series in of_beside.series] == [loop.metric]
    assert [result.case for result in part.results] == [AES, placed, beside, failed]
    assert [by_case[case] for case in (AES, placed, failed)] == [
        result for result in part.results if result is not of_beside
    ]
    assert (part.info, part.failures) == (whole.info, whole.failures)


def test_a_run_is_found_by_its_name_before_its_number(store):
    assert [store.find(name) for name in ("two", "2", 2, "latest")] == [2, 2, 2, 3]
    assert store.is_run("two")
    assert not store.is_run("2")
    for name in ("5", "9" * 30, "two\x00", "\ud800"):
        assert not store.is_run(name)
        with pytest.raises(NotFoundError, match="there is no run"):
            store.find(name)


def test_runs_whose_settings_have_a_text(store):
    assert [info.name for info in store.runs("nightly")] == ["one"]
    assert [info.name for info in store.runs("command")] == ["one", "two", "three"]
    assert store.runs("night") == store.runs("%") == []


def test_a_store_without_runs_has_no_names(place):
    with Store.open(place, create=True) as empty:
        assert empty.names().schemes == empty.names().sizes == ()
        assert empty.runs_page(StoreFilter(words=("x",)), 0, 10).total == 0
        assert empty.case_places(StoreFilter(), 0, 10) == (0, {})


def test_two_writers_and_a_reader_at_once(place):
    """Each writer measures 4 runs; the reader sees whole runs only, and never fewer than
    before."""
    Store.open(place, create=True).close()
    failures: list[BaseException] = []
    done = threading.Event()

    def write(writer: int) -> None:
        try:
            with Store.open(place, create=True) as store:
                for number in range(4):
                    run = store.create_run(f"w{writer}-{number}", "", {}, {}, 1, "0.1.0", CASES)
                    for place_of_round in range(5):
                        sample = Sample(place_of_round, 100.0)
                        for case in CASES:
                            store.add_samples(run, case, [(TIME, sample)])
                    for case in CASES:
                        store.finish_case(run, case)
                    store.finish_run(run, "finished")
        except BaseException as error:
            failures.append(error)

    def read() -> None:
        try:
            last = 0
            while not done.is_set():
                with Store.open(place, create=False) as store:
                    page = store.runs_page(StoreFilter(schemes=("sha*",)), 0, 50)
                    store.case_places(StoreFilter(implementations=("nettle",)), 0, 50)
                    store.names()
                assert page.total >= last
                assert all(sum(run.states.values()) == len(CASES) for run in page.runs)
                last = page.total
        except BaseException as error:
            failures.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    reader = threading.Thread(target=read)
    for thread in (*writers, reader):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert failures == []
    with Store.open(place, create=False) as store:
        assert store.case_places(StoreFilter(), 0, 1)[0] == 2 * 4 * len(CASES)
        assert len({info.name for info in store.runs()}) == 8
