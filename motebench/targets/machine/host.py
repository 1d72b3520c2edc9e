"""Describes this machine as plain data, which every run keeps."""

from __future__ import annotations

import platform
import re
from datetime import UTC, datetime
from typing import Any

from motebench.targets.machine.clock import earlier, named, read_clock
from motebench.targets.machine.cores import kinds, listed
from motebench.targets.machine.cpuinfo import CpuInfo, parse_cpuinfo
from motebench.targets.machine.facts import within_limits
from motebench.targets.machine.machine import LinuxSystem
from motebench.targets.machine.virtual import container, virtualization
from motebench.version import __version__

_CPU = "/sys/devices/system/cpu"
# Above this level of kernel.perf_event_paranoid a user may not count events even of own processes; mainline Linux
# knows levels to 2, Debian and Ubuntu add 3 and 4.
_PARANOID_OWN = 2


def describe(machine: LinuxSystem | None = None) -> dict[str, Any]:
    """All known facts of the machine: ``time`` (UTC) and ``host``, the facts of ``facts.FACTS`` by name."""
    machine = machine or LinuxSystem()
    return {"time": datetime.now(UTC).isoformat(timespec="seconds"), "host": within_limits(_host(machine))}


def _host(machine: LinuxSystem) -> dict[str, Any]:
    info = parse_cpuinfo(machine.text("/proc/cpuinfo") or "")
    clock = read_clock(machine, 0)
    memory = machine.text("/proc/meminfo") or ""
    paranoid = machine.number("/proc/sys/kernel/perf_event_paranoid")
    allowed = machine.privileged() or (None if paranoid is None else paranoid <= _PARANOID_OWN)
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
        "governor": _of_all_cores(machine, "scaling_governor"),
        "frequency_driver": _of_all_cores(machine, "scaling_driver"),
        "frequency_limits": _frequency_limits(machine),
        "frequency_now": _frequency_now(machine, info),
        "turbo": _turbo(machine),
        "smt": _yes_no(machine.text(f"{_CPU}/smt/active")),
        "core_kinds": _core_kinds(machine),
        "tsc_constant": {"constant_tsc", "nonstop_tsc"} <= info.flags if "tsc" in info.flags else None,
        "hardware_counters": _hardware_counters(machine),
        "perf_event_paranoid": paranoid,
        "perf_event_allowed": allowed,
        "kernel": machine.kernel(),
        "os": os_name(machine.text("/etc/os-release") or machine.text("/usr/lib/os-release") or ""),
        "libc": machine.libc(),
        "clocksource": machine.text("/sys/devices/system/clocksource/clocksource0/current_clocksource") or None,
        "virtualization": virtualization(machine, info.flags),
        "container": container(machine),
        "load": _load(machine.text("/proc/loadavg") or ""),
        "memory_bytes": _memory(memory, "MemTotal"),
        "swap_bytes": _memory(memory, "SwapTotal"),
        "page_size": machine.page_size(),
        "transparent_hugepages": _chosen(machine.text("/sys/kernel/mm/transparent_hugepage/enabled") or ""),
        "aslr": machine.number("/proc/sys/kernel/randomize_va_space"),
        "on_battery": _on_battery(machine),
        "battery_percent": _battery(machine),
        "throttle_count": machine.number(f"{_CPU}/cpu0/thermal_throttle/core_throttle_count"),
        "throttling": None if clock.flags is None else named(clock.flags),
        "throttling_earlier": None if clock.flags is None else named(earlier(clock.flags)),
        "firmware_clock": clock.firmware,
        "temperatures": dict(clock.temperatures) or None,
        "python": f"{platform.python_implementation()} {platform.python_version()}" if machine.here else None,
        "motebench": __version__ if machine.here else None,
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
    siblings = {machine.text(path) for path in machine.match(f"{_CPU}/cpu[0-9]*/topology/thread_siblings_list")}
    return len(siblings - {None}) or info.cores


def _of_all_cores(machine: LinuxSystem, name: str) -> str | None:
    found = {machine.text(path) for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}")}
    return ", ".join(sorted(value for value in found if value)) or None


def _frequency_limits(machine: LinuxSystem) -> dict[str, int] | None:
    """Over all cores: the lowest minimum and the highest maximum."""
    low, high = (
        [number for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}") if (number := machine.number(path))]
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
    found = kinds(machine)
    return [listed(kind) for kind in found] if len(found) > 1 else None


def _yes_no(text: str | None) -> bool | None:
    return {"1": True, "0": False}.get(text or "")


def _hardware_counters(machine: LinuxSystem) -> bool | None:
    """The kernel lists a source of events per kind of processor core: ``cpu``, ``cpu_core``, ``armv8_cortex_a53``."""
    sources = machine.match("/sys/bus/event_source/devices/*")
    if not sources:
        return None
    names = [path.rsplit("/", 1)[1] for path in sources]
    return any(re.fullmatch(r"cpu|cpu_core|cpu_atom|arm(v\w+|_pmu\w*)|apple_\w+_pmu", name) for name in names)


def _load(text: str) -> list[float] | None:
    try:
        one, five, fifteen = (float(word) for word in text.split()[:3])
    except ValueError:
        return None
    return [one, five, fifteen]


def _memory(text: str, line: str) -> int | None:
    found = re.search(rf"^{line}:\s*(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _chosen(text: str) -> str | None:
    """The bracketed word of ``always [madvise] never``."""
    found = re.search(r"\[(\w+)\]", text)
    return found[1] if found else None


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
    charges = [machine.number(f"{path}/capacity") for path in _supplies(machine, "Battery")]
    known = [charge for charge in charges if charge is not None]
    return min(known) if known else None
