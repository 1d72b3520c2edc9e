"""Several runs of a study from the command line: groups, builds in turn, going on after an
interruption, comparing.
"""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from motebench.base.paths import PROBE_PREFIX, probe_dirs, probes_in
from motebench.store import Store
from tests.integration.conftest import Motebench, as_from_a_terminal, as_if_undisturbed, plant

STUDY = (
    "--scheme",
    "sha256",
    "--size",
    "64",
    "--operation",
    "digest",
    "--implementation",
    "openssl",
    "--fast",
)
RUN = ("run", *STUDY, "--budget", "200ms", "--quiet")
ROUNDS = 40
"""Rounds of the made-up hash that code folders compute."""

HASH = """\
#include <stdint.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    uint32_t a = 1, b = 2;
    for (int r = 0; r < ROUNDS; r++)
        for (unsigned long long i = 0; i < inlen; i++) {
            a = (a + in[i]) ^ b;
            b = (b << 7 | b >> 25) + a;
        }
    for (int i = 0; i < 32; i++) {
        out[i] = (unsigned char)(a >> (i % 4 * 8));
        a = a * 5 + b;
    }
    return 0;
}
"""


def build(folder: Path, name: str = "openssl") -> Path:
    """A folder with one probe."""
    folder.mkdir()
    shutil.copy(probes_in(probe_dirs())[name], folder / f"{PROBE_PREFIX}{name}")
    return folder


def code(folder: Path, rounds: int = ROUNDS) -> Path:
    folder.mkdir()
    (folder / "api.h").write_text("#define CRYPTO_BYTES 32\n")
    (folder / "hash.c").write_text(HASH.replace("ROUNDS", str(rounds)))
    return folder


def folders(store: Path) -> dict[str, str]:
    """Folders of the code that each run measured, by name of the run."""
    with Store.open(store, create=False) as opened:
        return {info.name: info.environment["code"]["code/mix"]["folder"] for info in opened.runs()}


def names(motebench: Motebench) -> list[str]:
    return [row["name"] for row in motebench("list", "runs", "--json").json["rows"]]


def test_a_group_of_runs(motebench: Motebench, tmp_path: Path) -> None:
    made = motebench(*RUN, "--runs", "3", "--name", "base", "--json", "--report", "r.html")
    assert made.code == 0
    assert "base-1, base-2, base-3" in (tmp_path / "r.html").read_text()
    assert names(motebench) == ["base-1", "base-2", "base-3"]
    (group,) = made.json["groups"]
    assert (group["name"], [run["status"] for run in group["runs"]]) == ("base", ["finished"] * 3)
    assert group["cases"][0]["runs"] == len(group["cases"][0]["medians"]) == 3
    again = motebench(*RUN, "--runs", "3", "--name", "base")
    assert again.code == 2
    assert "the store already has" in again.err
    assert motebench(*RUN, "--runs", "2").code == 0
    assert names(motebench)[3:] == ["group-1-1", "group-1-2"]


def test_builds_in_turn_and_what_compare_says_of_them(motebench: Motebench, tmp_path: Path) -> None:
    old, new = build(tmp_path / "one"), build(tmp_path / "two")
    made = motebench(
        *RUN, "--runs", "3", "--alternate", f"old={old}", "--alternate", f"new={new}", "--json"
    )
    assert made.code == 0
    order = names(motebench)
    assert made.json["order"] == order
    assert [{*order[at : at + 2]} for at in (0, 2, 4)] == [
        {"old-1", "new-1"},
        {"old-2", "new-2"},
        {"old-3", "new-3"},
    ]
    assert [group["build"] for group in made.json["groups"]] == [str(old), str(new)]
    as_if_undisturbed(tmp_path / "motebench.db")
    levels = {"old-1": 100, "old-2": 101, "old-3": 100, "new-1": 200, "new-2": 202, "new-3": 201}
    for name, level in levels.items():
        plant(tmp_path / "motebench.db", order.index(name) + 1, [level] * 12)
    for sides in (("old", "new"), ("old-*", "new-1,new-2,new-3")):
        found = motebench("compare", *sides, "--json", "--fail-if-slower", "50%")
        assert found.code == 4
        (pair,) = found.json["comparisons"]
        assert (pair["n_a"], pair["n_b"], pair["verdict"]) == (3, 3, "slower")
        assert (found.json["unit"], found.json["in_turn"]) == ("run", True)
    shown = motebench("compare", "old", "new").out
    assert "A: old, 3 runs" in shown
    assert "spread of runs, time:" in shown


def test_each_build_is_measured_by_its_own_probes(
    motebench: Motebench, tmp_path: Path, pysha: dict[str, str]
) -> None:
    first, second = build(tmp_path / "one"), tmp_path / "probes"
    refused = motebench(
        *RUN, "--runs", "2", "--alternate", f"a={first}", "--alternate", f"b={second}", **pysha
    )
    assert refused.code == 2
    assert "openssl" in refused.err
    assert not (tmp_path / "motebench.db").exists(), "found before anything was measured"


def test_two_stores(motebench: Motebench, tmp_path: Path) -> None:
    for place in ("main.db", "branch.db"):
        assert motebench(*RUN, "--runs", "2", "--name", "ci", "--store", place).code == 0
        as_if_undisturbed(tmp_path / place)
    found = motebench(
        "compare", "ci", "ci", "--store", "main.db", "--store-b", "branch.db", "--json"
    )
    assert found.code == 0
    assert found.json["comparisons"][0]["n_a"] == 2
    assert found.json["margin_source"] == "assumed"
    same = motebench("compare", "ci", "ci", "--store", "main.db")
    assert same.code == 2
    assert "are the same" in same.err


def test_single_runs_use_the_spread_of_groups(motebench: Motebench, tmp_path: Path) -> None:
    for name in ("before", "after"):
        assert motebench(*RUN, "--name", name).code == 0
    as_if_undisturbed(tmp_path / "motebench.db")
    assert "assumed: run --runs 5 estimates it" in motebench("compare", "before", "after").out
    assert motebench(*RUN, "--runs", "5", "--name", "here").code == 0
    as_if_undisturbed(tmp_path / "motebench.db")
    known = motebench("compare", "before", "after", "--json").json
    assert known["margin_source"] == "spread"
    assert known["spreads"][0]["degrees_of_freedom"] == 4
    assert known["margin"] > 0


def test_code_in_turn_is_one_implementation(motebench: Motebench, tmp_path: Path) -> None:
    old, new = code(tmp_path / "one"), code(tmp_path / "two", 2 * ROUNDS)
    words = ("--size", "64", "--fast", "--budget", "200ms", "--without-kat", "--quiet")
    made = motebench(
        "run",
        *words,
        "--runs",
        "2",
        "--code-name",
        "mix",
        "--alternate",
        f"old={old}",
        "--alternate",
        f"new={new}",
    )
    assert made.code == 0, made.err
    as_if_undisturbed(tmp_path / "motebench.db")
    found = motebench("compare", "old", "new", "--json").json
    (pair,) = found["comparisons"]
    assert (pair["scheme"], pair["implementation_a"], pair["implementation_b"]) == (
        "code-mix-hash",
        "code/mix",
        "code/mix",
    )
    each = {"old-1": str(old), "old-2": str(old), "new-1": str(new), "new-2": str(new)}
    assert folders(tmp_path / "motebench.db") == each
    # What is missing of a session is made from its folder.
    database = sqlite3.connect(tmp_path / "motebench.db")
    database.execute("update runs set name = 'gone', settings = '{}' where name = 'new-2'")
    database.commit()
    database.close()
    assert motebench("run", "--resume=old", "--quiet").code == 0
    assert folders(tmp_path / "motebench.db") == {**each, "gone": str(new)}


@pytest.mark.long
def test_an_interrupted_session_goes_on_with_the_rest(motebench: Motebench, tmp_path: Path) -> None:
    old, new = build(tmp_path / "one"), build(tmp_path / "two")
    arguments = (
        "run",
        *STUDY,
        "--precision",
        "0.01%",
        "--budget",
        "3s",
        "--runs",
        "2",
        "--alternate",
        f"old={old}",
        "--alternate",
        f"new={new}",
        "--quiet",
        "--seed",
        "7",
    )
    session = subprocess.Popen(
        [sys.executable, "-m", "motebench", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=as_from_a_terminal,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not sampled(tmp_path / "motebench.db", "new-1"):
        time.sleep(0.05)
    session.send_signal(signal.SIGINT)
    _, said = session.communicate(timeout=1200)
    assert session.returncode == 130
    assert b"--resume=old continues with new-1 and the 2 runs after it" in said
    assert names(motebench) == ["old-1", "new-1"]
    assert motebench("run", "--resume", "--quiet").code == 0
    rows = motebench("list", "runs", "--json").json["rows"]
    assert [(row["name"], row["status"]) for row in rows] == [
        (name, "finished") for name in ("old-1", "new-1", "new-2", "old-2")
    ]
    as_if_undisturbed(tmp_path / "motebench.db")
    assert motebench("compare", "old", "new", "--json").json["in_turn"]


def sampled(store: Path, name: str) -> bool:
    if not store.exists():
        return False
    database = sqlite3.connect(store)
    try:
        query = (
            "select count(*) from samples join series on series.id = series_id join cases on "
            "cases.id = case_id join runs on runs.id = run_id where runs.name = ?"
        )
        return bool(database.execute(query, (name,)).fetchone()[0] > 3)
    except sqlite3.OperationalError:
        return False
    finally:
        database.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--runs", "1"), "1 is out of range"),
        (("--runs", "2", "--name", "a,b"), "cannot be the name of a group"),
        (("--alternate", "old=here"), "is not a folder"),
        (
            ("--name", "x", "--alternate", "old=BUILD", "--alternate", "new=BUILD"),
            "labels of the builds",
        ),
        (
            ("--target", "sim:atmega2560", "--alternate", "old=BUILD", "--alternate", "new=BUILD"),
            "target host",
        ),
    ],
)
def test_what_cannot_be_several_runs(
    motebench: Motebench, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    folder = build(tmp_path / "build")
    refused = motebench(*RUN, *(word.replace("BUILD", str(folder)) for word in arguments))
    assert refused.code == 2
    assert said in refused.err
