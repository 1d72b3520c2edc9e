"""motebench's own ciphers on machines of other word lengths and byte orders: built for them, run by
QEMU.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from motebench.base.paths import probes_in
from motebench.catalog.vectors import schemes_with_vectors, vectors_for
from motebench.measuring.verify import AnswerVerdict, check
from motebench.measuring.verify.admission import choose
from motebench.targets.host.this_machine import this_machine

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Machine:
    """Machine that motebench is built for: Debian's name of the compiler, QEMU's of the
    processor."""

    compiler: str
    emulator: str
    what: str


MACHINES = [
    Machine("i686-linux-gnu-gcc", "qemu-i386", "32 bits, little-endian"),
    Machine("powerpc-linux-gnu-gcc", "qemu-ppc", "32 bits, big-endian"),
]


def run(*words: str | Path) -> str:
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=MACHINES, ids=lambda machine: machine.what)
def built(request, tmp_path_factory) -> Path:
    """The build folder for one machine."""
    machine: Machine = request.param
    lacking = [name for name in (machine.compiler, machine.emulator) if shutil.which(name) is None]
    if lacking:
        pytest.skip(f"{' and '.join(lacking)} not installed: tools/setup.sh tests")
    folder: Path = tmp_path_factory.mktemp("foreign")
    run(
        *(
            "cmake",
            "-S",
            ROOT / "core",
            "-B",
            folder,
            "-DCMAKE_SYSTEM_NAME=Linux",
            "-DCMAKE_SYSTEM_PROCESSOR=other",
        ),
        *(
            f"-DCMAKE_C_COMPILER={machine.compiler}",
            f"-DCMAKE_CROSSCOMPILING_EMULATOR={machine.emulator}",
        ),
        *(
            "-DCMAKE_C_FLAGS=-Werror",
            "-DCMAKE_EXE_LINKER_FLAGS=-static",
            "-DMOTEBENCH_LIBRARIES=OFF",
        ),
        *("-DMOTEBENCH_TESTS=ON", f"-DMOTEBENCH_TEST_PROBE_DIR={folder / 'fake'}"),
    )
    run("cmake", "--build", folder, "-j", "2")
    (folder / "emulated" / "mote").mkdir(parents=True)
    for probe in (folder / "probes" / "mote").iterdir():
        script = folder / "emulated" / "mote" / probe.name
        script.write_text(f'#!/bin/sh\nexec {machine.emulator} "{probe}"\n')
        script.chmod(0o755)
    return folder


def test_c_tests_pass(built):
    said = run(
        "ctest",
        "--test-dir",
        built,
        "--output-on-failure",
        "--no-tests=error",
        *("-R", "c-mote-(names|modes|aeads|streams|hashes|monte-carlo)|c-bytes|c-frame"),
    )
    assert "c-mote-modes" in said


def test_known_answers(built, monkeypatch):
    monkeypatch.setenv("MOTEBENCH_PROBES", str(built / "emulated"))
    names = list(probes_in([built / "emulated"]))
    assert "mote/xtea" in names
    known = schemes_with_vectors()
    for name in names:
        session = this_machine().open(name)
        try:
            outcomes = [
                outcome
                for scheme in session.offers()
                if scheme in known
                for outcome in check(session, scheme, choose(vectors_for(scheme)))
            ]
            wrong = [
                (outcome.vector.id, outcome.detail)
                for outcome in outcomes
                if outcome.verdict is AnswerVerdict.FAILED
            ]
            assert not wrong, (name, wrong[:3])
            assert [outcome for outcome in outcomes if outcome.verdict is AnswerVerdict.PASSED], (
                name
            )
        finally:
            session.close()
