"""Core that probes are pinned to, and layout of their memory, on recorded machines."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.targets.host.machine import Program
from motebench.targets.host.pinning import PADDING, CoreChooser, Layout, StolenTime
from motebench.targets.host.this_machine import ThisMachine
from motebench.targets.machine.cores import (
    TICK,
    busy_shares,
    core_times,
    kinds,
    listed,
    numbers,
    siblings,
    stolen_seconds,
)
from motebench.targets.machine.description import describe
from motebench.targets.machine.noise import Severity, noise_sources
from motebench.targets.machine.system import LinuxSystem

CPU = "sys/devices/system/cpu"


class Recorded:
    """A machine whose cores' times a test writes: ticks busy and idle of each."""

    def __init__(self, root: Path, cores: int) -> None:
        self.root = root
        self.ticks = [[0, 0, 0] for _ in range(cores)]
        self.write("proc/stat", "")
        self.pass_time(*[0.0] * cores)

    @property
    def machine(self) -> LinuxSystem:
        return LinuxSystem(self.root)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def pass_time(self, *busy: float, ticks: int = 100, stolen: int = 0) -> None:
        """Let ticks pass, of which each core was busy for a share; core 0 has the stolen ones."""
        for place, share in enumerate(busy):
            self.ticks[place][0] += round(share * ticks)
            self.ticks[place][1] += ticks - round(share * ticks)
        self.ticks[0][2] += stolen
        lines = [
            f"cpu{n} {busy} 0 0 {idle} 0 0 0 {gone} 0 0"
            for n, (busy, idle, gone) in enumerate(self.ticks)
        ]
        self.write(
            "proc/stat", "\n".join(["cpu  1 2 3 4 5 6 7 8 0 0", *lines, "intr 1 2 3", "ctxt 5"])
        )

    def placement(
        self,
        cpu: str | int = "auto",
        *,
        first: tuple[float, ...] = (),
        own: list[float] | None = None,
    ) -> CoreChooser:
        """Others keep the cores as busy as ``first`` while they are watched before the first
        round.
        """
        seconds = own if own is not None else [0.0]
        return CoreChooser(
            cpu,
            self.machine,
            allowed=frozenset(range(len(self.ticks))),
            sleep=lambda _: self.pass_time(*(first or [0.0] * len(self.ticks))),
            own=lambda: seconds[0],
        )


@pytest.fixture
def two(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path, 2)


@pytest.fixture
def four(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path, 4)


def test_of_idle_cores_not_the_first(two: Recorded) -> None:
    assert two.placement().next_round() == 1


def test_the_least_busy_core_is_taken_even_if_it_is_the_first(two: Recorded) -> None:
    assert two.placement(first=(0.0, 0.9)).next_round() == 0


def test_a_core_that_gets_busy_is_left_in_the_next_round(four: Recorded) -> None:
    placement = four.placement()
    assert placement.next_round() == 1
    four.pass_time(0.0, 1.0, 0.0, 0.0)
    assert placement.next_round() == 2
    assert placement.facts()["rounds_by_core"] == {"1": 1, "2": 1}


def test_our_own_probes_do_not_drive_us_away(four: Recorded) -> None:
    own = [0.0]
    placement = four.placement(own=own)
    assert placement.next_round() == 1
    four.pass_time(0.0, 0.9, 0.05, 0.0)
    own[0] += 90 * TICK
    assert placement.next_round() == 1


def test_where_all_are_busy_probes_are_not_pinned(two: Recorded) -> None:
    placement = two.placement(first=(1.0, 0.8))
    assert placement.next_round() is None
    two.pass_time(1.0, 0.1)
    assert placement.next_round() == 1
    assert placement.facts() == {
        "pinned": "auto",
        "rounds_by_core": {"1": 1},
        "rounds_not_pinned": 1,
    }


def test_a_core_whose_sibling_works_is_avoided(four: Recorded) -> None:
    for core in range(4):
        four.write(
            f"{CPU}/cpu{core}/topology/thread_siblings_list", "0,2" if core % 2 == 0 else "1,3"
        )
    assert siblings(four.machine)[1] == {3}
    assert four.placement(first=(0.0, 0.0, 0.0, 0.9)).next_round() == 2


def test_a_busy_sibling_is_told(four: Recorded) -> None:
    for core in range(4):
        four.write(f"{CPU}/cpu{core}/topology/thread_siblings_list", "0-1" if core < 2 else "2-3")
    placement = four.placement(3)
    placement.next_round()
    assert placement.notes() == []
    four.pass_time(0.0, 0.0, 0.6, 0.0)
    placement.next_round()
    (note,) = placement.notes()
    assert "busy for up to 60 % of a round" in note


@pytest.mark.parametrize("name", ["cpu_capacity", "cpufreq/cpuinfo_max_freq"])
def test_the_fastest_kind_of_core_is_taken(four: Recorded, name: str) -> None:
    for core, value in enumerate((1000, 400, 400, 980)):
        four.write(f"{CPU}/cpu{core}/{name}", str(value))
    assert kinds(four.machine) == [{0, 3}, {1, 2}]
    assert four.placement().next_round() == 3


def test_performance_cores_by_the_list_of_the_kernel(four: Recorded) -> None:
    four.write("sys/devices/cpu_core/cpus", "2-3")
    four.write("sys/devices/cpu_atom/cpus", "0-1")
    assert kinds(four.machine) == [{2, 3}, {0, 1}]
    assert four.placement().next_round() == 2


def test_a_core_that_is_asked_for_stays(four: Recorded) -> None:
    placement = four.placement(2, first=(0.0, 0.0, 1.0, 0.0))
    assert [placement.next_round() for _ in range(3)] == [2, 2, 2]


def test_a_core_that_may_not_be_used_is_an_error(two: Recorded) -> None:
    with pytest.raises(InputError, match="is not allowed to use core 7"):
        two.placement(7)


def test_nothing_is_pinned_where_that_is_not_wanted(two: Recorded) -> None:
    placement = two.placement("none")
    assert placement.next_round() is None and placement.facts()["rounds_by_core"] == {}


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    nothing = LinuxSystem(tmp_path)
    assert core_times(nothing) == {} and kinds(nothing) == [] and siblings(nothing) == {}
    silent = CoreChooser(
        "auto", nothing, allowed=frozenset({0, 1}), sleep=lambda _: None, own=lambda: 0.0
    )
    assert silent.next_round() == 1


def test_shares_and_thefts_of_cores(two: Recorded) -> None:
    before = core_times(two.machine)
    two.pass_time(0.25, 0.5, stolen=0)
    assert busy_shares(before, core_times(two.machine)) == pytest.approx({0: 0.25, 1: 0.5})
    two.pass_time(0.0, 0.0, stolen=3)
    after = core_times(two.machine)
    assert stolen_seconds(before, after) == pytest.approx(3 * TICK)
    assert stolen_seconds(before, after, [1]) == 0.0


def test_what_was_stolen_since_the_last_look(two: Recorded) -> None:
    look = StolenTime(two.machine)
    look.seconds()
    two.pass_time(0.0, 0.0, stolen=2)
    assert look.seconds() == pytest.approx(2 * TICK)
    assert look.seconds() == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0-3,8", {0, 1, 2, 3, 8}), ("5", {5}), ("", set()), (None, set()), ("x-3", set())],
)
def test_lists_of_cores(text: str | None, expected: set[int]) -> None:
    assert numbers(text) == expected


def test_layouts_differ_by_process_and_come_again_with_the_seed() -> None:
    first, second, other = Layout(1), Layout(1), Layout(2)
    drawn = [first.environment() for _ in range(50)]
    assert drawn == [second.environment() for _ in range(50)]
    assert drawn[0] != other.environment()
    assert len({found["MOTEBENCH_LAYOUT"] for found in drawn}) == 50
    lengths = {len(found["MOTEBENCH_PADDING"]) for found in drawn}
    assert len(lengths) > 40 and max(lengths) < PADDING
    assert all(0 < int(found["MOTEBENCH_LAYOUT"]) < 2**32 for found in drawn)


PROBE = """
import os, sys
from motebench.targets.wire import frames
receiver = frames.Receiver()
clock = {"name": "c", "hz": 10**9, "resolution": 1, "overhead": 0.0}
while data := os.read(0, 65536):
    for request in receiver.feed(data):
        cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
        ok = {"proto": 2, "probe": "p", "impl": cores,
              "version": os.environ.get("MOTEBENCH_LAYOUT", ""),
              "compiler": "c", "flags": "", "arch": "a", "clock": clock,
              "counter": None, "cpu": None,
              "max_frame": 65536, "max_data": 4096, "does": [], "jit": sys.argv[1] == "jit",
              "schemes": [{"name": cores, "ops": [], "key": [0, 0], "nonce": [0, 0],
                           "tag": [0, 0], "block": 1,
                           "stream": False}]}
        os.write(1, frames.encode({"id": request["id"], "ok": ok}))
"""


def started(machine: ThisMachine, kind: str) -> tuple[set[int], str]:
    """The cores that a probe may run on once it has greeted, and the layout it was given."""
    probe = machine.start(Program((sys.executable, "-c", PROBE, kind)))
    try:
        (cores,) = probe.offers()
        return {int(core) for core in cores.split(",")}, probe.hello.version
    finally:
        probe.close()


def test_a_probe_is_kept_on_its_core_and_a_virtual_machine_is_not() -> None:
    machine, core = ThisMachine(), min(os.sched_getaffinity(0))
    assert started(machine, "plain") == (os.sched_getaffinity(0), "")
    machine.core, machine.layout = core, lambda: {"MOTEBENCH_LAYOUT": "7"}
    assert started(machine, "plain") == ({core}, "7")
    assert started(machine, "jit")[0] == os.sched_getaffinity(0)


def test_a_run_on_this_machine_chooses_the_core_of_each_round_and_a_layout_for_each_process() -> (
    None
):
    machine, core = ThisMachine(), max(os.sched_getaffinity(0))
    conditions = machine.conditions(core, 7)
    conditions.next_round()
    cores, layout = started(machine, "plain")
    assert (cores, machine.core) == ({core}, core)
    assert layout == Layout(7).environment()["MOTEBENCH_LAYOUT"]
    assert conditions.facts()["placement"] == {
        "pinned": str(core),
        "rounds_by_core": {str(core): 1},
        "rounds_not_pinned": 0,
    }
    with pytest.raises(InputError, match="is not allowed to use core 9999"):
        machine.check_core(9999)


def test_cores_as_the_kernel_lists_them() -> None:
    assert listed({8, 0, 2, 1}) == "0-2,8"
    assert numbers(listed({5, 7, 8})) == {5, 7, 8}


def test_unlike_cores_and_siblings_in_use_are_warned_of(four: Recorded) -> None:
    for core, value in enumerate((1000, 400, 400, 980)):
        four.write(f"{CPU}/cpu{core}/cpu_capacity", str(value))
    facts = describe(four.machine)["host"]
    assert facts["core_kinds"] == ["0,3", "1-2"]
    found = {
        advice.id: advice for advice in noise_sources({"host": {"core_kinds": ["0,3", "1-2"]}})
    }
    assert found["unlike-cores"].what == "the cores are of 2 kinds: 0,3; 1-2"
    for load, severity in ((0.2, Severity.INFO), (3.0, Severity.WARNING)):
        (smt,) = noise_sources({"host": {"smt": True, "cores": 4, "load": [load, 0, 0]}})
        assert smt.severity is severity
