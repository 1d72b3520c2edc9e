"""``command:ssh:`` on a board without a network: the shell of this machine in the place of ssh."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_board import FakeBoard
from machines.lab import Lab
from machines.machine import Linux

from motebench.base.errors import InputError
from motebench.base.model import Evidence, FailureKind, Run
from motebench.base.paths import probe_dirs
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.targets.command import ssh as command_ssh
from motebench.targets.command.session import CommandSession
from motebench.targets.registry import open_target
from motebench.targets.setup.building import LAUNCHER
from motebench.targets.wire.messages import Job, ProbeFailure

NAME = "command:ssh:me@board"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBoard]:
    """A board of this machine's architecture; its launcher is this machine's."""
    built = next(
        (folder / LAUNCHER for folder in probe_dirs() if (folder / LAUNCHER).exists()), None
    )
    if built is None or platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip("no launcher is built for this machine: make setup")
    folder = tmp_path / "board"
    folder.mkdir()
    made = FakeBoard(folder)
    monkeypatch.setenv("MOTEBENCH_SSH", str(made.ssh))
    monkeypatch.setattr(command_ssh, "cross_program", lambda machine, name: built)
    yield made
    made.until_empty()


def measured(tmp_path: Path, **options: tuple[str, ...]) -> Run:
    asked = Options(schemes=options.pop("schemes", ("aes-128-cbc",)), targets=(NAME,), **options)  # type: ignore[arg-type]
    question = from_options(
        asked, Sampling(preset="fast", min_samples=2, max_samples=2), WholeFile()
    )
    (run,) = carry_out(tmp_path / "m.db", Start(question)).runs
    return run


@pytest.mark.long
def test_files_are_made_encrypted_and_checked_there(fake: FakeBoard, tmp_path: Path) -> None:
    run = measured(
        tmp_path,
        schemes=("aes-128-cbc", "sha256", "rsa-2048-pkcs1-sha256"),
        file_sizes=("100 kB",),
        operations=("encrypt-file", "decrypt-file", "digest-file", "sign-file", "verify-file"),
    )
    assert [failure.message for failure in run.failures] == []
    assert [result.failure for result in run.results if result.failure] == []
    by_operation = {
        result.case.operation.value: result for result in run.results if result.case.input_bytes
    }
    assert set(by_operation) == {
        "copy-file",
        "encrypt-file",
        "decrypt-file",
        "digest-file",
        "sign-file",
        "verify-file",
    }
    for result in run.results:
        metrics = {series.metric: series for series in result.series}
        assert {"time", "cpu_time", "peak_rss"} <= set(metrics), metrics
        assert all(series.evidence is Evidence.MEASURED for series in metrics.values())
        assert all(series.samples for series in result.series)
    assert any(
        "files are in" in note and "dropped from the page cache" in note for note in run.info.notes
    )
    assert run.info.environment["machines"][NAME]["host"]["architecture"] == platform.machine()


def test_an_answer_is_the_programs_own(fake: FakeBoard) -> None:
    target = open_target(NAME)
    session = target.open("openssl-cli")
    for data in (b"", b"abc", bytes(range(256)) * 300):
        answer = session.compute(Job("sha256", "digest", data=data))
        assert answer.out == hashlib.sha256(data).digest()
    wrong = Job("aes-128-cbc", "decrypt-message", key=bytes(16), nonce=bytes(16), data=bytes(32))
    assert session.compute(wrong).rejected
    target.place.close()


def test_a_board_without_openssl_or_with_a_dead_one(fake: FakeBoard) -> None:
    fake.tool("openssl", "exit 1")
    target = open_target(NAME)
    with pytest.raises(ProbeFailure, match="does not report its version"):
        target.open("openssl-cli")
    target.place.close()


def test_what_runs_too_long_is_ended_there(
    fake: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_ssh, "_SLACK", 1.0)
    target = open_target(NAME)
    session = target.open("openssl-cli")
    fake.tool("openssl", "exec sleep 600")
    assert isinstance(session, CommandSession)
    session._program = replace(session._program, path=str(fake.folder / "tools" / "openssl"))
    with pytest.raises(ProbeFailure) as caught:
        session.compute(Job("sha256", "digest", data=b"abc"), timeout=0.5)
    assert caught.value.kind is FailureKind.TIMEOUT
    target.place.close()


@pytest.mark.long
def test_files_of_this_machine_are_not_sent(fake: FakeBoard, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    run = measured(tmp_path, files=(str(mine),), operations=("encrypt-file",))
    failures = [result.failure for result in run.results if result.failure]
    assert failures and all("give a size instead" in failure.message for failure in failures)


def test_names() -> None:
    for name in ("command:", "command:host", "command:ssh:"):
        with pytest.raises(InputError):
            open_target(name)


@pytest.mark.long
def test_the_openssl_of_an_arm_machine(
    lab: Lab, board: Linux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine under QEMU: another architecture, with BusyBox for tools."""
    monkeypatch.setenv("MOTEBENCH_SSH", str(lab.ssh))
    name = f"command:{board.target}"
    asked = Options(
        schemes=("aes-128-cbc",),
        targets=(name,),
        file_sizes=("1 MB",),
        operations=("encrypt-file",),
    )
    sampling = Sampling(preset="fast", min_samples=2, max_samples=2)
    (run,) = carry_out(tmp_path / "m.db", Start(from_options(asked, sampling, WholeFile()))).runs
    assert [str(failure) for failure in run.failures] == []
    assert [result.failure for result in run.results if result.failure] == []
    assert run.info.environment["machines"][name]["host"]["architecture"] == "aarch64"
    assert board.run(
        "ls -d /tmp/.motebench-* /var/tmp/.motebench-* 2>/dev/null || true"
    ).strip() in ("", b"")
