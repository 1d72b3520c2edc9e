"""Bad input: one clear message, a documented exit code, no traceback, nothing stored is lost."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import Motebench

QUICK = ("--fast", "--budget", "300ms", "--quiet")
STUDY = """title = "t"

[[measure]]
schemes = ["sha256"]
implementations = ["openssl"]
sizes = ["64 B"]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('sizes = ["64 B"]', 'sices = ["64 B"]', 6, ["sices", "sizes"]),
        ('sizes = ["64 B"]', 'sizes = ["64 M"]', 6, ["'M'", "MiB"]),
        ('sizes = ["64 B"]', "sizes = [-1]", 6, ["-1"]),
        ('schemes = ["sha256"]', 'schemes = ["sha265"]', 4, ["sha265", "sha256"]),
        ('schemes = ["sha256"]', 'schemes = ["quux-*"]', 4, ["quux-*"]),
        ('schemes = ["sha256"]', 'schemes = "sha256"', 4, ["schemes"]),
        ('sizes = ["64 B"]', 'operations = ["encript"]', 6, ["encript"]),
        ('sizes = ["64 B"]', 'operations = ["encrypt"]', 6, ["encrypt", "digest"]),
        ('sizes = ["64 B"]', 'files = ["absent.bin"]', 6, ["absent.bin", "no such file"]),
        ('sizes = ["64 B"]', 'targets = ["mars"]', 6, ["mars", "host"]),
        ('title = "t"', "title = ", 1, ["study.toml:1"]),
    ],
)
def test_a_study_with_a_mistake(
    motebench: Motebench, tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert old in STUDY
    (tmp_path / "study.toml").write_text(STUDY.replace(old, new))
    result = motebench("run", "study.toml", *QUICK)
    assert result.code == 2, result.err
    assert f"study.toml:{line}" in result.err
    for word in words:
        assert word in result.err
    assert result.out == ""
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run",), ["no study and no schemes are given"]),
        (("run", "absent.toml"), ["absent.toml"]),
        (("run", "."), ["."]),
        (("run", "--scheme", "aes-128-cbx"), ["aes-128-cbx", "aes-128-cbc", "--scheme"]),
        (("run", "--scheme", "sha256", "--implementation", "opnssl"), ["opnssl", "openssl"]),
        (("run", "--scheme", "sha256", "--size", "1 M"), ["'M'", "MiB", "--size"]),
        (("run", "--scheme", "sha256", "--size", "ten"), ["ten", "--size"]),
        (
            ("run", "--scheme", "sha256", "--operation", "encrypt"),
            ["encrypt", "digest", "--operation"],
        ),
        (("run", "--scheme", "sha256", "--operation", "digets"), ["digets", "digest"]),
        (("run", "--scheme", "sha256", "--precision", "1"), ["--precision", "1%"]),
        (("run", "--scheme", "sha256", "--budget", "60"), ["--budget", "60s"]),
        (
            ("run", "--scheme", "sha256", "--cpu", "4095"),
            ["--cpu", "is not allowed to use core 4095", "valid"],
        ),
        (
            ("run", "--scheme", "sha256", "--cpu", "0", "--no-pin"),
            ["--no-pin", "mutually exclusive"],
        ),
        (("run", "--scheme", "sha256", "--target", "mars"), ["mars", "host"]),
        (("run", "--scheme", "hqc-1"), ["hqc-1"]),
        (
            ("run", "--scheme", "aes-128-cbc", "--size", "100", "--operation", "encrypt"),
            ["multiple", "encrypt-message"],
        ),
        (("run", "--scheme", "sha256", "--file", "absent"), ["absent"]),
        (("run", "--scheme", "sha256", "--report", "absent/report.html"), ["--report"]),
        (("run", "quickstart", "--scheme", "sha256"), ["--scheme"]),
        (("run", "--resume", "--scheme", "sha256"), ["--resume"]),
        (("run", "--nonsense"), ["--nonsense"]),
        (("rum",), ["run"]),
        (("list", "nonsense"), ["schemes"]),
        (("verify", "--vectors", "absent.json"), ["absent.json"]),
        (("verify", "--scheme", "nonsense"), ["nonsense"]),
        (("verify", "--implementation", "opnssl"), ["openssl"]),
        (("verify", "--timeout", "20"), ["--timeout", "60s"]),
    ],
)
def test_a_call_with_a_mistake(
    motebench: Motebench, arguments: tuple[str, ...], words: list[str]
) -> None:
    result = motebench(*arguments)
    assert result.code == 2, (result.code, result.err)
    for word in words:
        assert word in result.err, result.err
    assert result.out == ""


@pytest.mark.parametrize(
    "command",
    [("show",), ("report",), ("export", "-f", "csv"), ("compare", "1", "2"), ("list", "runs")],
)
def test_a_store_that_is_not_there(
    motebench: Motebench, tmp_path: Path, command: tuple[str, ...]
) -> None:
    result = motebench(*command)
    assert result.code == 6
    assert "motebench.db" in result.err
    assert not list(tmp_path.glob("*.db"))


def measured(motebench: Motebench) -> None:
    assert (
        motebench(
            "run", "--scheme", "sha256", "--implementation", "openssl", "--size", "64", *QUICK
        ).code
        == 0
    )


def test_a_store_that_is_something_else(motebench: Motebench, tmp_path: Path) -> None:
    for name, content in (("text.db", b"not a database at all" * 100), ("empty-table.db", None)):
        path = tmp_path / name
        if content is None:
            sqlite3.connect(path).execute("create table other (x)").connection.commit()
        else:
            path.write_bytes(content)
        before = path.read_bytes()
        for command in (("show",), ("run", "--scheme", "sha256", *QUICK)):
            result = motebench(*command, "--store", name)
            assert result.code == 6
            assert name in result.err
        assert path.read_bytes() == before


def test_a_store_of_a_newer_version(motebench: Motebench, tmp_path: Path) -> None:
    measured(motebench)
    database = sqlite3.connect(tmp_path / "motebench.db")
    assert database.execute("update meta set value = '9999' where key = 'schema'").rowcount == 1
    database.commit()
    database.close()
    for command in (("show",), ("run", "--scheme", "sha256", *QUICK)):
        result = motebench(*command)
        assert result.code == 6
        assert "9999" in result.err


def test_a_disk_that_fills_up_loses_nothing(motebench: Motebench, tmp_path: Path) -> None:
    measured(motebench)
    before = motebench("show", "1", "--json").json

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    command = [
        sys.executable,
        "-m",
        "motebench",
        "run",
        "--scheme",
        "sha*",
        "--budget",
        "20s",
        "--precision",
        "0.01%",
    ]
    done = subprocess.run(
        [*command, "--quiet"],
        cwd=tmp_path,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 6, done.stderr
    assert "Traceback" not in done.stderr
    assert "motebench.db" in done.stderr
    assert motebench("show", "1", "--json").json == before


def test_a_reader_that_goes_away_is_no_error(motebench: Motebench, tmp_path: Path) -> None:
    command = f"{sys.executable} -m motebench list schemes | head -1"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.stderr == ""
