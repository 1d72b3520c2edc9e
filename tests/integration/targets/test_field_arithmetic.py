"""Every function of fields and scalars against Python's integers, on every core: biased limbs."""

from __future__ import annotations

import pytest

from motebench.targets.firmware.sources import core_dir
from tests.support.field_programs import PROGRAMS, expected_sums
from tests.support.small_programs import MACHINES, built, run

CORES = ("host", "avr", "riscv", *MACHINES)
FULL = 1_000_000
"""Cases of each function in `make test-all`. Inverses, roots and sums of points take up to 500
products: they get 5,000 cases, those of the small variants 200. An AVR takes 2 to 10 minutes for a
program; a million inverses would take it hours.
"""


def compare(tmp_path, name: str, core: str, cases: int, rare: int) -> None:
    program, block = PROGRAMS[name], cases // 20
    command = built(
        tmp_path,
        core,
        program.text,
        core_dir() / "ciphers" / program.folder,
        program.files,
        cases,
        definitions=(f"-DRARE={rare}", f"-DBLOCK={block}"),
    )
    lines = run(*command).splitlines()
    expected = expected_sums(name, cases, rare, block)
    assert len(lines) == len(expected) == 20
    for number, (line, sums) in enumerate(zip(lines, expected, strict=True)):
        found = [int(text, 16) for text in line.split()]
        wrong = [at for at, pair in enumerate(zip(found, sums, strict=True)) if pair[0] != pair[1]]
        assert wrong == [], f"functions {wrong} in cases {number * block} to {(number + 1) * block}"


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_field_functions_agree_with_integers(tmp_path, name, core):
    compare(tmp_path, name, core, 1000, min(PROGRAMS[name].rare, 100))


@pytest.mark.long
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_field_functions_agree_with_integers_in_a_million_cases(tmp_path, name, core):
    compare(tmp_path, name, core, FULL, PROGRAMS[name].rare)
