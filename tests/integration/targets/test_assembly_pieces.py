"""Assembly for ARMv7-M: the C tests of every length, in pieces, in place and unaligned, on boards
of QEMU.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from motebench.targets.firmware.sources import cipher_sources, core_dir
from tests.integration.targets.test_assembly import USED

COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
MACHINES = {"cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386"}
"""Boards by core; code and vectors in memory from 0 on."""
VECTORS = """
extern void _start(void);
__attribute__((section(".vectors"))) void *const vectors[] = {(void *)0x20300000, (void *)_start};
"""
TESTS = {
    "modes": (),
    "streams": (),
    "aeads": (),
    "hashes": (),
    "macs": (),
    "fuzz": ("fuzz_aead_main.c", "fuzz_aead.c"),
}
SYMBOLS = sorted(
    {name.removeprefix("mote/").replace("-", "_") for name, _ in USED["armv7m"].values()}
    | {"ascon_cxof"}
)

pytestmark = pytest.mark.long


def run(*words: str | Path) -> str:
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr  # QEMU prints what the program prints to the latter


@pytest.fixture(scope="module", params=MACHINES)
def built(request, tmp_path_factory) -> tuple[str, Path, list[str]]:
    """Core, a folder with objects of all implementations and of shared test code, and the
    compiler's flags.
    """
    lacking = [name for name in (COMPILER, EMULATOR) if shutil.which(name) is None]
    if lacking:
        pytest.skip(f"{' and '.join(lacking)} not installed: tools/setup.sh tests")
    core, folder = core_dir(), tmp_path_factory.mktemp(request.param)
    (folder / "vectors.c").write_text(VECTORS)
    declared = "".join(f"extern const mote_implementation mote_{symbol};\n" for symbol in SYMBOLS)
    listed = "".join(f"&mote_{symbol}, " for symbol in SYMBOLS)
    named = "".join(f'"{symbol}", ' for symbol in SYMBOLS)
    (folder / "implementations.c").write_text(
        f'#include "work.h"\n{declared}'
        f"const mote_implementation *const implementations[] = {{{listed}0}};\n"
        f"const char *const symbols[] = {{{named}0}};\n"
    )
    includes = [f"-I{core / name}" for name in ("include", ".", "tests", "tests/mote")]
    flags = [
        f"-mcpu={request.param}",
        "-mthumb",
        "-O2",
        "-std=gnu11",
        "-ffunction-sections",
        *includes,
    ]
    shared = [core / "tests" / "mote" / name for name in ("work.c", "aeads.c", "toy.c")]
    sources = [*cipher_sources("armv7-m"), *shared, core / "tests" / "check.c", *folder.glob("*.c")]
    objects = folder / "objects"
    objects.mkdir()
    subprocess.run(
        [COMPILER, *flags, "-c", *map(str, sources)], check=True, timeout=600, cwd=objects
    )
    return request.param, objects, flags


@pytest.mark.parametrize("name", TESTS)
def test_c_tests_pass(built, tmp_path, name):
    cpu, objects, flags = built
    sources = [core_dir() / "tests" / "mote" / file for file in TESTS[name] or (f"test_{name}.c",)]
    program = tmp_path / "test.elf"
    linked = (
        "--specs=rdimon.specs",
        "-Wl,--gc-sections,--section-start=.vectors=0,--undefined=vectors",
    )
    run(COMPILER, *flags, *sources, *sorted(objects.glob("*.o")), *linked, "-o", program)
    said = run(
        *(EMULATOR, "-M", MACHINES[cpu], "-nographic", "-monitor", "none", "-serial", "none"),
        *("-semihosting", "-kernel", program),
    )
    assert ", 0 failed" in said
