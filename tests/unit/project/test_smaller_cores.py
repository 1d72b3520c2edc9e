"""Own implementations that need more cycles on a core than on a smaller one: each has a reason."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from motebench.catalog.policies import SlowerCoreReason, slower_core_reasons
from motebench.show.listing.described import describe

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
CASES = 2000
"""Cases of own implementations that the reference results have at least."""


@pytest.fixture
def smaller_cores(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import smaller_cores

    return smaller_cores


def test_every_case_behind_a_smaller_core_has_a_reason_and_every_reason_a_case(smaller_cores):
    cores = {core: smaller_cores.best(target) for core, target in smaller_cores.BOARDS.items()}
    assert len(set().union(*cores.values())) > CASES
    unexplained, used = [], set()
    for implementation, operation, case in smaller_cores.behind(cores):
        reasons = {
            entry
            for entry in slower_core_reasons()
            if entry.explains(implementation, operation, case.core, case.smaller, case.ratio)
        }
        used |= reasons
        if not reasons:
            unexplained.append((case.core, implementation, operation, case.case, case.ratio))
    assert unexplained == []
    assert used == set(slower_core_reasons())


def test_a_core_is_behind_the_best_of_the_smaller_ones(smaller_cores):
    case = ("x-ecb", "encrypt", 16)
    cores = {core: {case: (100, "mote/x")} for core in smaller_cores.BOARDS}
    cores = {**cores, "AVR": {case: (90, "mote/x")}, "AVRxt": {case: (80, "mote/y")}}
    rows = list(smaller_cores.behind(cores))
    assert [row.core for _, _, row in rows] == ["Cortex-M0+", "Cortex-M3", "Cortex-M4", "Hazard3"]
    assert {(row.smaller, row.cycles_of_smaller, row.ratio) for _, _, row in rows} == {
        ("AVRxt", 80, 1.25)
    }


def test_a_reason_holds_up_to_its_ratio_for_its_cores_and_operations():
    entry = SlowerCoreReason(
        implementations=("mote/a*",),
        operations=("key-setup",),
        cores=("Cortex-M3",),
        than=("AVR",),
        ratio=1.5,
        cause="tables",
    )
    assert entry.explains("mote/aes", "key-setup", "Cortex-M3", "AVR", 1.5)
    assert not entry.explains("mote/aes", "key-setup", "Cortex-M3", "AVR", 1.51)
    assert not entry.explains("mote/aes", "encrypt", "Cortex-M3", "AVR", 1.1)
    assert not entry.explains("mote/aes", "key-setup", "Cortex-M4", "AVR", 1.1)
    assert not entry.explains("mote/aes", "key-setup", "Cortex-M3", "AVRxt", 1.1)
    assert not entry.explains("mote/des", "key-setup", "Cortex-M3", "AVR", 1.1)
    assert entry.where == "key-setup on Cortex-M3"
    assert entry.words == "up to 1.5 times the cycles of AVR: tables"


def test_describe_shows_the_reasons_of_an_implementation():
    facts = describe("implementation", "mote/twofish", None)
    causes = facts["slower_on_larger_cores"]
    assert causes == {
        entry.where: entry.words
        for entry in slower_core_reasons()
        if entry.concerns("mote/twofish")
    }
    assert any("fills tables of 4 KiB" in cause for cause in causes.values())
