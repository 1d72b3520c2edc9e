"""Target ``command`` end to end: whole processes on files, with the floors of disk and process."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Motebench

from motebench.targets.command.local import LocalDesk

QUICK = ("--fast", "--budget", "1s", "--seed", "7", "--quiet")
COMMAND = ("--target", "command")
REAL = shutil.which("openssl") or ""


def rows_of(document: Any, metric: str) -> dict[tuple[str, str, int], dict[str, Any]]:
    return {
        (row["scheme"], row["operation"], row["input_bytes"]): row
        for row in document["measurements"]
        if row["metric"] == metric
    }


@pytest.fixture
def fake(tmp_path: Path) -> dict[str, str]:
    """Environment with an ``openssl`` that misbehaves on files of the measured size only."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "openssl"
    program.write_text(
        '#!/bin/sh\nfor word; do case "$word" in */input-1000000) '
        f'case "$*" in *des-ede3-cbc*) eval "$MISBEHAVE" ;; esac ;; esac; done\nexec {REAL} "$@"\n'
    )
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_whole_processes_with_the_floors_of_disk_and_process(
    motebench: Motebench, tmp_path: Path
) -> None:
    result = motebench(
        "run",
        *COMMAND,
        "--scheme",
        "aes-128-cbc,des-cbc,3des-cbc,rc4,rsa-2048-pkcs1-sha256,sha256,hmac-sha256",
        "--operation",
        "encrypt-file,decrypt-file,sign-file,verify-file,digest-file,mac-file",
        "--file-size",
        "1MB,2MB",
        *QUICK,
        "--report",
        "report.html",
        "--json",
    )
    assert result.code == 0, result.err
    ciphers = ("aes-128-cbc", "des-cbc", "3des-cbc", "rc4-128")
    wanted = {
        (scheme, operation) for scheme in ciphers for operation in ("encrypt-file", "decrypt-file")
    }
    wanted |= {("rsa-2048-pkcs1-sha256", "sign-file"), ("rsa-2048-pkcs1-sha256", "verify-file")}
    wanted |= {("sha256", "digest-file"), ("hmac-sha256", "mac-file")}
    copies = {("copy", "copy-file", size) for size in (10**6, 2 * 10**6)}
    for metric in ("time", "user_time", "system_time", "cpu_time", "peak_rss"):
        found = rows_of(result.json, metric)
        assert (
            set(found)
            == {(*one, size) for one in wanted for size in (0, 10**6, 2 * 10**6)} | copies
        )
        assert {row["implementation"] for row in found.values()} == {"openssl-cli", "copy"}
    floors = [row for row in result.json["measurements"] if row["input_bytes"] == 0]
    assert {row["file"] for row in floors} == {"empty"}
    assert not [row for row in floors if row["metric"] == "throughput"]
    # 3DES needs so long for two million bytes that no noise hides it.
    busy = rows_of(result.json, "cpu_time")
    assert (
        busy["3des-cbc", "encrypt-file", 2 * 10**6]["median"]
        > busy["3des-cbc", "encrypt-file", 0]["median"]
    )
    assert (tmp_path / "report.html").stat().st_size > 0
    assert sorted(
        path.name for path in tmp_path.iterdir() if not path.name.startswith("motebench.db")
    ) == ["report.html"]
    shown = motebench("show", COLUMNS="80")
    assert (
        "floor ↓" in shown.out
        and "with an empty file" in shown.out
        and "copy-file (plain copy)" in shown.out
    )
    assert ", empty, " not in shown.out
    assert "floor" in (tmp_path / "report.html").read_text()


def test_known_answers_pass_on_the_command_line(motebench: Motebench) -> None:
    schemes = (
        "aes-256-ctr,des-cfb8,rc4-40,chacha20,sha3-256,shake128,hmac-sha1,"
        "rsa-1024-pss-sha256,ecdsa*"
    )
    result = motebench("verify", *COMMAND, "--scheme", schemes, "--json")
    assert result.code == 0, result.out
    (row,) = result.json["implementations"]
    assert (row["implementation"], row["failed"]) == ("openssl-cli", 0)
    assert len([counts for counts in row["schemes"].values() if counts["passed"]]) == 9


def test_it_is_listed_with_its_version(motebench: Motebench) -> None:
    rows = {
        row["implementation"]: row
        for row in motebench("list", "implementations", "--json").json["rows"]
    }
    assert rows["openssl-cli"]["target"] == "command"
    assert rows["openssl-cli"]["version"].startswith("OpenSSL ")
    checks = {check["id"]: check for check in motebench("doctor", "--json").json["checks"]}
    assert checks["command:openssl"]["status"] == "ok"
    assert rows["openssl-cli"]["version"] in checks["command:openssl"]["found"]


def test_what_is_no_file_operation_is_explained(motebench: Motebench) -> None:
    result = motebench("run", *COMMAND, "--scheme", "aes-128-cbc", *QUICK)
    assert result.code == 2
    assert "whole files" in result.err


def test_without_openssl_everything_else_works(motebench: Motebench, tmp_path: Path) -> None:
    result = motebench(
        "run", *COMMAND, "--scheme", "aes-128-cbc", "--file-size", "1MB", PATH=str(tmp_path)
    )
    assert result.code == 7
    assert "doctor" in result.err
    rows = motebench("list", "implementations", "--json", PATH=str(tmp_path)).json["rows"]
    assert "openssl" in {row["implementation"] for row in rows}
    assert "openssl-cli" not in {row["implementation"] for row in rows}


@pytest.mark.parametrize(
    ("misbehave", "kind", "words"),
    [
        ("kill -9 $$", "crash", "SIGKILL"),
        ("echo no luck >&2; exit 1", "error", "no luck"),
        ("exit 0", "error", "output"),
    ],
)
def test_a_bad_process_fails_its_case_and_no_other(
    motebench: Motebench,
    fake: dict[str, str],
    tmp_path: Path,
    misbehave: str,
    kind: str,
    words: str,
) -> None:
    result = motebench(
        "run",
        *COMMAND,
        "--scheme",
        "aes-128-cbc,3des-cbc",
        "--file-size",
        "1MB",
        *QUICK,
        "--json",
        **fake,
        MISBEHAVE=misbehave,
    )
    assert result.code == 3
    (failure,) = result.json["failures"]
    assert (failure["scheme"], failure["kind"], failure["input_bytes"]) == ("3des-cbc", kind, 10**6)
    assert words in failure["message"]
    assert set(rows_of(result.json, "time")) == {
        ("aes-128-cbc", "encrypt-file", 10**6),
        ("aes-128-cbc", "encrypt-file", 0),
        ("3des-cbc", "encrypt-file", 0),
        ("copy", "copy-file", 10**6),
    }
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".motebench")]


def test_the_variables_of_a_variant_reach_its_process(tmp_path: Path) -> None:
    said = tmp_path / "said"
    words = (shutil.which("sh") or "", "-c", f'echo "$OPENSSL_ia32cap" > {said}')
    for environment in ({}, {"OPENSSL_ia32cap": "~0x2"}):
        desk = LocalDesk(environment)
        desk.run(words, timeout=60, drop=None, flush=None, output="")
        assert said.read_text() == f"{environment.get('OPENSSL_ia32cap', '')}\n"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the variant is of x86")
def test_a_variant_of_the_library_is_one_of_its_program(
    motebench: Motebench, tmp_path: Path
) -> None:
    asked = (
        "--scheme",
        "aes-128-cbc",
        "--implementation",
        "openssl-cli@no-aes",
        "--operation",
        "encrypt-file",
    )
    result = motebench("run", *COMMAND, *asked, "--file-size", "64kB", *QUICK, "--json")
    assert result.code in (0, 3), result.err  # 3: every process was disturbed
    assert ("aes-128-cbc", "encrypt-file", 64000) in rows_of(result.json, "time")
    assert "openssl-cli@no-aes" in {row["implementation"] for row in result.json["measurements"]}
