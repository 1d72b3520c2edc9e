"""Files of a release: equal sources give equal files, and wheels for one architecture carry
programs that need nothing of the system."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from motebench.base.paths import data_root

MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}
"""The processor in the head of an ELF file: elf(5)."""


def build(folder: Path, *kinds: str, **variables: str) -> dict[str, Path]:
    command = [sys.executable, "tools/build_dist.py", "--only", ",".join(kinds), str(folder)]
    subprocess.run(
        command, cwd=data_root(), env={**os.environ, **variables}, check=True, capture_output=True
    )
    return {path.name: path for path in folder.iterdir()}


@pytest.mark.long
def test_equal_sources_give_equal_files(tmp_path: Path) -> None:
    epoch = "1700000000"
    first, again = (
        build(tmp_path / name, "sdist", "pure", SOURCE_DATE_EPOCH=epoch) for name in "ab"
    )
    digests = [
        {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in made.items()}
        for made in (first, again)
    ]
    assert digests[0] == digests[1] and len(digests[0]) == 4
    later = build(tmp_path / "c", "sdist", SOURCE_DATE_EPOCH="1700000002")
    (sdist,) = (path for name, path in later.items() if name.endswith(".tar.gz"))
    assert hashlib.sha256(sdist.read_bytes()).hexdigest() not in digests[0].values()


@pytest.mark.long
@pytest.mark.parametrize("architecture", MACHINES)
def test_a_wheel_for_an_architecture_has_static_programs_for_it(
    tmp_path: Path, architecture: str
) -> None:
    pytest.importorskip("ziglang")
    (wheel,) = (
        path for name, path in build(tmp_path, architecture).items() if name.endswith(".whl")
    )
    assert wheel.name.endswith(f"_{architecture}.whl") and "-none-manylinux_2_17_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        inside = {
            Path(name).name: name
            for name in archive.namelist()
            if "/_data/prebuilt/motebench-sim-" in name
        }
        assert set(inside) == {
            "motebench-sim-avr",
            "motebench-sim-cortexm",
            "motebench-sim-hazard3",
        }
        assert "motebench/_data/prebuilt/COPYRIGHT.musl" in archive.namelist()
        for name in inside.values():
            program = ELFFile(BytesIO(archive.read(name)))
            assert program["e_machine"] == MACHINES[architecture]
            kinds = {segment["p_type"] for segment in program.iter_segments()}
            assert "PT_LOAD" in kinds
            assert not kinds & {"PT_INTERP", "PT_DYNAMIC"}, f"{name} needs libraries of the system"
            assert archive.getinfo(name).external_attr >> 16 & 0o111 == 0o111
