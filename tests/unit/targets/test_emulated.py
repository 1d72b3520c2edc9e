"""Emulated processors: their descriptions, what is missing, and that a count is never taken for a
time.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Evidence, FailureKind
from motebench.base.units import MAIN, METRICS
from motebench.measuring.work.readings import of_timing
from motebench.targets.host.cross_machines import cross_machines
from motebench.targets.host.emulated import Emulation
from motebench.targets.host.machine import Program
from motebench.targets.registry import open_target, split_names, target_names
from motebench.targets.setup import building
from motebench.targets.wire.messages import Clock, Hello, ProbeFailure, Timing

HELLO = Hello(
    probe="motebench-c",
    implementation="mote/aes-small",
    version="1",
    compiler="Clang",
    flags="-O2",
    arch="arm",
    clock=Clock("instructions", 0, 1, 100.0),
    counter=None,
    cpu=None,
    max_frame=2**20,
    max_data=2**20,
    does=frozenset(("hello", "measure")),
)
TIMING = Timing(ticks=(1100, 1100), counts=None, cpu=None, crc=0, length=16, out=None)


def test_there_is_a_processor_for_each_kind_of_board() -> None:
    assert {"armv6", "armv7", "aarch64", "riscv64", "riscv64-crypto"} <= set(cross_machines())
    assert {f"emu:{name}" for name in cross_machines()} <= set(target_names())
    for name, machine in cross_machines().items():
        assert machine.compiler.target.endswith(("-musl", "-musleabihf")), name
        assert machine.emulator.program.startswith("qemu-")


def test_target_counts_exactly_and_is_simulated() -> None:
    place = open_target("emu:armv6").place
    assert (place.metric, place.evidence, place.exact) == ("instructions", Evidence.SIMULATED, True)
    assert place.environment()["cpu"] == "arm1176"
    assert any("neither time nor cycles" in note for note in place.conditions("auto", 1).notes())


@pytest.mark.parametrize(
    ("name", "meant"), [("emu:arm64", "armv6"), ("emu:aarch", "aarch64"), ("emu:risc64", "riscv64")]
)
def test_unknown_processor_is_named_with_what_may_be_meant(name: str, meant: str) -> None:
    with pytest.raises(InputError) as caught:
        open_target(name, where="--target")
    assert caught.value.where == "--target"
    assert meant in (caught.value.hint or "")
    assert "emu:armv7" in (caught.value.valid or "")


def test_names_stand_in_lists() -> None:
    assert split_names(["emu:armv6,emu:riscv64", "host"]) == ("emu:armv6", "emu:riscv64", "host")


def test_emulator_that_is_missing_is_named_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    with pytest.raises(ProbeFailure, match="qemu-arm is not here") as caught:
        Emulation("armv6", cross_machines()["armv6"]).connect(Program(("probe",)))
    assert caught.value.kind is FailureKind.UNSUPPORTED
    assert "qemu-user" in caught.value.message


def test_build_that_fails_says_why_and_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def build(machine: str, names: list[str]) -> str:
        tried.append(machine)
        return "building failed: no compiler"

    monkeypatch.setattr(building, "build_cross", build)
    monkeypatch.setattr("motebench.targets.host.emulated.cross_probes", lambda _: {})
    target = open_target("emu:armv7")
    assert "mote/aes-small" in target.implementations()
    for _ in range(2):
        with pytest.raises(ProbeFailure, match="no compiler") as caught:
            target.open("mote/aes-small")
        assert caught.value.kind is FailureKind.BUILD
    assert tried == ["armv7"]


def test_every_probe_of_another_architecture_is_refused() -> None:
    place = Emulation("armv6", cross_machines()["armv6"])
    counted = replace(HELLO, counter=HELLO.clock)
    place.greeted(None, counted)  # type: ignore[arg-type]
    with pytest.raises(ProbeFailure, match="built for aarch64, not arm"):
        place.greeted(None, replace(counted, arch="aarch64"))  # type: ignore[arg-type]
    with pytest.raises(ProbeFailure, match="does not count"):
        place.greeted(None, replace(HELLO, counter=Clock("tsc", 10**9, 1, 0.0)))  # type: ignore[arg-type]


def test_counts_are_instructions_and_no_time() -> None:
    taken = of_timing(TIMING, 10, HELLO, Evidence.SIMULATED)
    assert [series.metric for series, _, _ in taken] == ["instructions"] * 2
    series, raw, batch = taken[0]
    assert (raw - series.overhead) * series.scale / batch == 100
    assert "instructions" in MAIN
    assert METRICS["instructions"].unit == "instructions"


def test_leak_refuses_counts(tmp_path: Path) -> None:
    from motebench.measuring.leak.examination import LeakRequest, examine
    from motebench.targets.code.workspace import Workspace

    request = LeakRequest("emu:armv6", "mote/aes-small", [], [], size="16", samples=None, seed=1)
    with pytest.raises(InputError, match="may still differ in time"):
        examine(tmp_path / "m.db", Workspace(), request, MagicMock())
