"""Runs as users start them: results, failures of every kind, resuming."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from motebench.cli.app import app
from motebench.measuring.study.model import PRESETS
from motebench.measuring.work import readings
from motebench.targets.host import machine
from tests.integration.conftest import HANGS, Motebench

QUICK = ("--fast", "--budget", "300ms", "--quiet")
SHA = ("run", "--scheme", "sha256", "--size", "64", *QUICK, "--json")


def test_a_run_prints_one_document(motebench: Motebench) -> None:
    result = motebench(
        "run",
        "--scheme",
        "aes-128-cbc",
        "--implementation",
        "openssl",
        "--size",
        "16,1KiB",
        *QUICK,
        "--json",
    )
    assert result.code == 0, result.err
    document = result.json
    assert document["failures"] == []
    rows = [row for row in document["measurements"] if row["metric"] == "time"]
    assert {(row["operation"], row["input_bytes"]) for row in rows} == {
        (operation, size) for operation in ("encrypt", "decrypt") for size in (16, 1024)
    }
    for row in rows:
        assert row["unit"] == "ns"
        assert row["evidence"] == "measured"
        assert row["min"] <= row["median"] <= row["max"]
        # Of few readings, or of very different ones, no interval is known.
        if row["ci_low"] is not None:
            assert row["n"] >= 6
            assert row["ci_low"] <= row["median"] <= row["ci_high"]
    assert document["environment"]["probes"]["openssl"]["version"].startswith("OpenSSL")
    metrics = {row["metric"] for row in document["measurements"]}
    assert {"time", "throughput", "cpu_time", "cpu_load", "peak_rss"} <= metrics


def in_this_process(*arguments: str) -> tuple[int, Any, str]:
    """Exit code, document and messages of a command in this process, which sees the test's
    changes.
    """
    result = CliRunner().invoke(app, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, json.loads(result.stdout), result.stderr


def test_a_probe_that_never_greets_costs_its_own_cases_only(
    motebench: Motebench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(machine, "PROGRAM_SECONDS", 5.0)
    for name, does in (("mute", "exec sleep 600"), ("dead", "kill -SEGV $$")):
        probe = tmp_path / f"motebench-probe-{name}"
        probe.write_text(f"#!/bin/sh\n{does}\n")
        probe.chmod(0o755)
    monkeypatch.setenv("MOTEBENCH_PROBES", str(tmp_path))
    code, document, _ = in_this_process(*SHA, "--implementation", "mute,openssl")
    assert code == 3
    assert {row["implementation"] for row in document["measurements"]} == {"openssl"}
    assert [(failure["implementation"], failure["kind"]) for failure in document["failures"]] == [
        ("mute", "timeout")
    ]
    # With nobody else it is a result all the same.
    result = motebench(*SHA, "--implementation", "dead")
    assert result.code == 3 and result.json["measurements"] == []
    assert [
        (failure["implementation"], failure["kind"]) for failure in result.json["failures"]
    ] == [("dead", "crash")]
    assert "crash: * dead" in motebench("show", "latest").out


def test_throughput_is_input_over_time(motebench: Motebench) -> None:
    rows = motebench(*SHA).json["measurements"]
    by_metric = {row["metric"]: row for row in rows if row["implementation"] == "openssl"}
    assert by_metric["throughput"]["median"] == pytest.approx(64e9 / by_metric["time"]["median"])


def test_a_probe_in_another_language_takes_part(
    motebench: Motebench, pysha: dict[str, str]
) -> None:
    document = motebench(*SHA, **pysha).json
    assert {row["implementation"] for row in document["measurements"]} >= {"openssl", "pysha"}
    assert document["failures"] == []


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("crash", "crash", "SIGABRT"),
        ("silent", "crash", "status 3"),
        ("hang", "timeout", "no answer within"),
        ("garbage", "timeout", "no answer within"),
        ("wrong", "wrong-answer", "output is wrong"),
        ("wrong-known", "wrong-answer", "expected"),
        ("error", "error", "out of luck"),
    ],
)
def test_one_bad_implementation_never_ends_the_run(
    motebench: Motebench, pysha: dict[str, str], mode: str, kind: str, words: str
) -> None:
    # The limit holds for the good one, too, which must not reach it if the machine stands still for
    # seconds.
    limit = ("--timeout", "6s") if kind == "timeout" else ()
    both = ("--implementation", "pysha,openssl")
    result = motebench(*SHA, *both, *limit, **pysha, MOTEBENCH_TEST_MISBEHAVE=mode)
    assert result.code == 3
    (failure,) = result.json["failures"]
    assert (failure["implementation"], failure["kind"]) == ("pysha", kind)
    assert words in failure["message"]
    assert bool(failure["vector"]) == (mode == "wrong-known")
    assert not [row for row in result.json["measurements"] if row["implementation"] == "pysha"]
    assert [row for row in result.json["measurements"] if row["implementation"] == "openssl"]


def test_a_contended_run_gives_no_plain_result(motebench: Motebench, pysha: dict[str, str]) -> None:
    only = ("--implementation", "pysha")
    result = motebench(*SHA, *only, **pysha, MOTEBENCH_TEST_MISBEHAVE="busy")
    assert result.code == 0, result.err
    rows = {row["metric"]: row for row in result.json["measurements"]}
    assert rows["time"]["quotable"] is rows["throughput"]["quotable"] is False
    assert rows["time"]["disturbed"] == rows["time"]["n"]
    # Batches are as long as asked all the same: 1 ms of work.
    assert rows["time"]["median"] == pytest.approx(75_000, rel=0.02)
    assert rows["cpu_time"]["median"] == pytest.approx(1000, rel=0.02)
    assert rows["cpu_time"]["quotable"] is True
    assert any(
        "without the processor for 99 % of the time (74 times)" in note
        for note in rows["time"]["notes"]
    )
    table = motebench("show", "latest").out
    assert "~75.0 µs (disturbed)" in table and "do not quote it" in table


def test_a_run_goes_on_to_find_quiet_readings(
    monkeypatch: pytest.MonkeyPatch, pysha: dict[str, str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    # Nothing but the probe disturbs
    monkeypatch.setattr(readings, "theft", lambda stolen, elapsed: "")
    for name, value in {**pysha, "MOTEBENCH_TEST_MISBEHAVE": "busy-half"}.items():
        monkeypatch.setenv(name, value)
    code, document, err = in_this_process(*SHA, "--implementation", "pysha", "--budget", "1h")
    assert code == 0, err
    time = next(row for row in document["measurements"] if row["metric"] == "time")
    assert time["n"] >= PRESETS["fast"].min_samples and time["quotable"]
    assert abs(time["disturbed"] - time["n"]) <= 1
    assert time["max"] == pytest.approx(1000, rel=0.02)


def test_a_probe_that_is_no_program_is_a_failure(
    motebench: Motebench, pysha: dict[str, str]
) -> None:
    (Path(pysha["MOTEBENCH_PROBES"]) / "motebench-probe-broken").write_bytes(b"\x7fnonsense")
    (Path(pysha["MOTEBENCH_PROBES"]) / "motebench-probe-broken").chmod(0o755)
    result = motebench(*SHA, **pysha)
    assert result.code == 3
    assert [failure["implementation"] for failure in result.json["failures"]] == ["broken"]


def test_the_same_implementation_under_two_names(motebench: Motebench) -> None:
    result = motebench(
        "run",
        "--scheme",
        "sha256",
        "--implementation",
        "a=openssl,b=openssl",
        "--size",
        "64",
        *QUICK,
        "--json",
    )
    assert {row["implementation"] for row in result.json["measurements"]} == {"a", "b"}


def test_whole_files_beside_a_plain_copy(motebench: Motebench, tmp_path: Path) -> None:
    (tmp_path / "input.bin").write_bytes(bytes(range(256)) * 4000)
    result = motebench(
        "run",
        "--scheme",
        "aes-128-cbc,sha256,rsa-2048-pss-sha256",
        "--implementation",
        "openssl",
        "--file",
        "input.bin",
        *QUICK,
        "--json",
    )
    assert result.code == 0, result.err
    rows = {(row["scheme"], row["operation"]) for row in result.json["measurements"]}
    assert rows == {
        ("copy", "copy-file"),
        ("aes-128-cbc", "encrypt-file"),
        ("sha256", "digest-file"),
        ("rsa-2048-pss-sha256", "sign-file"),
    }
    assert {row["metric"] for row in result.json["measurements"]} >= {
        "time",
        "cpu_time",
        "user_time",
        "system_time",
    }
    assert sorted(
        path.name for path in tmp_path.iterdir() if not path.name.startswith("motebench.db")
    ) == ["input.bin"]


def interrupted_beyond(samples: int, folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and stderr of a run that gets Ctrl-C once its store has more than so many
    samples.
    """
    running = subprocess.Popen(
        [sys.executable, "-m", "motebench", "run", "--quiet", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Who runs the tests in the background ignores Ctrl-C, and so would this one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while running.poll() is None and samples_in(folder / "motebench.db") <= samples:
        time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=HANGS)
    return running.returncode, err


def samples_in(store: Path) -> int:
    """0 while the store is not there yet, or is being made."""
    if not store.exists():
        return 0
    try:
        count: int = sqlite3.connect(store).execute("select count(*) from samples").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    return count


def test_interrupted_and_resumed(tmp_path: Path) -> None:
    endless = (
        "--scheme",
        "aes-*-cbc",
        "--implementation",
        "openssl",
        "--budget",
        "2h",
        "--precision",
        "0.0001%",
    )
    code, err = interrupted_beyond(0, tmp_path, *endless)
    assert code == 130, err
    assert "--resume" in err
    before = samples_in(tmp_path / "motebench.db")
    assert before > 0
    code, err = interrupted_beyond(before, tmp_path, "--resume")
    assert code == 130
    assert samples_in(tmp_path / "motebench.db") > before


def test_a_dry_run_measures_nothing(motebench: Motebench, tmp_path: Path) -> None:
    result = motebench(
        "run", "--scheme", "aes-*-cbc", "--implementation", "openssl", "--size", "16", "--dry-run"
    )
    assert result.code == 0
    assert len(result.out.splitlines()) == 6
    assert "measuring takes " in result.err and ", by the noise of the machine" in result.err
    assert not list(tmp_path.glob("*.db"))
