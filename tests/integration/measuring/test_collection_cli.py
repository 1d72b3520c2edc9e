"""A small collection: code that works, that does not build, that never ends and that lies."""

from __future__ import annotations

import csv
import io
import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import code_folders as folders
import pytest
import toy_keys as toy

from motebench.catalog.devices import programmable
from motebench.measuring.collection import CollectionRequest, collect, read_collection
from tests.integration.conftest import need_simulator

BOARD = "sim:atmega2560"
FILE = """\
name = "small"
title = "a small collection"
targets = ["sim:atmega2560"]
timeout = "3s"
REPOSITORY

[[folders]]
match = ["Implementations/crypto_aead/{scheme}/{implementation}"]
variants = ["Os"]
sizes = [8, 16]
aad = [0]
schemes = { "ascon-aead128" = "" }

[[folders.exclude]]
match = ["*/avx2"]
reason = "of x86"

[[tables]]
kind = "aead"
published = { "sim:atmega2560" = "table.csv" }

[tables.columns]
"variant" = "scheme"
"primary" = "published"
"implementation" = "implementation"
"config" = "level"
"enc({aad}:{size})" = "encrypt-message cycles"
"dec({aad}:{size})" = "decrypt-message cycles"
"""
PUBLISHED = """\
variant,primary,implementation,config,flash,enc(0:8),dec(0:8),enc(0:16),dec(0:16)
ascon-aead128,yes,ref,os,1234,100000,-,50000,50000
ascon-aead128,no,gone,os,1234,1,2,3,4
"""
ODD = "$(touch x) 'q' \"d\" é;&|*?[1]\x1b"
MEASURED = ("encrypt-message", "decrypt-message")


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """The folder of the collection, and its file beside."""
    need_simulator(programmable()["atmega2560"])
    root = tmp_path_factory.mktemp("collection") / "tree"
    good = folders.submission(root)
    for name in ("broken", "endless", "liar", "avx2", "loud", ODD):
        shutil.copytree(good, good.parent / name)
    change(good.parent / "broken", '#include "ascon.inc"', "#error of this folder")
    change(good.parent / "endless", "(void)nsec;", "for (volatile int on = 1; on;) ;")
    change(good.parent / "liar", "return 0;", "c[0] ^= 1; return 0;")
    change(
        good.parent / "loud", "(void)nsec;", "for (long i = 0; i < 100000000; i++) putchar('x');"
    )
    change(good.parent / "loud", "#include", "#include <stdio.h>\n#include")
    (root / "table.csv").write_text(PUBLISHED)
    (root.parent / "small.toml").write_text(FILE.replace("REPOSITORY", ""))
    return root


def change(folder: Path, old: str, new: str) -> None:
    """Replace the first such text of the folder's source."""
    source = folder / "encrypt.c"
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new, 1))


def states(document) -> dict[str, tuple[str, set[str]]]:
    """State and kinds of causes, by implementation."""
    return {
        entry["names"]["implementation"]: (
            entry["state"],
            {cause["kind"] for cause in entry["causes"]},
        )
        for entry in document["entries"]
    }


def call(motebench, tree: Path, *options: str):
    """The command on the tree."""
    file = str(tree.parent / "small.toml")
    return motebench("collection", file, "--from", str(tree), *options)


def test_every_folder_has_a_row_and_what_fails_its_cause(motebench, tree, tmp_path):
    whole = call(motebench, tree, "--json")
    assert whole.code == 3, whole.err
    assert states(whole.json) == {
        "ref": ("measured", set()),
        "broken": ("failed", {"build"}),
        "endless": ("failed", {"timeout"}),
        "liar": ("failed", {"wrong-answer"}),
        "loud": ("failed", {"timeout"}),
        ODD.replace("\x1b", "\ufffd"): ("measured", set()),
        "avx2": ("excluded", {"excluded"}),
        "gone": ("no-folder", {"no-folder"}),
    }
    good, odd = (entry for entry in whole.json["entries"] if entry["state"] == "measured")
    if good["names"]["implementation"] != "ref":
        good, odd = odd, good
    figures = {figure["column"]: figure for figure in good["figures"]}
    assert list(figures) == ["enc(0:8)", "dec(0:8)", "enc(0:16)", "dec(0:16)"]
    assert [figure["value"] for figure in odd["figures"]] == [
        figure["value"] for figure in figures.values()
    ]
    assert "\x1b" not in whole.err and "\ufffd" in whole.err
    assert not (tmp_path / "x").exists()
    encrypted = figures["enc(0:16)"]
    assert encrypted["published"] == 50000
    assert encrypted["deviation"] == pytest.approx(encrypted["value"] / 50000 - 1)
    assert figures["dec(0:8)"]["published"] is None
    assert figures["dec(0:8)"]["value"] > 0

    table = call(motebench, tree, "--format", "csv", "--output", "out")
    assert table.code == 3
    head, *rows = csv.reader(io.StringIO(table.out))
    assert head == [*PUBLISHED.splitlines()[0].split(","), "cause"]
    by_name = {row[2]: row for row in rows}
    assert by_name["ref"][:5] == ["ascon-aead128", "yes", "ref", "os", "-"]
    assert [int(cell) for cell in by_name["ref"][5:9]] == [
        round(figure["value"]) for figure in figures.values()
    ]
    assert set(by_name["liar"][4:9]) == {"-"}
    assert by_name["broken"][-1].startswith("build: ")
    assert "of this folder" in by_name["broken"][-1]
    assert by_name["avx2"][-1] == "excluded: of x86"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "small-beside.csv",
        "small.json",
        "table.csv",
        "table.md",
    }
    shown = motebench("show", "small-ascon-aead128-ref")
    assert shown.code == 0, shown.err
    assert "code/ref" in shown.out


def test_what_a_target_does_not_measure_and_a_file_does_not_ask_for_has_a_cause(
    motebench, tree, tmp_path
):
    text = FILE.replace("REPOSITORY", "").replace("sizes = [8, 16]", "sizes = [8]")
    table = text.replace('"decrypt-message cycles"', '"decrypt-message cpu_time"')
    (tmp_path / "less.toml").write_text(table)
    done = motebench("collection", "less.toml", "--from", str(tree), "--only", "*/ref", "--json")
    assert done.code == 3, done.err
    (entry,) = done.json["entries"]
    assert entry["state"] == "measured"
    assert [(cause["kind"], cause["operation"]) for cause in entry["causes"]] == [
        ("unsupported", None),
        ("not-asked", "encrypt-message"),
    ]
    assert entry["causes"][0]["message"] == f"cpu_time is not measured on {BOARD}"


def test_more_sizes_are_pairs_of_their_own(motebench, tree, tmp_path):
    text = FILE.replace("REPOSITORY", "").replace(
        "aad = [0]", "aad = [0]\nmore = [{ aad = [24], sizes = [0] }]"
    )
    published = PUBLISHED.replace("dec(0:16)", "enc(24:0)")
    (tmp_path / "more.toml").write_text(text.replace("table.csv", "wide.csv"))
    (tmp_path / "wide.csv").write_text(published)
    given = ("collection", "more.toml", "--from", str(tree), "--only", "*/ref", "--json")
    done = motebench(*given)
    assert done.code == 0, done.err
    (entry,) = done.json["entries"]
    assert {figure["column"] for figure in entry["figures"] if figure["value"]} == {
        "enc(0:8)",
        "dec(0:8)",
        "enc(0:16)",
        "enc(24:0)",
    }


def test_a_folder_may_fail_on_one_target_and_work_on_another(motebench, tree, tmp_path):
    need_simulator(programmable()["samd21g18a"])
    copied = tmp_path / "tree"
    shutil.copytree(tree, copied)
    one = copied / "Implementations/crypto_aead/ascon-aead128"
    shutil.copytree(one / "ref", one / "arm")
    change(one / "arm", "#include", "#ifdef __AVR__\n#error for Arm\n#endif\n#include")
    given = ("--from", str(copied), "--only", "*/arm", "--target", f"{BOARD},sim:samd21g18a")
    done = motebench("collection", str(tree.parent / "small.toml"), *given, "--json")
    assert done.code == 3, done.err
    assert {entry["target"]: entry["state"] for entry in done.json["entries"]} == {
        BOARD: "failed",
        "sim:samd21g18a": "measured",
    }
    assert f"{BOARD}: failed" in done.err and "sim:samd21g18a: measured" in done.err


def test_a_cause_of_some_sizes_names_them_and_a_bad_file_its_path(motebench, tree, tmp_path):
    copied = tmp_path / "tree"
    shutil.copytree(tree, copied)
    one = copied / "Implementations/crypto_aead/ascon-aead128"
    shutil.copytree(one / "ref", one / "long")
    change(one / "long", "(void)nsec;", "for (volatile int on = mlen == 16 && adlen == 0; on;) ;")
    for answers in copied.rglob("LWC_*"):
        answers.unlink()
    other = copied / "Implementations/crypto_aead/other"
    shutil.copytree(one / "ref", other / "ref")
    (other / "ref/LWC_AEAD_KAT_128_128.txt").write_text("Count = 1\nKey = zz\n")
    text = FILE.replace("REPOSITORY", "").replace("[[folders]]", "[[folders]]\nwithout_kat = true")
    (tmp_path / "long.toml").write_text(text)
    only = ("--only", "*/long,other/*", "--json")
    done = motebench("collection", "long.toml", "--from", str(copied), *only)
    causes = {entry["folder"].rpartition("/")[2]: entry["causes"] for entry in done.json["entries"]}
    assert causes["ref"][0]["message"].startswith(f"{other}/ref/LWC_AEAD_KAT_128_128.txt:2: ")
    assert {(cause["operation"], cause["size"]) for cause in causes["long"]} == {
        ("encrypt-message", "16 B"),
        ("decrypt-message", "16 B"),
    }
    assert "timeout: encrypt-message of 16 B" in done.err


def test_what_a_file_names_and_is_not_there_is_refused_before_anything_is_measured(
    motebench, tree, tmp_path
):
    text = FILE.replace("REPOSITORY", "")
    for old, new, said in (
        ('"table.csv"', '"gone.csv"', "published: "),
        ('published = { "sim:atmega2560"', 'published = { "sim:nowhere"', "published: unknown"),
        ('targets = ["sim:atmega2560"]', 'targets = ["sim:nowhere"]', "targets: unknown"),
    ):
        (tmp_path / "odd.toml").write_text(text.replace(old, new))
        refused = motebench("collection", "odd.toml", "--from", str(tree), "--only", "*/ref")
        assert refused.code == 2, refused.err
        assert said in refused.err
        assert "[1/1]" not in refused.err
    (tmp_path / "odd.toml").write_text(text.replace('"Os"', '"Os+gcc-1.2"'))
    absent = motebench("collection", "odd.toml", "--from", str(tree), "--only", "*/ref")
    assert absent.code == 3, absent.err
    assert "gcc-1.2" in absent.err


def test_an_interrupted_collection_goes_on_and_measures_only_what_is_new(motebench, tree, tmp_path):
    copied = tmp_path / "tree"
    shutil.copytree(tree, copied)
    collection, _ = read_collection(str(tree.parent / "small.toml"))
    request = CollectionRequest(collection, copied, only=("*/ref", "*/liar", "*/broken"))
    heard = []

    def stop_before_the_last(number, count, folder, outcomes):
        heard.append((folder.label, None if outcomes is None else [o.kept for o in outcomes]))
        if number == count:
            raise KeyboardInterrupt

    store = tmp_path / "motebench.db"
    interrupted = collect(store, request, stop_before_the_last, None)
    assert interrupted.left == 1
    assert [outcome.folder.names["implementation"] for outcome in interrupted.outcomes] == [
        "broken",
        "liar",
    ]

    heard.clear()
    whole = collect(store, request, lambda *told: heard.append(told), None)
    assert [outcome.kept for outcome in whole.outcomes] == [True, True, False]
    assert whole.left == 0

    change(copied / "Implementations/crypto_aead/ascon-aead128/liar", "c[0] ^= 1; ", "")
    changed = collect(store, request, lambda *told: None, None)
    assert [outcome.kept for outcome in changed.outcomes] == [True, False, True]
    assert changed.outcomes[1].causes == ()
    assert changed.outcomes[1].run.info.name == "small-ascon-aead128-liar.2"


def test_folders_at_once_have_the_cycles_of_folders_one_by_one(motebench, tree):
    only = ("--only", "*/ref,*/liar,*/broken,*/avx2", "--json")
    alone = call(motebench, tree, *only, "--jobs", "1", "--store", "one.db")
    both = call(motebench, tree, *only, "--jobs", "3", "--store", "many.db")
    assert states(both.json) == states(alone.json)
    assert len(states(both.json)) == 4
    figures = [
        [entry["figures"] for entry in whole.json["entries"] if entry["state"] == "measured"]
        for whole in (alone, both)
    ]
    assert figures[0] == figures[1] and figures[0]
    for label in ("ref", "liar", "broken", "avx2"):
        assert f"/4] ascon-aead128/{label} is over\n" in both.err

    refused = call(motebench, tree, "--target", "host", "--jobs", "2")
    assert refused.code == 2 and "--jobs" in refused.err and "simulated boards" in refused.err


def test_an_interruption_ends_all_folders_that_are_measured_at_once(tree, tmp_path):
    collection, _ = read_collection(str(tree.parent / "small.toml"))
    only, store = ("*/ref", "*/liar", "*/endless"), tmp_path / "motebench.db"
    request = CollectionRequest(collection, tree, only=only, timeout=600.0, jobs=2)

    def stop_at_the_last(number, count, folder, outcomes):
        if number == count and outcomes is None:
            os.kill(os.getpid(), signal.SIGINT)

    interrupted = collect(store, request, stop_at_the_last, None)
    assert interrupted.left
    assert {outcome.folder.names["implementation"] for outcome in interrupted.outcomes} >= {"liar"}

    request = replace(request, timeout=3.0)
    whole = collect(store, request, lambda *told: None, None)
    assert whole.left == 0
    kept = {outcome.folder.names["implementation"]: outcome.kept for outcome in whole.outcomes}
    assert kept.keys() == {"endless", "liar", "ref"} and kept["liar"]


def test_a_common_file_of_the_tree_counts_for_the_folders_that_may_use_it(tmp_path):
    need_simulator(programmable()["atmega2560"])
    top = tmp_path / "tree"
    shutil.copytree(folders.submission(tmp_path / "nist"), top / "crypto_aead/ascon/ref")
    toy.folder(top / "crypto_kem/toy/ref", toy.KEM, toy.KEM_API)
    (top / "common").mkdir()
    (top / "common/fips202.h").write_text("")
    collection, _ = read_collection("supercop")
    request = CollectionRequest(collection, top, targets=(BOARD,))

    def kept():
        outcomes = collect(tmp_path / "motebench.db", request, lambda *told: None, None).outcomes
        return {outcome.kinds: outcome.kept for outcome in outcomes}

    assert kept() == {("aead",): False, ("kem",): False}
    assert kept() == {("aead",): True, ("kem",): True}
    (top / "common/fips202.h").write_text("/* changed */")
    assert kept() == {("aead",): True, ("kem",): False}


def test_a_name_that_another_call_takes_first_is_not_used(tree, tmp_path, monkeypatch):
    collection, _ = read_collection(str(tree.parent / "small.toml"))
    request = CollectionRequest(collection, tree, only=("*/ref",), again=True)
    store = tmp_path / "motebench.db"
    (first,) = collect(store, request, lambda *told: None, None).outcomes
    names = iter([first.run.info.name, "small-free"])
    monkeypatch.setattr("motebench.measuring.collection._free_name", lambda *_: next(names))
    (second,) = collect(store, request, lambda *told: None, None).outcomes
    assert second.run.info.name == "small-free"


def test_a_collection_is_fetched_at_its_commit(motebench, tree, tmp_path):
    repository = tmp_path / "repository"
    shutil.copytree(tree, repository)

    def git(*arguments: str) -> str:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(repository), *author, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "all")
    commit = git("rev-parse", "HEAD")
    named = f'repository = "file://{repository}"\ncommit = "{commit}"\n'
    (tmp_path / "small.toml").write_text(FILE.replace("REPOSITORY", named))
    cache = {"MOTEBENCH_CACHE": str(tmp_path / "cache")}
    listed = motebench("collection", "small.toml", "--dry-run", **cache)
    assert listed.code == 0, listed.err
    assert "ascon-aead128/ref  Implementations/crypto_aead/ascon-aead128/ref" in listed.out
    assert "excluded: of x86" in listed.out
    planned = motebench("collection", "small.toml", "--dry-run", "--json", **cache)
    assert planned.code == 0, planned.err
    states = {
        (entry["names"]["implementation"], entry["variant"]): entry["state"]
        for entry in planned.json["entries"]
    }
    assert states["ref", "Os"] == "planned" and states["avx2", "Os"] == "excluded"
    assert planned.json["left"] == [*states.values()].count("planned")
    for given, other in (("--json", "-f"), ("--dry-run", "-f"), ("--dry-run", "-o")):
        both = motebench("collection", "small.toml", given, other, "csv", **cache)
        assert both.code == 2 and f"no effect with {given}" in both.err

    (tmp_path / "small.toml").write_text(
        FILE.replace("REPOSITORY", named.replace(commit, "0" * 40))
    )
    gone = motebench("collection", "small.toml", "--dry-run", **cache)
    assert gone.code != 0
    assert "--from DIR" in gone.err


def test_an_unpacked_tree_of_supercop_is_measured(motebench, tmp_path):
    need_simulator(programmable()["atmega2560"])
    top = tmp_path / "supercop-20260101"
    good = folders.submission(tmp_path / "nist")
    shutil.copytree(good, top / "crypto_aead/asconaead128/ref", ignore=lambda *_: ["LWC*"])
    (top / "crypto_aead/asconaead128/checksumsmall").write_text("00\n")
    toy.folder(top / "crypto_kem/toykem/ref", toy.KEM, toy.KEM_API)
    toy.folder(top / "crypto_sign/toysign/ref", toy.WHOLE, toy.SIGN_API)
    without = motebench("collection", "supercop")
    assert without.code == 2 and "--from DIR" in without.err

    asked = ("collection", "supercop", "--from", str(top), "--target", BOARD, "--format", "csv")
    done = motebench(*asked, "--timeout", "60s")
    assert done.code == 0, done.err
    tables = [list(csv.reader(block.splitlines())) for block in done.out.split("\n\n")]
    rows = [row for table in tables for row in table if row[1:2] == ["ref"]]
    assert [row[0] for row in rows] == ["asconaead128", "toykem", "toysign"]
    assert [sum(cell not in ("", "-") for cell in row[2:-1]) for row in rows] == [6, 3, 7]


SIGNATURES = """\
name = "signed"
title = "signatures"
targets = ["sim:cortex-m4-nows"]

[[folders]]
match = ["crypto_sign/{scheme}/{implementation}"]
variants = ["O3"]
sizes = [8]
operations = ["keygen", "sign", "verify"]
without_kat = true

[[tables]]
kind = "sign"

[tables.columns]
"scheme" = "{scheme} ({executions} executions)"
"implementation" = "implementation"
"keygen" = "keygen cycles mean"
"mean" = "sign cycles mean"
"min" = "sign cycles min"
"max" = "sign cycles max"
"""


def varying_signatures(folder):
    """A collection of a signature whose time follows the message; the call that measures it."""
    need_simulator(programmable()["cortex-m4-nows"])
    loop = "for (volatile int left = 100 * (m[0] & 15); left > 0;) left = left - 1;\n"
    varying = toy.SIGN.replace("    *siglen = 20;", f"    {loop}    *siglen = 20;")
    toy.folder(folder / "tree/crypto_sign/toy/ref", varying, toy.SIGN_API)
    (folder / "signed.toml").write_text(SIGNATURES)
    return "collection", "signed.toml", "--from", "tree"


def test_signing_whose_time_follows_the_message_has_the_spread_of_many_messages(
    motebench, tmp_path
):
    asked = varying_signatures(tmp_path)
    done = motebench(*asked, "--json")
    assert done.code == 0, done.err
    (entry,) = done.json["entries"]
    assert entry["executions"] == 100
    figures = {figure["column"]: figure for figure in entry["figures"]}
    low, mean, high = (figures[name]["value"] for name in ("min", "mean", "max"))
    assert low < mean < high
    assert 0.01 < figures["mean"]["uncertainty"] < 0.2
    assert figures["keygen"]["uncertainty"] is None
    again = motebench(*asked, "--again", "--json", "--store", "again.db")
    assert again.json["entries"][0]["figures"] == entry["figures"]
    table = motebench(*asked, "--format", "csv")
    assert "toy (100 executions),ref," in table.out


def test_an_interruption_between_visits_does_not_double_the_executions_with_other_inputs(
    motebench, tmp_path
):
    asked = varying_signatures(tmp_path)
    done = motebench(*asked, "--json")
    assert done.code == 0, done.err
    with closing(sqlite3.connect(tmp_path / "motebench.db")) as raw, raw:
        raw.execute("UPDATE cases SET state = 'pending'")
        raw.execute("UPDATE runs SET status = 'interrupted', finished = NULL")
    resumed = motebench(*asked, "--json")
    assert resumed.code == 0, resumed.err
    (before,), (after,) = done.json["entries"], resumed.json["entries"]
    assert after["run"] == before["run"]
    assert after["executions"] == before["executions"]
    assert after["figures"] == before["figures"]
