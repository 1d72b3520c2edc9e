"""Dimensions of a case are declared once: everything else takes them from there, also a new one."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from motebench.base.identity import DIMENSIONS, NAMES, ORDER, CaseId
from motebench.base.model import Case, Failure, FailureKind, Operation

RECORDINGS = Path(__file__).parents[2] / "recordings" / "store"
CASE = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 1024, "host", "fast", aad_bytes=13)


def test_an_entry_has_the_identity_in_the_order_of_documents():
    assert list(CASE.entry().items()) == [
        ("scheme", "aes-128-gcm"),
        ("implementation", "openssl"),
        ("target", "host"),
        ("operation", "encrypt-message"),
        ("input_bytes", 1024),
        *((each.name, 13 if each.name == "aad_bytes" else 0) for each in DIMENSIONS),
    ]
    assert set(ORDER) == set(NAMES)


def test_an_entry_names_a_file_only_where_there_is_one():
    on_file = CaseId("sha256", "openssl", "digest-file", 10, "host", file="a.bin")
    assert list(on_file.entry())[-1] == "file"
    assert CaseId.of(on_file.entry()) == on_file


def test_cases_of_two_providers_are_the_same_case():
    other = Case(
        "aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 1024, "host", "slow", aad_bytes=13
    )
    assert other != CASE
    assert other.id == CASE.id
    assert hash(other.id) == hash(CASE.id)


def test_the_failure_of_a_case_has_its_identity():
    assert Failure.of_case(CASE, FailureKind.CRASH, "signal 11").id == CASE.id


def test_what_is_left_out_is_what_cases_may_differ_in():
    other = CaseId("aes-128-gcm", "nettle", "encrypt-message", 1024, "host", aad_bytes=13)
    assert other.id != CASE.id
    assert other.without("implementation") == CASE.without("implementation")
    assert other.without("implementation", "aad_bytes") != CASE.without("implementation")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (CASE, "1 KiB + 13 B AAD"),
        (CaseId("sha256", "openssl", "digest", 64, "host"), "64 B"),
        (CaseId("ed25519", "openssl", "keygen", 0, "host"), "0 B"),
        (CaseId("*", "openssl", None, None, "host"), "0 B"),
    ],
)
def test_the_input_in_words(case, words):
    assert case.input_words() == words


def test_a_case_with_anything_beside_its_input_is_not_bare():
    assert not CASE.bare
    assert CaseId("sha256", "openssl", "digest", 64, "host").bare
    assert not CaseId("sha256", "openssl", "digest-file", 64, "host", file="a").bare


def test_every_dimension_has_its_version_of_the_store():
    from motebench.store import schema

    assert len(DIMENSIONS) >= 2
    assert all(1 < each.since <= schema.VERSION for each in DIMENSIONS)


_NEW = '''
    context_bytes: int = field(default=0, kw_only=True, metadata=_beside("context", since=7))
    """Bytes of context."""
    file: '''
_PROGRAM = r'''
"""The dimension that the test makes up is added to the source of motebench.base.identity only."""
import importlib.util, json, sys
from dataclasses import replace
from pathlib import Path

place, new = sys.argv[1:]
spec = importlib.util.find_spec("motebench.base.identity")
module = importlib.util.module_from_spec(spec)
sys.modules["motebench.base.identity"] = module
source = Path(spec.origin).read_text(encoding="utf-8")
changed = source.replace("\n    file: ", new, 1)
assert changed != source
exec(compile(changed, spec.origin, "exec"), module.__dict__)

from motebench.advise.choice.measured import of_runs
from motebench.catalog.devices import devices
from motebench.results.comparison import compare, side
from motebench.results.comparison import document as compared
from motebench.show.export import export
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.base.shapes import as_document
from motebench.results.document import result
from motebench.store import Store, schema
from motebench.cli.text.table import print_table

TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
cases = [
    Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl",
         context_bytes=size)
    for size in (0, 5, 2048)
]
with Store.open(place, create=False) as store:
    old = as_document(result(store.load_run("recorded")))
    for name in "ab":
        run = store.create_run(name, "", {}, {}, 1, "0.1.0", cases)
        for case in cases[:2]:
            for number in range(8):
                store.add_samples(run, case, [(TIME, Sample(number, 100.0 + number % 3))])
            store.finish_case(run, case)
        store.fail_case(run, cases[2], Failure.of_case(cases[2], FailureKind.CRASH, "it fell"))
        store.finish_run(run, "finished")
    loaded = store.load_run("a")
    found = result(loaded)
    comparison = compared(compare(side(store, "a"), side(store, "b")))
print_table(found, sys.stderr)
device = next(iter(devices().values()))
print(json.dumps({
    "version": schema.VERSION,
    "old": [entry["context_bytes"] for entry in (*old["measurements"], *old["failures"])],
    "cases": [result.case.context_bytes for result in loaded.results],
    "document": as_document(found),
    "comparison": as_document(comparison),
    "csv": export(found, "csv"),
    "markdown": export(found, "markdown"),
    "bencher": export(found, "bencher"),
    "choice": [list(offer.points) for offer in of_runs([loaded], device, place).offers],
}, default=str))
'''


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """Outputs about cases with a dimension that only ``motebench.base.identity`` knows; and the
    table.
    """
    path = tmp_path_factory.mktemp("extended") / "m.db"
    with sqlite3.connect(path) as raw:
        raw.executescript((RECORDINGS / "version-3.sql").read_text(encoding="utf-8"))
    raw.close()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(path), _NEW],
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_a_new_dimension_makes_a_version_of_the_store_which_old_ones_become(extended):
    found, _ = extended
    assert found["version"] == 7
    assert set(found["old"]) == {0}


def test_a_new_dimension_tells_cases_apart_in_the_store_and_the_document(extended):
    found, _ = extended
    assert found["cases"] == [0, 5, 2048]
    times = [entry for entry in found["document"]["measurements"] if entry["metric"] == "time"]
    assert [entry["context_bytes"] for entry in times] == [0, 5]
    assert [entry["context_bytes"] for entry in found["document"]["failures"]] == [2048]


def test_a_new_dimension_is_matched_in_comparisons(extended):
    found, _ = extended
    assert [entry["context_bytes"] for entry in found["comparison"]["comparisons"]] == [0, 5]


def test_a_new_dimension_is_in_exports_and_the_table(extended):
    found, table = extended
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert {row["context_bytes"] for row in rows} == {"0", "5", "2048"}
    assert "16 B + 5 B context" in found["markdown"]
    assert any("/5B-context/" in name for name in json.loads(found["bencher"]))
    assert "5 B of context" in table
    assert "16 B + 2 KiB context: it fell" in table


def test_a_choice_takes_no_case_with_a_new_dimension(extended):
    found, _ = extended
    assert [len(points) for points in found["choice"]] == [1], "of the three"
