"""Programs as they are sent to boards."""

from __future__ import annotations

import platform
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from motebench.base.files.elf import (
    TRIAL_STATUS,
    ObjectError,
    bytes_by_symbol,
    keep_only,
    loaded,
    object_bytes,
    sections,
    trial,
)

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


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("no compiler")
    (tmp_path / "thing.c").write_text(
        "int filled[3] = {1}, zeroed[5]; const char constant[7] = {1};\n"
        "int function(void) { return filled[0] + zeroed[1]; }\n"
    )
    subprocess.run(["cc", "-O1", "-fno-pic", "-c", "thing.c"], cwd=tmp_path, check=True)
    return tmp_path / "thing.o"


def test_bytes_are_those_of_each_memory(compiled: Path) -> None:
    sizes = bytes_by_symbol(compiled)
    assert sizes.pop(("flash", "function")) > 0
    assert sizes == {
        ("flash", "filled"): 12,
        ("RAM", "filled"): 12,
        ("RAM", "zeroed"): 20,
        ("flash", "constant"): 7,
    }


def test_an_object_has_no_loaded_part(compiled: Path) -> None:
    content = compiled.read_bytes()
    assert loaded(content) == content


def test_broken_objects_are_read_or_refused(compiled: Path) -> None:
    draw, whole, outcomes = random.Random(2), compiled.read_bytes(), []
    contents = [whole[:end] for end in range(0, len(whole), 37)]
    for _ in range(200):
        content = bytearray(whole)
        # Most damage is in the header and in the table of sections, which is at the end.
        for place in (draw.randrange(64), -draw.randrange(1, 800), draw.randrange(len(whole))):
            content[place] = draw.choice([0, 1, 255, draw.randrange(256)])
        contents.append(bytes(content))
    for content in contents:
        compiled.write_bytes(content)
        for read in (sections, bytes_by_symbol, lambda path: keep_only(path, (), ".code")):
            try:
                read(compiled)
                outcomes.append("read")
            except ObjectError as error:
                assert str(error).startswith("thing.o: it is not an ELF ")
                outcomes.append("refused")
        assert len(loaded(content)) <= len(content)
    assert outcomes.count("read") > 50
    assert outcomes.count("refused") > 50


def test_bytes_of_an_object_are_those_of_size(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "const int table[25] = {1}; int counter = 5; char buffer[37];"
        'const char *text(void) { return "twenty"; }'
    )
    made = tmp_path / "a.o"
    subprocess.run(
        ["cc", "-O2", "-fno-common", "-fdata-sections", "-c", "a.c", "-o", made],
        cwd=tmp_path,
        check=True,
    )
    done = subprocess.run(["size", made], capture_output=True, text=True, check=True)
    assert object_bytes(made) == tuple(map(int, done.stdout.splitlines()[1].split()[:3]))
    assert object_bytes(made)[1:] == (4, 37)
