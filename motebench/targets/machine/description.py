"""The description of a machine as plain data, which every run keeps: processor, system, memory,
power."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from motebench.targets.machine.clock import earlier, named, read_clock
from motebench.targets.machine.cores import kinds, listed
from motebench.targets.machine.facts import within_limits
from motebench.targets.machine.system import LinuxSystem
from motebench.version import __version__

_CPU = "/sys/devices/system/cpu"
# Above this level of kernel.perf_event_paranoid a user may not count events even of own processes;
# mainline Linux knows levels to 2, Debian and Ubuntu add 3 and 4.
_PARANOID_OWN = 2


def describe(machine: LinuxSystem | None = None) -> dict[str, Any]:
    """All known facts of the machine: ``time`` (UTC) and ``host``, the facts of ``facts.FACTS`` by
    name."""
    machine = machine or LinuxSystem()
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": within_limits(_host(machine)),
    }


def _host(machine: LinuxSystem) -> dict[str, Any]:
    info = parse_cpuinfo(machine.text("/proc/cpuinfo") or "")
    return {
        **_processor(machine, info),
        **_frequencies(machine, info),
        **_counters(machine),
        **_system(machine, info),
        **_memory(machine),
        **_power(machine),
        "python": f"{platform.python_implementation()} {platform.python_version()}"
        if machine.here
        else None,
        "motebench": __version__ if machine.here else None,
    }


def _processor(machine: LinuxSystem, info: CpuInfo) -> dict[str, Any]:
    return {
        "cpu_model": info.model,
        "board": machine.text("/proc/device-tree/model") or info.board,
        "soc": _soc(machine),
        "architecture": machine.architecture(),
        "cores": _cores(machine, info),
        "threads": info.threads,
        "usable_threads": machine.usable_threads(),
        "microcode": info.microcode,
        "cpu_flags": info.crypto_flags if info.flags else None,
    }


def _frequencies(machine: LinuxSystem, info: CpuInfo) -> dict[str, Any]:
    return {
        "governor": _of_all_cores(machine, "scaling_governor"),
        "frequency_driver": _of_all_cores(machine, "scaling_driver"),
        "frequency_limits": _frequency_limits(machine),
        "frequency_now": _frequency_now(machine, info),
        "turbo": _turbo(machine),
        "smt": _yes_no(machine.text(f"{_CPU}/smt/active")),
        "core_kinds": _core_kinds(machine),
        "tsc_constant": {"constant_tsc", "nonstop_tsc"} <= info.flags
        if "tsc" in info.flags
        else None,
    }


def _counters(machine: LinuxSystem) -> dict[str, Any]:
    paranoid = machine.number("/proc/sys/kernel/perf_event_paranoid")
    return {
        "hardware_counters": _hardware_counters(machine),
        "perf_event_paranoid": paranoid,
        "perf_event_allowed": machine.privileged()
        or (None if paranoid is None else paranoid <= _PARANOID_OWN),
    }


def _system(machine: LinuxSystem, info: CpuInfo) -> dict[str, Any]:
    return {
        "kernel": machine.kernel(),
        "os": os_name(machine.text("/etc/os-release") or machine.text("/usr/lib/os-release") or ""),
        "libc": machine.libc(),
        "clocksource": machine.text(
            "/sys/devices/system/clocksource/clocksource0/current_clocksource"
        )
        or None,
        "virtualization": virtualization(machine, info.flags),
        "container": container(machine),
    }


def _memory(machine: LinuxSystem) -> dict[str, Any]:
    memory = machine.text("/proc/meminfo") or ""
    return {
        "load": _load(machine.text("/proc/loadavg") or ""),
        "memory_bytes": _kibibytes(memory, "MemTotal"),
        "swap_bytes": _kibibytes(memory, "SwapTotal"),
        "page_size": machine.page_size(),
        "transparent_hugepages": _chosen(
            machine.text("/sys/kernel/mm/transparent_hugepage/enabled") or ""
        ),
        "aslr": machine.number("/proc/sys/kernel/randomize_va_space"),
    }


def _power(machine: LinuxSystem) -> dict[str, Any]:
    clock = read_clock(machine, 0)
    return {
        "on_battery": _on_battery(machine),
        "battery_percent": _battery(machine),
        "throttle_count": machine.number(f"{_CPU}/cpu0/thermal_throttle/core_throttle_count"),
        "throttling": None if clock.flags is None else named(clock.flags),
        "throttling_earlier": None if clock.flags is None else named(earlier(clock.flags)),
        "firmware_clock": clock.firmware,
        "temperatures": dict(clock.temperatures) or None,
    }


def _soc(machine: LinuxSystem) -> str | None:
    """The last name in the device tree's list from the board to its chip: ``brcm,bcm2837``."""
    names = (machine.text("/proc/device-tree/compatible") or "").replace("\0", " ").split()
    return names[-1] if names else None


def os_release(text: str) -> dict[str, str]:
    """The fields of an os-release file, without quotes."""
    fields = {}
    for line in text.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and not key.startswith("#"):
            fields[key] = value.strip("\"'")
    return fields


def os_name(text: str) -> str | None:
    """The distribution an os-release file names."""
    fields = os_release(text)
    return fields.get("PRETTY_NAME") or fields.get("NAME")


def _cores(machine: LinuxSystem, info: CpuInfo) -> int | None:
    siblings = {
        machine.text(path)
        for path in machine.match(f"{_CPU}/cpu[0-9]*/topology/thread_siblings_list")
    }
    return len(siblings - {None}) or info.cores


def _of_all_cores(machine: LinuxSystem, name: str) -> str | None:
    values = {machine.text(path) for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}")}
    return ", ".join(sorted(value for value in values if value)) or None


def _frequency_limits(machine: LinuxSystem) -> dict[str, int] | None:
    """Limits over all cores: the lowest minimum and the highest maximum."""
    low, high = (
        [
            number
            for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}")
            if (number := machine.number(path))
        ]
        for name in ("scaling_min_freq", "scaling_max_freq")
    )
    return {"min": min(low), "max": max(high)} if low and high else None


def _frequency_now(machine: LinuxSystem, info: CpuInfo) -> int | None:
    now = machine.number(f"{_CPU}/cpu0/cpufreq/scaling_cur_freq")
    return now or (round(info.mhz * 1000) if info.mhz else None)


def _turbo(machine: LinuxSystem) -> bool | None:
    off = _yes_no(machine.text(f"{_CPU}/intel_pstate/no_turbo"))
    if off is not None:
        return not off
    return _yes_no(machine.text(f"{_CPU}/cpufreq/boost"))


def _core_kinds(machine: LinuxSystem) -> list[str] | None:
    by_speed = kinds(machine)
    return [listed(kind) for kind in by_speed] if len(by_speed) > 1 else None


def _yes_no(text: str | None) -> bool | None:
    return {"1": True, "0": False}.get(text or "")


def _hardware_counters(machine: LinuxSystem) -> bool | None:
    """The kernel lists a source of events per kind of processor core: ``cpu``, ``cpu_core``,
    ``armv8_cortex_a53``."""
    sources = machine.match("/sys/bus/event_source/devices/*")
    if not sources:
        return None
    names = [path.rsplit("/", 1)[1] for path in sources]
    return any(
        re.fullmatch(r"cpu|cpu_core|cpu_atom|arm(v\w+|_pmu\w*)|apple_\w+_pmu", name)
        for name in names
    )


def _load(text: str) -> list[float] | None:
    try:
        minute, five, fifteen = (float(word) for word in text.split()[:3])
    except ValueError:
        return None
    return [minute, five, fifteen]


def _kibibytes(text: str, line: str) -> int | None:
    """Bytes of a line of ``/proc/meminfo``."""
    size = re.search(rf"^{line}:\s*(\d+) kB", text, re.MULTILINE)
    return int(size[1]) * 1024 if size else None


def _chosen(text: str) -> str | None:
    """The bracketed word of ``always [madvise] never``."""
    chosen = re.search(r"\[(\w+)\]", text)
    return chosen[1] if chosen else None


def _supplies(machine: LinuxSystem, kind: str) -> list[str]:
    types = machine.match("/sys/class/power_supply/*/type")
    return [path.removesuffix("/type") for path in types if machine.text(path) == kind]


def _on_battery(machine: LinuxSystem) -> bool | None:
    batteries = _supplies(machine, "Battery")
    if not batteries:
        return None
    mains = [_yes_no(machine.text(f"{path}/online")) for path in _supplies(machine, "Mains")]
    if any(mains):
        return False
    return any(machine.text(f"{path}/status") == "Discharging" for path in batteries)


def _battery(machine: LinuxSystem) -> int | None:
    readings = [machine.number(f"{path}/capacity") for path in _supplies(machine, "Battery")]
    charges = [charge for charge in readings if charge is not None]
    return min(charges) if charges else None


# Extensions that implementations of ciphers, hashes and public-key arithmetic choose their code by,
# as Linux names them (x86: arch/x86/include/asm/cpufeatures.h; ARM:
# Documentation/arch/arm64/elf_hwcaps.rst, arch/arm/kernel/setup.c).
CRYPTO_FLAGS = frozenset(
    {
        "aes",
        "pclmulqdq",
        "sha_ni",
        "sha512",
        "sse2",
        "ssse3",
        "sse4_1",
        "avx",
        "avx2",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512ifma",
        "avx512_vbmi2",
        "vaes",
        "vpclmulqdq",
        "gfni",
        "bmi2",
        "adx",
        "rdrand",
        "rdseed",
        "neon",
        "asimd",
        "pmull",
        "sha1",
        "sha2",
        "sha3",
        "sm3",
        "sm4",
        "sve",
        "sve2",
        "edsp",
        "vfpv4",
    }
)

# Implementer 0x41 (Arm); part numbers of the MIDR as in Linux arch/arm64/include/asm/cputype.h,
# arch/arm/include/asm/cputype.h and the Technical Reference Manuals.
_ARM_PARTS = {
    0xB76: "ARM1176",
    0xC05: "Cortex-A5",
    0xC07: "Cortex-A7",
    0xC08: "Cortex-A8",
    0xC09: "Cortex-A9",
    0xC0F: "Cortex-A15",
    0xD03: "Cortex-A53",
    0xD04: "Cortex-A35",
    0xD05: "Cortex-A55",
    0xD07: "Cortex-A57",
    0xD08: "Cortex-A72",
    0xD09: "Cortex-A73",
    0xD0A: "Cortex-A75",
    0xD0B: "Cortex-A76",
    0xD0C: "Neoverse-N1",
    0xD0D: "Cortex-A77",
    0xD40: "Neoverse-V1",
    0xD41: "Cortex-A78",
    0xD44: "Cortex-X1",
    0xD49: "Neoverse-N2",
    0xD4F: "Neoverse-V2",
}
_ARM = 0x41


@dataclass(frozen=True, slots=True)
class CpuInfo:
    """A processor as ``/proc/cpuinfo`` describes it, on x86, ARM and RISC-V.

    ``flags`` has every flag that the kernel lists; None or empty means that the file does not have
    it.
    """

    model: str | None
    microcode: str | None
    threads: int | None
    cores: int | None
    flags: frozenset[str]
    board: str | None
    mhz: float | None

    @property
    def crypto_flags(self) -> list[str]:
        """The flags that are relevant to cryptography, sorted."""
        return sorted(self.flags & CRYPTO_FLAGS)


def parse_cpuinfo(text: str) -> CpuInfo:
    """Read the whole file. Never raises: it skips lines that it does not understand."""
    blocks = _blocks(text)
    processors = [block for block in blocks if "processor" in block]
    everything = [block for block in blocks if block]
    return CpuInfo(
        model=_processor_model(everything),
        microcode=_first(everything, "microcode"),
        threads=len(processors) or None,
        cores=_cores_of(processors),
        flags=_shared_flags(everything),
        board=_first(everything, "Model"),
        mhz=_float(_first(everything, "cpu MHz")),
    )


def _blocks(text: str) -> list[dict[str, str]]:
    blocks: list[dict[str, str]] = [{}]
    for line in text.splitlines():
        if not line.strip():
            blocks.append({})
            continue
        key, colon, value = line.partition(":")
        if colon:
            blocks[-1][key.strip()] = value.strip()
    return blocks


def _first(blocks: list[dict[str, str]], key: str) -> str | None:
    return next((block[key] for block in blocks if block.get(key)), None)


def _float(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _processor_model(blocks: list[dict[str, str]]) -> str | None:
    """Distinct core types, joined: machines with big and little cores have two."""
    models: dict[str, None] = {}
    for block in blocks:
        name = _arm_core(block) or block.get("model name") or block.get("uarch") or block.get("cpu")
        if name:
            models[" ".join(name.split())] = None
    return " + ".join(models) or None


def _arm_core(block: dict[str, str]) -> str | None:
    try:
        implementer, part = int(block["CPU implementer"], 16), int(block["CPU part"], 16)
    except (KeyError, ValueError):
        return None
    if implementer == _ARM and part in _ARM_PARTS:
        return _ARM_PARTS[part]
    return f"ARM implementer {implementer:#04x} part {part:#05x}"


def _cores_of(processors: list[dict[str, str]]) -> int | None:
    places = {(block.get("physical id"), block.get("core id")) for block in processors}
    if not places or any(part is None for place in places for part in place):
        return None
    return len(places)


def _shared_flags(blocks: list[dict[str, str]]) -> frozenset[str]:
    """Flags that all processors share."""
    lists = [
        frozenset(text.split())
        for block in blocks
        if (text := block.get("flags") or block.get("Features")) is not None
    ]
    return frozenset.intersection(*lists) if lists else frozenset()


# Words in the DMI tables of virtual machines, as their hypervisors write them.
_DMI = (
    ("kvm", "kvm"),
    ("qemu", "qemu"),
    ("vmware", "vmware"),
    ("virtualbox", "virtualbox"),
    ("innotek", "virtualbox"),
    ("xen", "xen"),
    ("microsoft corporation virtual machine", "hyper-v"),
    ("amazon ec2", "amazon"),
    ("google compute engine", "google"),
    ("parallels", "parallels"),
    ("bhyve", "bhyve"),
    ("openstack", "openstack"),
    ("apple virtualization", "apple"),
)
_CGROUPS = (
    ("docker", "docker"),
    ("kubepods", "kubernetes"),
    ("libpod", "podman"),
    ("containerd", "containerd"),
    ("lxc", "lxc"),
    ("machine.slice", "systemd-nspawn"),
)


def virtualization(machine: LinuxSystem, cpu_flags: frozenset[str]) -> str | None:
    """Name of the hypervisor, as systemd reports it, else from files and flags; ``unnamed`` if it
    gives no name; ``none``; None if unknown."""
    if "microsoft" in (machine.text("/proc/sys/kernel/osrelease") or "").lower():
        return "wsl"
    by_systemd = _systemd(machine, "--vm")
    if by_systemd and by_systemd != "none":
        return by_systemd
    by_traces = _by_traces(machine)
    if by_traces:
        return by_traces
    if "hypervisor" in cpu_flags:
        return "unnamed"
    # Only x86 has the flag; on other processors its absence says nothing.
    return "none" if by_systemd == "none" or (_is_x86(machine) and cpu_flags) else None


def container(machine: LinuxSystem) -> str | None:
    """Kind of container, as systemd reports it, else from files; ``none``; None if unknown."""
    if machine.exists("/.dockerenv"):
        return "docker"
    if machine.exists("/run/.containerenv"):
        return "podman"
    by_systemd = machine.text("/run/systemd/container") or _systemd(machine, "--container")
    if by_systemd and by_systemd not in ("none", "wsl"):
        return by_systemd
    groups = machine.text("/proc/1/cgroup")
    for word, name in _CGROUPS:
        if groups and word in groups:
            return name
    return "none" if by_systemd == "none" or groups is not None else None


def _systemd(machine: LinuxSystem, kind: str) -> str | None:
    if not machine.which("systemd-detect-virt"):
        return None
    # It exits with status 1 when it prints "none".
    return machine.run(["systemd-detect-virt", kind], codes=(0, 1)) or None


def _by_traces(machine: LinuxSystem) -> str | None:
    hypervisor = machine.text("/sys/hypervisor/type")
    if hypervisor:
        return hypervisor
    tree = machine.text("/proc/device-tree/hypervisor/compatible")
    if tree:
        return tree.split(",")[-1]
    names = ("sys_vendor", "product_name", "board_vendor", "bios_vendor")
    dmi = " ".join(machine.text(f"/sys/class/dmi/id/{name}") or "" for name in names).lower()
    return next((name for word, name in _DMI if word in dmi), None)


def _is_x86(machine: LinuxSystem) -> bool:
    return (machine.architecture() or "") in ("x86_64", "i686", "i586", "i386")
