"""User code on emulated processors: honest code is counted, and nothing else leaves the sandbox
around QEMU.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import code_folders as folders
import pytest
from conftest import Motebench

IN_ENCRYPTION = "*clen = mlen + CRYPTO_ABYTES;"
ASKED = (
    "--target",
    "emu:aarch64",
    "--scheme",
    "ascon-aead128",
    "--operation",
    "encrypt-message",
    "--size",
    "16",
    "--json",
)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("QEMU's user emulation is not here: tools/setup.sh tests")
    return folders.aead(tmp_path / "code")


def change(folder: Path, does: str) -> None:
    source = folder / "encrypt.c"
    headers = (
        "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include "
        "<sys/stat.h>\n#include <unistd.h>\n"
    )
    source.write_text(headers + source.read_text().replace(IN_ENCRYPTION, IN_ENCRYPTION + does, 1))


@pytest.mark.long
def test_honest_code_is_counted(code: Path, motebench: Motebench) -> None:
    ran = motebench("run", "--code", str(code), *ASKED, timeout=600)
    assert ran.code == 0, ran.err
    assert {entry["metric"] for entry in ran.json["measurements"]} == {"instructions"}
    assert not ran.json["failures"]


@pytest.mark.long
@pytest.mark.parametrize(
    "does",
    [
        'open("/etc/passwd", O_RDONLY);',
        'open("evil", O_CREAT | O_WRONLY, 0600);',
        "fork();",
        "kill(getppid(), SIGTERM);",
        'execl("/bin/true", "true", (char *)0);',
        'unlink("evil");',
        'mkdir("evil", 0700);',
    ],
)
def test_what_the_sandbox_refuses_ends_the_code(
    code: Path, motebench: Motebench, does: str, tmp_path: Path
) -> None:
    change(code, does)
    ran = motebench("run", "--code", str(code), *ASKED, timeout=600)
    assert ran.code == 3, ran.err
    assert not ran.json["measurements"]
    assert {failure["kind"] for failure in ran.json["failures"]} == {"crash"}, ran.json["failures"]
    assert not (tmp_path / "evil").exists()
