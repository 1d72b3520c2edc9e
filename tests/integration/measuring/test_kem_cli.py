"""A key encapsulation that motebench has never heard of, from catalog files and two probes to a
table.

The files in ``tests/integration/kem`` are all that is added to a copy of motebench: an algorithm of
the catalog, a test key, known answers. The probes are the fake in C (built by ``make test``) and
one in Python.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
ADDED = Path(__file__).parents[1] / "kem"
FAKE = ROOT / "build" / "tests" / "probes" / "motebench-probe-fake"


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A copy of motebench with the toy in its catalog, and the probes."""
    folder: Path = tmp_path_factory.mktemp("kem")
    shutil.copytree(ROOT / "motebench", folder / "motebench")
    shutil.copytree(
        ROOT / "catalog", folder / "catalog", ignore=shutil.ignore_patterns("reference")
    )
    shutil.copytree(ADDED / "catalog", folder / "catalog", dirs_exist_ok=True)
    shutil.copytree(ADDED / "probes", folder / "probes")
    if FAKE.exists():
        shutil.copy(FAKE, folder / "probes")
    return folder


@pytest.fixture
def ask(place, tmp_path, monkeypatch):
    """A command of that copy: its exit code and output."""
    monkeypatch.chdir(tmp_path)

    def asked(*words: str, misbehave: str = "") -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "motebench", *words],
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
            env={
                **os.environ,
                "PYTHONPATH": str(place),
                "MOTEBENCH_PROBES": str(place / "probes"),
                "MOTEBENCH_TEST_MISBEHAVE": misbehave,
                "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}",
            },
        )
        return done.returncode, done.stdout + done.stderr

    return asked


def printed(said: str) -> dict[str, Any]:
    """The JSON document, before the messages on standard error."""
    document, _ = json.JSONDecoder().raw_decode(said)
    return dict(document)


MEASURE = (
    "run",
    "--scheme",
    "fake-kem",
    "--operation",
    "keygen,encapsulate,decapsulate",
    "--fast",
    "--budget",
    "300ms",
    "--store",
    "k.db",
)


@pytest.mark.parametrize("implementation", ["toykem", "fake"])
def test_known_answers(ask, implementation):
    if implementation == "fake" and not FAKE.exists():
        pytest.skip("the fake is built by make test")
    code, said = ask(
        "verify", "--implementation", implementation, "--scheme", "fake-kem", "--all", "--json"
    )
    assert code == 0, said
    (entry,) = json.loads(said)["implementations"]
    assert (entry["passed"], entry["failed"], entry["not_applicable"]) == (4, 0, 0)


def test_from_the_run_to_the_table(ask):
    implementations = ["fake", "toykem"] if FAKE.exists() else ["toykem"]
    code, said = ask(*MEASURE, "--implementation", ",".join(implementations))
    assert code == 0, said
    code, said = ask("show", "latest", "--store", "k.db")
    assert code == 0 and all(name in said for name in ("encapsulate a secret", *implementations)), (
        said
    )
    code, said = ask("export", "latest", "--format", "json", "--store", "k.db")
    entries = [entry for entry in json.loads(said)["measurements"] if entry["metric"] == "time"]
    assert {(entry["implementation"], entry["operation"]) for entry in entries} == {
        (name, operation)
        for name in implementations
        for operation in ("keygen", "encapsulate", "decapsulate")
    }
    assert {entry["input_bytes"] for entry in entries} == {0} and all(
        entry["n"] > 0 for entry in entries
    )
    code, said = ask("report", "latest", "--store", "k.db", "--output", "k.html")
    assert code == 0 and "encapsulate a secret" in Path("k.html").read_text(encoding="utf-8"), said


def test_without_a_source_of_randomness_a_seed_is_timed(ask):
    code, said = ask(*MEASURE, "--implementation", "toykem", misbehave="needs-seed")
    assert code == 0 and all(name in said for name in ("keygen", "encapsulate", "decapsulate")), (
        said
    )


def test_an_implementation_that_takes_no_seed_is_proved_by_the_way_back(ask):
    code, said = ask(*MEASURE, "--implementation", "toykem", misbehave="no-seed")
    assert code == 0 and all(name in said for name in ("keygen", "encapsulate", "decapsulate")), (
        said
    )


def test_private_keys_may_be_seeds(ask):
    code, said = ask(
        "verify",
        "--implementation",
        "toykem",
        "--scheme",
        "fake-kem",
        "--all",
        "--json",
        misbehave="seed-keys",
    )
    (entry,) = json.loads(said)["implementations"]
    assert code == 0 and (entry["passed"], entry["failed"], entry["not_applicable"]) == (3, 0, 1), (
        said
    )
    assert "a private key of 40 B is not offered (16 B)" in said
    code, said = ask(*MEASURE, "--implementation", "toykem", misbehave="seed-keys")
    assert code == 0 and all(name in said for name in ("keygen", "encapsulate", "decapsulate")), (
        said
    )


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("wrong-secret", "decapsulates to another secret"),
        ("wrong-ciphertext", "decapsulates to another secret"),
        ("short-ciphertext", "wrong output"),
        ("wrong-public", "wrong public key"),
        ("unequal", "wrong output"),
        ("unchecked", "a changed ciphertext gives the wrong secret"),
        ("rejecting", "a good input was rejected"),
    ],
)
def test_what_is_wrong_becomes_no_number(ask, mode, words):
    code, said = ask(*MEASURE, "--implementation", "toykem", misbehave=mode)
    assert code == 3 and words in said and "wrong-answer" in said, said


def test_an_implementation_that_takes_longer_to_reject_leaks(ask):
    asked = (
        "leak",
        "--scheme",
        "fake-kem",
        "--implementation",
        "toykem",
        "--samples",
        "1800",
        "--json",
    )
    code, said = ask(*asked, "--operation", "decapsulate", misbehave="leaky")
    document = printed(said)
    found = {entry["varied"]: entry for entry in document["findings"]}
    assert (
        set(found) == {"ciphertext", "ciphertext, good or changed"} and document["failures"] == []
    )
    told = found["ciphertext, good or changed"]
    assert {arm["test"]["input"] for arm in told["arms"] if arm["leaks"]} <= {
        "good",
        "another good one",
    }, told
    assert told["arms"][0]["test"]["p"] < 1e-5
    (left,) = document["left_out"]
    assert left["varied"] == "key" and "structure" in left["reason"]
    assert code in (3, 8)  # 3: the machine was too busy for a conclusion


def test_coins_are_varied_only_where_the_implementation_takes_them(ask):
    asked = (
        "leak",
        "--scheme",
        "fake-kem",
        "--implementation",
        "toykem",
        "--operation",
        "encapsulate",
        "--json",
    )
    code, said = ask(*asked, misbehave="no-seed")
    (failure,) = printed(said)["failures"]
    assert (
        code == 3
        and failure["kind"] == "unsupported"
        and "draws its coins itself" in failure["message"]
    )


def test_a_probe_of_the_version_before_says_what_to_do(ask):
    code, said = ask(*MEASURE, "--implementation", "toykem", misbehave="version-1")
    assert code != 0 and "version 1 of the probe protocol" in said and "make setup" in said, said
