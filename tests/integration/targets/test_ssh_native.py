"""``ssh:HOST+native``: probes that the board builds itself, with its installed libraries."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_board import FakeBoard

from motebench.base.model import FailureKind
from motebench.targets.base import Target
from motebench.targets.registry import open_target
from motebench.targets.setup.needs import AdapterNeeds
from motebench.targets.ssh import boards as ssh_boards
from motebench.targets.ssh.boards import ADAPTERS, NativeBoard
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.cli.test_endings import until

NAME = "ssh:me@board+native"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBoard]:
    """A board of this machine's architecture, with the compiler and libraries of this machine."""
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip(f"no machine of core/ports/posix/machines is {platform.machine()}")
    if not Path("/usr/include/openssl/evp.h").exists() or shutil.which("cc") is None:
        pytest.skip("no compiler or no headers of OpenSSL here")
    folder = tmp_path / "board"
    folder.mkdir()
    fake = FakeBoard(folder)
    monkeypatch.setenv("MOTEBENCH_SSH", str(fake.ssh))
    yield fake
    fake.until_empty()


def ended(target: Target) -> None:
    assert isinstance(target.place, NativeBoard)
    target.place.connection.close()


def test_board_builds_its_probe_against_its_own_library(board: FakeBoard) -> None:
    target = open_target(NAME)
    assert set(target.ready()) >= set(ADAPTERS)  # all are measured by default
    session = target.open("openssl")
    said = session.compute(Job(scheme="sha256", operation="digest", data=b"abc"), timeout=60)
    assert (said.tag or said.out or b"").hex().startswith("ba7816bf")
    assert "O2" in session.hello.flags and session.hello.compiler
    built = target.place.probes()  # type: ignore[attr-defined]
    assert list(built) == ["openssl"]
    session.close()
    ended(target)


def refused(monkeypatch: pytest.MonkeyPatch, change: str) -> ProbeFailure:
    target = open_target(NAME)
    real = ssh_boards._script

    def script(needs: AdapterNeeds, work: str) -> str:
        text = real(needs, work)
        for old, new in (part.split("=>") for part in change.split("\n")):
            assert old in text
            text = text.replace(old, new)
        return text

    monkeypatch.setattr(ssh_boards, "_script", script)
    with pytest.raises(ProbeFailure) as caught:
        target.open("openssl")
    ended(target)
    return caught.value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("cc gcc clang=>no-such-compiler", "has no C compiler"),
        (
            "openssl/evp.h=>openssl/no-such-header.h",
            "has no openssl/evp.h of OpenSSL: apt-get install libssl-dev there",
        ),
        ("-std=c11=>-std=c11 -DBROKEN -include no-such-file.h", "no-such-file.h"),
        ("tar gzip=>tar no-such-tool", "has no no-such-tool"),
    ],
)
def test_what_the_board_lacks_is_named(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch, change: str, words: str
) -> None:
    failure = refused(monkeypatch, change)
    assert failure.kind is FailureKind.BUILD
    assert words in failure.message


def test_compiler_ends_with_motebench(board: FakeBoard, tmp_path: Path) -> None:
    began = tmp_path / "began"
    works = f"echo $$ >{began}.new; mv {began}.new {began}; exec sleep 1000"
    board.tool("cc", f'case "$*" in *"-o program"*) {works} ;; esac')
    script = (
        "from motebench.targets.registry import "
        f"open_target\nopen_target({NAME!r}).open('openssl')\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL) as process:
        until(began.exists, "the compiler works")
        os.kill(process.pid, signal.SIGKILL)
    compiler = Path(f"/proc/{began.read_text().strip()}")
    until(lambda: not compiler.exists(), "the compiler has ended")
    assert not compiler.exists()


def test_program_that_does_not_arrive_whole_is_refused(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = refused(
        monkeypatch, "$cc -std=c11=>printf x >program; : $cc -std=c11\nwc -c <program=>echo 99; :"
    )
    assert "did not arrive whole" in failure.message
