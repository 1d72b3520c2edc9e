"""The Java probe in whole runs: what a virtual machine is measured for, and what becomes of one
that fails.

Where the probe is not built, because there is no JDK or no Maven, nothing of this can be asked.
"""

from __future__ import annotations

import platform
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from motebench.base.model import FailureKind
from motebench.base.paths import data_root
from motebench.catalog.vectors import keys
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import HANGS, Motebench, as_if_undisturbed

BUILD = data_root() / "build"
JAR = BUILD / "java" / "motebench-probe.jar"

pytestmark = pytest.mark.skipif(
    not JAR.exists(), reason="the Java probe is not built: it needs a JDK 17 and Maven"
)

RUN = (
    "run",
    "--implementation",
    "sunjce,bouncycastle,openssl",
    "--operation",
    "digest",
    "--scheme",
    "sha256",
)
QUICK = (
    "--size",
    "64",
    "--fast",
    "--budget",
    "1s",
    "--warmup",
    "50ms",
    "--invocations",
    "2",
    "--quiet",
    "--json",
)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the probe that a test may damage; `probes` in it is for MOTEBENCH_PROBES."""
    shutil.copytree(BUILD / "java" / "lib", tmp_path / "java" / "lib")
    shutil.copy(JAR, tmp_path / "java")
    (tmp_path / "probes").mkdir()
    for name in ("sunjce", "bouncycastle"):
        shutil.copy(BUILD / "probes" / f"motebench-probe-{name}", tmp_path / "probes")
    return tmp_path


def measured(document: Any, metric: str = "time") -> dict[str, Any]:
    """The measurements of one metric by implementation."""
    return {
        row["implementation"]: row for row in document["measurements"] if row["metric"] == metric
    }


@pytest.mark.parametrize("runtime", ["shared", pytest.param("apart", marks=pytest.mark.long)])
def test_a_virtual_machine_is_measured_as_one(
    motebench: Motebench, runtime: str, tmp_path: Path
) -> None:
    result = motebench(
        "run",
        "--scheme",
        "sha256,aes-128-cbc",
        "--implementation",
        "sunjce,bouncycastle,openssl",
        "--size",
        "64",
        "--operation",
        "digest,encrypt",
        "--fast",
        "--warmup",
        "400ms",
        "--runtime",
        runtime,
        "--invocations",
        "3",
        "--quiet",
        "--json",
    )
    assert result.code == 0, result.err
    as_if_undisturbed(tmp_path / "motebench.db")
    result = motebench("show", "--json")
    java = {"sunjce", "bouncycastle"}
    for metric in ("heap", "heap_total", "allocated", "process_load", "warmup_time"):
        assert measured(result.json, metric).keys() == java, metric
    for metric in ("cpu_load", "peak_rss", "peak_rss_net"):
        assert measured(result.json, metric).keys() == java | {"openssl"}, metric
    for name in java:
        assert measured(result.json, "warmup_time")[name]["n"] >= 30, (
            "three blocks of ten batches at least, each time; a busy machine leaves out some"
        )
        for metric in ("time", "throughput", "cpu_load", "allocated"):
            row = measured(result.json, metric)[name]
            assert row["batches"] == 40, (
                "an invocation is one value; warming up does not eat samples"
            )
            assert row["n"] >= 3, "more only where a busy machine left nothing of one"
        assert measured(result.json, "peak_rss")[name]["batches"] is None
        assert (
            measured(result.json, "heap_total")[name]["median"]
            > measured(result.json, "heap")[name]["median"]
        )


def test_post_quantum_schemes_give_their_known_answers(motebench: Motebench) -> None:
    done = motebench(
        "verify",
        "--implementation",
        "bouncycastle",
        "--scheme",
        "ml-kem-*,ml-dsa-44,ml-dsa-65,ml-dsa-87,slh-dsa-*-128f",
        "--all",
        "--json",
    )
    assert done.code == 0, done.err
    (entry,) = done.json["implementations"]
    assert (entry["failed"], entry["not_applicable"]) == (0, 0) and entry["passed"] >= 27 + 33 + 4


def test_x_wing_gives_the_answers_of_its_draft(motebench: Motebench) -> None:
    done = motebench(
        "verify", "--implementation", "bouncycastle", "--scheme", "x-wing", "--all", "--json"
    )
    assert done.code == 0, done.err
    (entry,) = done.json["implementations"]
    assert (entry["passed"], entry["failed"], entry["not_applicable"]) == (9 + 7, 0, 0)


def test_x_wing_rejects_wrong_lengths_and_shares_of_small_order() -> None:
    private, public = keys.test_key("x-wing"), keys.public_key("x-wing")
    with closing(this_machine().open("bouncycastle")) as session:
        made = session.compute(Job("x-wing", "encapsulate", key=public))
        good = made.out or b""
        back = Job("x-wing", "decapsulate", key=private)
        assert session.compute(replace(back, ciphertext=good)).out == made.secret
        for wrong in (b"", good[:-1], good + b"\0", good[:-32] + bytes(32)):
            assert session.compute(replace(back, ciphertext=wrong)).rejected, len(wrong)
        assert session.compute(replace(back, key=private + b"\0", ciphertext=good)).rejected
        for wrong in (public[:-1], public[:-32] + bytes(32)):
            assert session.compute(Job("x-wing", "encapsulate", key=wrong)).rejected, len(wrong)
        with pytest.raises(ProbeFailure, match="seed: not 64 bytes"):
            session.compute(Job("x-wing", "encapsulate", key=public, seed=bytes(32)))


def test_seeds_of_another_length_and_long_contexts_are_refused() -> None:
    with closing(this_machine().open("bouncycastle")) as session:
        for scheme in ("x-wing", "ml-kem-512", "ml-dsa-44", "slh-dsa-sha2-128f"):
            with pytest.raises(ProbeFailure, match="seed: not ") as refused:
                session.compute(Job(scheme, "keygen", seed=bytes(31)))
            assert refused.value.kind is FailureKind.UNSUPPORTED
        with pytest.raises(ProbeFailure, match="context") as refused:
            session.compute(Job("ml-dsa-44", "sign", key=bytes(2560), context=bytes(256)))
        assert refused.value.kind is FailureKind.UNSUPPORTED


@pytest.mark.long
@pytest.mark.skipif(platform.machine() != "x86_64", reason="this variant is of x86-64")
def test_without_the_instructions_of_the_processor(motebench: Motebench) -> None:
    names = (
        "sunjce",
        "sunjce@no-aes",
        "sunjce@no-sha",
        "sunjce@baseline",
        "bouncycastle",
        "bouncycastle@no-aes",
    )
    result = motebench(
        "run",
        "--scheme",
        "aes-128-cbc",
        "--operation",
        "encrypt",
        "--implementation",
        ",".join(names),
        *QUICK,
    )
    assert result.code == 0, result.err
    assert measured(result.json).keys() == set(names)
    uses = {name: result.json["environment"]["probes"][name]["cpu_features"] for name in names}
    assert "UseAES=false" in uses["sunjce@no-aes"]
    assert "UseAESIntrinsics=false" in uses["sunjce@no-aes"]
    assert "UseGHASHIntrinsics=false" in uses["sunjce@no-aes"]
    assert "UseSHA=false" in uses["sunjce@no-sha"]
    assert "UseAVX=0" in uses["sunjce@baseline"]
    assert uses["bouncycastle"] == uses["bouncycastle@no-aes"], "it never uses them"


def _truncated(folder: Path) -> None:
    (jar,) = (folder / "java" / "lib").glob("bcprov*")
    jar.write_bytes(jar.read_bytes()[:300_000])


def _of_something_else(folder: Path) -> None:
    (jar,) = (folder / "java" / "lib").glob("bcprov*")
    shutil.copy(folder / "java" / JAR.name, jar)


def _gone(folder: Path) -> None:
    shutil.rmtree(folder / "java" / "lib")


@pytest.mark.parametrize("damage", [_truncated, _of_something_else, _gone])
def test_a_wrong_jar_costs_its_library_only(
    motebench: Motebench, installed: Path, damage: Callable[[Path], None]
) -> None:
    damage(installed)
    result = motebench(*RUN, *QUICK, MOTEBENCH_PROBES=str(installed / "probes"))
    assert result.code == 3
    (failure,) = result.json["failures"]
    assert (failure["implementation"], failure["kind"]) == ("bouncycastle", "crash")
    assert "the library cannot be loaded" in failure["message"]
    assert measured(result.json).keys() == {"sunjce", "openssl"}


def test_a_wrong_jar_of_the_probe(motebench: Motebench, installed: Path) -> None:
    jar = installed / "java" / JAR.name
    jar.write_bytes(jar.read_bytes()[:20_000])
    result = motebench(*RUN, *QUICK, MOTEBENCH_PROBES=str(installed / "probes"))
    assert result.code == 3
    assert {failure["implementation"] for failure in result.json["failures"]} == {
        "sunjce",
        "bouncycastle",
    }
    assert len(result.json["failures"]) == 2
    assert all("corrupt jarfile" in failure["message"] for failure in result.json["failures"])
    assert measured(result.json).keys() == {"openssl"}


def test_no_java_when_it_is_needed(motebench: Motebench, tmp_path: Path) -> None:
    result = motebench(*RUN, *QUICK, JAVA_HOME=str(tmp_path / "nowhere"))
    assert result.code == 3
    assert [failure["kind"] for failure in result.json["failures"]] == ["crash", "crash"]
    assert all("is missing" in failure["message"] for failure in result.json["failures"])
    assert measured(result.json).keys() == {"openssl"}


def test_an_old_java(motebench: Motebench, tmp_path: Path) -> None:
    # What Java 11 says of classes made for Java 17, and how it ends.
    words = (
        "Error: LinkageError occurred while loading main class org.motebench.probe.Main\\n"
        "java.lang.UnsupportedClassVersionError: org/motebench/probe/Main has been compiled by a "
        "newer version of the "
        "Java Runtime (class file version 61.0), this version only recognizes class file "
        "versions up to 55.0"
    )
    java = tmp_path / "old" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\nprintf '{words}' >&2\nexit 1\n")
    java.chmod(0o755)
    result = motebench(*RUN, *QUICK, JAVA_HOME=str(tmp_path / "old"))
    assert result.code == 3
    assert len(result.json["failures"]) == 2
    assert all(
        "class file version 61.0" in failure["message"] for failure in result.json["failures"]
    )
    assert measured(result.json).keys() == {"openssl"}


def test_out_of_memory_costs_the_case_only(motebench: Motebench) -> None:
    result = motebench(
        "run",
        "--scheme",
        "aes-128-cbc",
        "--operation",
        "decrypt-message",
        "--implementation",
        "bouncycastle,openssl",
        "--size",
        "16,2MiB,16MiB",
        "--fast",
        "--budget",
        "1s",
        "--warmup",
        "50ms",
        "--quiet",
        "--json",
        MOTEBENCH_JAVA_OPTIONS="-Xmx20m",
    )
    assert result.code == 3
    failed = {failure["input_bytes"]: failure for failure in result.json["failures"]}
    assert {(item["implementation"], item["kind"]) for item in failed.values()} == {
        ("bouncycastle", "too-big")
    }
    assert "the Java heap is too small" in failed[2 << 20]["message"]
    assert "this Java heap allows" in failed[16 << 20]["message"]
    done = {
        (row["implementation"], row["input_bytes"])
        for row in result.json["measurements"]
        if row["metric"] == "time"
    }
    assert done == {
        ("bouncycastle", 16),
        ("openssl", 16),
        ("openssl", 2 << 20),
        ("openssl", 16 << 20),
    }


KILLS = """\
import os, sqlite3, sys, time
query = (
    "SELECT 1 FROM samples JOIN series ON series.id = series_id "
    "WHERE metric = 'time' AND invocation IS NOT NULL"
)
while os.path.exists(f"/proc/{sys.argv[2]}"):
    try:
        if sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(query).fetchone():
            os.kill(int(sys.argv[2]), 9)
            break
    except sqlite3.OperationalError:  # not there yet
        pass
    time.sleep(0.01)
"""
"""Kills a process once a store has a time of a separate process."""


def test_killed_in_the_middle(motebench: Motebench, installed: Path) -> None:
    # The third virtual machine of the run, the first that measures, is killed once it has measured
    # one of its cases; others are left in peace.
    probe = installed / "probes" / "motebench-probe-sunjce"
    real = probe.rename(installed / "probes" / "real-sunjce")
    starts, waits = installed / "starts", installed / "waits.py"
    waits.write_text(KILLS)
    probe.write_text(
        f'#!/bin/sh\necho start >>"{starts}"\n'
        f'if [ "$(wc -l <"{starts}")" -eq 3 ]; then "{sys.executable}" "{waits}" '
        f'"{installed}/motebench.db" $$ & fi\n'
        f'exec "{real}"\n'
    )
    probe.chmod(0o755)
    result = motebench(
        "run",
        "--scheme",
        "sha256",
        "--implementation",
        "sunjce,openssl",
        "--size",
        "64,100,128,200,256,300",
        "--budget",
        "5s",
        "--warmup",
        "1s",
        "--precision",
        "0.01%",
        "--invocations",
        "2",
        "--quiet",
        "--json",
        MOTEBENCH_PROBES=str(installed / "probes"),
    )
    assert result.code == 3
    (failure,) = result.json["failures"]
    assert (failure["implementation"], failure["kind"]) == ("sunjce", "crash")
    assert "SIGKILL" in failure["message"]
    done = [row["implementation"] for row in result.json["measurements"] if row["metric"] == "time"]
    assert done.count("openssl") == 6
    assert done.count("sunjce") == 5


def test_a_run_that_goes_on_starts_new_invocations(motebench: Motebench, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "motebench",
        "run",
        "--scheme",
        "sha256",
        "--implementation",
        "sunjce",
        "--size",
        "64",
        "--fast",
        "--warmup",
        "100ms",
        "--invocations",
        "4",
        "--name",
        "cut",
        "--quiet",
    ]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        before = _until(tmp_path / "motebench.db", lambda found: len(found) >= 2)
    finally:
        running.kill()
        running.wait()
    cut = max(before)
    assert motebench("run", "--resume=cut", "--quiet").code == 0
    after = _processes(tmp_path / "motebench.db")
    assert set(after.values()) == {40}, "no value has batches of two processes, or of half of one"
    # In the place of invocations that a busy machine disturbed, as many again are tried.
    assert len(after) <= (8 if _disturbed(tmp_path / "motebench.db") else 4), (
        "and no value is there twice"
    )
    assert min(set(after) - set(before)) > cut
    as_if_undisturbed(tmp_path / "motebench.db")
    shown = motebench("show", "cut", "--json", "--samples").json
    (row,) = (row for row in shown["measurements"] if row["metric"] == "time")
    assert (row["n"], row["batches"], row["invocations"]) == (len(after), 40, sorted(after))
    assert len(after) >= 4


def _disturbed(store: Path) -> int:
    """Number of samples that a busy machine disturbed."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
        (count,) = opened.execute("SELECT count(*) FROM samples WHERE disturbed != ''").fetchone()
    return int(count)


def _processes(store: Path) -> dict[int, int]:
    """Number of samples of time, by invocation."""
    asked = (
        "SELECT invocation, count(*) FROM samples JOIN series ON series.id = series_id WHERE "
        "metric = 'time' GROUP BY invocation"
    )
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
        return dict(opened.execute(asked).fetchall())


def _until(store: Path, enough: Callable[[dict[int, int]], bool]) -> dict[int, int]:
    """Wait until the store holds enough, and return its contents."""
    ends = time.monotonic() + HANGS
    while time.monotonic() < ends:
        with suppress(sqlite3.OperationalError):  # not there yet
            if enough(found := _processes(store)):
                return found
        time.sleep(0.05)
    raise AssertionError("the run did not begin")


def test_a_request_that_the_heap_cannot_hold_ends_the_probe_with_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MOTEBENCH_JAVA_OPTIONS", "-Xmx6m")
    session = this_machine().open("sunjce")
    try:
        with pytest.raises(ProbeFailure) as caught:
            session.compute(Job("sha256", "digest", data=bytes(1_000_000)), timeout=600)
        assert caught.value.kind is FailureKind.CRASH
        assert "cannot read its requests" in caught.value.message
        assert session.compute(Job("sha256", "digest", data=b"abc"), timeout=600).length == 32
    finally:
        session.close()
