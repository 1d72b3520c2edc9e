"""Programs as they are sent to boards."""

from __future__ import annotations

import platform
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from motebench.base.files.elf import TRIAL_STATUS, loaded, trial

_EMULATORS = {
    "arm": "qemu-arm",
    "aarch64": "qemu-aarch64",
    "riscv": "qemu-riscv64",
    "x86_64": "qemu-x86_64",
}


def status(program: bytes, folder: Path, *before: str) -> int:
    path = folder / "program"
    path.write_bytes(program)
    path.chmod(0o700)
    return subprocess.run(
        [*before, str(path)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    ).returncode


@pytest.mark.parametrize("architecture", _EMULATORS)
def test_the_trial_runs_on_its_processor(architecture: str, tmp_path: Path) -> None:
    emulator = shutil.which(_EMULATORS[architecture])
    if emulator is None and architecture != platform.machine():
        pytest.skip(f"{_EMULATORS[architecture]} is not installed")
    before = [] if architecture == platform.machine() else [str(emulator)]
    assert status(trial(architecture), tmp_path, *before) == TRIAL_STATUS


def test_a_program_without_its_sections_does_the_same(tmp_path: Path) -> None:
    whole = Path("/bin/true").read_bytes()
    short = loaded(whole)
    assert len(short) < len(whole)
    assert status(short, tmp_path) == 0
    assert loaded(short) == short


def test_what_is_no_program_stays_as_it_is() -> None:
    draw = random.Random(1)
    for content in (
        b"",
        b"\x7fELF",
        b"#!/bin/sh\n",
        *(b"\x7fELF\x02\x01" + draw.randbytes(200) for _ in range(500)),
    ):
        assert loaded(content)[:5] == content[:5] and len(loaded(content)) <= len(content)
