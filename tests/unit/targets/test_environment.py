"""The environment is described from recorded machines, and never guessed."""

from __future__ import annotations

import fnmatch
import json
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from motebench.targets.machine import (
    COMPARABLE,
    FACTS,
    Severity,
    describe,
    differences,
    noise_sources,
)
from motebench.targets.machine.description import os_name, parse_cpuinfo
from motebench.targets.machine.system import LinuxSystem

RECORDINGS = Path(__file__).parents[2] / "recordings" / "environment"
MACHINES = sorted(path.stem for path in RECORDINGS.glob("*.toml"))
TYPES = {"text": str, "int": int, "bool": bool, "list": list, "map": dict}


class RecordedMachine(LinuxSystem):
    """A machine replayed from a recording."""

    def __init__(self, name: str) -> None:
        super().__init__(Path("/nonexistent"))
        content = tomllib.loads((RECORDINGS / f"{name}.toml").read_text())
        self.files = content["files"]
        self.answers = content.get("answers", {})
        self.said = content

    def text(self, path: str) -> str | None:
        content = self.files.get(path)
        return None if content is None else content.strip("\0 \t\r\n")

    def exists(self, path: str) -> bool:
        return any(name == path or name.startswith(path + "/") for name in self.files)

    def match(self, pattern: str) -> list[str]:
        depth = pattern.count("/")
        cut = {"/".join(name.split("/")[: depth + 1]) for name in self.files}
        return sorted(
            name for name in cut if name.count("/") == depth and fnmatch.fnmatch(name, pattern)
        )

    def which(self, program: str) -> str | None:
        return (
            f"/usr/bin/{program}"
            if any(line.split()[0] == program for line in self.answers)
            else None
        )

    def run(
        self, command: Sequence[str], *, codes: Collection[int] = (0,), timeout: float = 10.0
    ) -> str | None:
        return self.answers.get(" ".join(command))

    def architecture(self) -> str | None:
        return self.said["machine"]

    def kernel(self) -> str | None:
        return f"Linux {self.said['release']}"

    def libc(self) -> str | None:
        return self.said.get("libc")

    def usable_threads(self) -> int | None:
        return self.said["affinity"]

    def privileged(self) -> bool:
        return False


def host(name: str) -> dict:
    return describe(RecordedMachine(name))["host"]


def advice(name: str) -> dict:
    return {found.id: found for found in noise_sources(describe(RecordedMachine(name)))}


@pytest.mark.parametrize(
    "machine", [*map(RecordedMachine, MACHINES), LinuxSystem(), LinuxSystem(Path("/nonexistent"))]
)
def test_environment_has_every_fact_with_its_type(machine):
    environment = describe(machine)
    assert set(environment["host"]) == set(FACTS)
    types = {name: type(value) for name, value in environment["host"].items() if value is not None}
    assert {"architecture", "motebench"} <= types.keys()
    assert types == {name: TYPES[FACTS[name].type] for name in types}
    assert json.loads(json.dumps(environment)) == environment
    assert environment["time"].endswith("+00:00")


def test_facts_are_explained_and_comparable_ones_are_facts():
    assert all(fact.meaning and fact.type in TYPES for fact in FACTS.values())
    assert set(FACTS) >= COMPARABLE
    assert not COMPARABLE & {"load", "frequency_now", "throttling", "on_battery", "battery_percent"}


def test_amd_virtual_machine():
    found = host("amd-vm")
    assert found["cpu_model"] == "AMD EPYC"
    assert (found["cores"], found["threads"], found["smt"]) == (2, 2, False)
    assert found["microcode"] == "0x1000065"
    assert {"aes", "vaes", "sha_ni", "avx512f"} <= set(found["cpu_flags"])
    assert "fpu" not in found["cpu_flags"]
    assert found["virtualization"] == "kvm"
    assert found["container"] == "none"
    assert found["hardware_counters"] is False
    assert found["tsc_constant"] is True
    assert found["transparent_hugepages"] == "madvise"
    assert found["frequency_now"] == 2596150
    assert (
        found["governor"] is None and found["turbo"] is None and found["frequency_limits"] is None
    )


def test_raspberry_pi_3():
    found = host("raspberry-pi-3")
    assert found["cpu_model"] == "Cortex-A53"
    assert found["board"] == "Raspberry Pi 3 Model B Rev 1.2"
    assert (found["cores"], found["threads"]) == (4, 4)
    assert found["governor"] == "ondemand"
    assert found["frequency_limits"] == {"min": 600000, "max": 1200000}
    assert found["cpu_flags"] == ["asimd"], "a Raspberry Pi 3 has no AES instructions"
    assert found["hardware_counters"] is True
    assert found["throttling"] == ["under-voltage", "throttled"]
    assert found["virtualization"] is None, "nothing on it tells"
    assert {"governor", "throttled", "load"} <= set(advice("raspberry-pi-3"))
    assert not {"virtual-machine", "clocksource", "perf-event", "tsc"} & set(
        advice("raspberry-pi-3")
    )


def test_raspberry_pi_zero_knows_little_and_says_so():
    found = host("raspberry-pi-zero-w")
    assert found["cpu_model"] == "ARM1176"
    assert found["board"] == "Raspberry Pi Zero W Rev 1.1"
    assert found["architecture"] == "armv6l"
    assert found["threads"] == 1
    assert (
        found["microcode"] is None and found["tsc_constant"] is None and found["container"] is None
    )
    assert list(advice("raspberry-pi-zero-w")) == ["clocksource"]


def test_laptop_has_every_kind_of_noise():
    found = host("intel-laptop")
    assert (found["cores"], found["threads"], found["smt"], found["turbo"]) == (2, 4, True, True)
    assert found["virtualization"] == "none"
    assert found["on_battery"] is True and found["battery_percent"] == 21
    assert found["perf_event_allowed"] is False
    sources = advice("intel-laptop")
    assert {
        "governor",
        "turbo",
        "smt",
        "heat",
        "battery",
        "perf-event",
        "clocksource",
        "aslr",
    } == set(sources)
    assert "low (21 %)" in sources["battery"].what
    assert "intel_pstate/no_turbo" in sources["turbo"].remedy
    assert sources["aslr"].severity is Severity.INFO
    order = [found.severity for found in sources.values()]
    assert order == sorted(order, key=lambda severity: severity is Severity.INFO)


def test_container_is_seen_by_its_cgroup_and_machine_by_its_tables():
    found = host("container")
    assert found["container"] == "docker"
    assert found["virtualization"] == "qemu"
    assert {"container", "virtual-machine"} <= set(advice("container"))


@pytest.mark.parametrize(
    ("file", "content", "kind"),
    [
        ("/.dockerenv", "", "docker"),
        ("/run/.containerenv", "", "podman"),
        ("/run/systemd/container", "lxc", "lxc"),
        ("/proc/1/cgroup", "0::/", "none"),
    ],
)
def test_traces_of_containers(file, content, kind):
    machine = RecordedMachine("raspberry-pi-zero-w")
    machine.files[file] = content
    assert describe(machine)["host"]["container"] == kind


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("/sys/hypervisor/type", "xen", "xen"),
        ("/sys/class/dmi/id/product_name", "VMware Virtual Platform", "vmware"),
        ("/sys/class/dmi/id/sys_vendor", "innotek GmbH", "virtualbox"),
        ("/proc/device-tree/hypervisor/compatible", "linux,kvm", "kvm"),
        ("/proc/sys/kernel/osrelease", "5.15.0-microsoft-standard-WSL2", "wsl"),
    ],
)
def test_traces_of_hypervisors(file, content, name):
    machine = RecordedMachine("intel-laptop")
    machine.files[file] = content
    assert describe(machine)["host"]["virtualization"] == name


def test_a_hypervisor_without_a_name_is_still_one():
    machine = RecordedMachine("intel-laptop")
    machine.files["/proc/cpuinfo"] = machine.files["/proc/cpuinfo"].replace(
        "tsc msr", "tsc msr hypervisor"
    )
    assert describe(machine)["host"]["virtualization"] == "unnamed"


def test_governor_set_to_performance_or_a_fixed_clock_is_quiet():
    for changes in ({"scaling_governor": "performance"}, {"scaling_min_freq": "1200000"}):
        machine = RecordedMachine("raspberry-pi-3")
        for path in machine.files:
            for name, value in changes.items():
                if path.endswith(name):
                    machine.files[path] = value
        assert "governor" not in {found.id for found in noise_sources(describe(machine))}


def test_unlike_cores_are_all_named():
    machine = RecordedMachine("raspberry-pi-3")
    machine.files["/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor"] = "schedutil"
    machine.files["/proc/cpuinfo"] = machine.files["/proc/cpuinfo"].replace("0xd03", "0xd08", 1)
    found = describe(machine)["host"]
    assert found["governor"] == "ondemand, schedutil"
    assert found["cpu_model"] == "Cortex-A72 + Cortex-A53"


def test_unknown_arm_part_is_named_by_its_number():
    info = parse_cpuinfo("processor : 0\nCPU implementer : 0x51\nCPU part : 0x802\n")
    assert info.model == "ARM implementer 0x51 part 0x802"


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", ":::", "processor\n", "flags :\nCPU part : zz\ncpu MHz : fast\n", "\x00\xff"],
)
def test_nonsense_is_passed_over(text):
    info = parse_cpuinfo(text)
    assert (
        info.model is None and info.threads is None and info.crypto_flags == [] and info.mhz is None
    )


def test_flags_are_those_all_processors_share():
    info = parse_cpuinfo("processor: 0\nFeatures: asimd aes\n\nprocessor: 1\nFeatures: asimd\n")
    assert info.crypto_flags == ["asimd"]


def test_os_name():
    assert os_name('NAME="Fedora Linux"\nVERSION_ID=41\n') == "Fedora Linux"
    assert os_name("# PRETTY_NAME=x\n") is None


def test_differences_of_another_machine_are_its_own() -> None:
    here = {"host": {"kernel": "Linux 6"}}
    left, right = (
        {
            **here,
            "machines": {
                "ssh:pi": {"host": {"kernel": kernel, "load": [load]}},
                other: {"host": {"cores": 4}},
            },
        }
        for kernel, load, other in (("Linux 5", 0.1, "ssh:a"), ("Linux 6", 0.9, "ssh:b"))
    )
    assert [str(item) for item in differences(left, right)] == [
        "ssh:pi kernel: Linux 5 against Linux 6"
    ]
    assert differences(left, left) == [] and differences(left, here) == []
    assert differences({**here, "machines": "x"}, {**here, "machines": {"ssh:pi": 3}}) == []


def test_differences_name_only_what_must_be_equal():
    left, right = (
        describe(RecordedMachine("intel-laptop")),
        describe(RecordedMachine("intel-laptop")),
    )
    right["host"]["load"] = [9.0, 9.0, 9.0]
    assert differences(left, right) == []
    right["host"]["governor"] = "performance"
    right["host"]["microcode"] = None
    found = differences(left, right)
    assert [difference.name for difference in found] == ["microcode", "governor"]
    assert str(found[0]) == "microcode: 0xf4 against unknown"
    assert str(found[1]) == "governor: powersave against performance"


def test_nothing_known_gives_no_advice():
    assert noise_sources({}) == []
    assert noise_sources({"host": dict.fromkeys(FACTS)}) == []


def test_no_serial_number_or_host_name_is_recorded(monkeypatch):
    machine = RecordedMachine("raspberry-pi-3")
    machine.files["/proc/cpuinfo"] = machine.files["/proc/cpuinfo"].replace(
        "0000000000000000", "00000000deadbeef"
    )
    assert "deadbeef" not in json.dumps(describe(machine))
