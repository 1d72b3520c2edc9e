"""The cores of this machine: their kinds, their siblings, their load, and the time that a
hypervisor took.

Everything is read from ``/proc/stat`` (proc_stat(5)) and ``/sys/devices`` through a `LinuxSystem`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from motebench.targets.machine.system import LinuxSystem

TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds of one tick of ``/proc/stat``."""
ALIKE = 0.9
"""Cores are of one kind if the slower reaches this share of the faster: boost clocks differ
slightly between cores."""
_CPU = "/sys/devices/system/cpu"
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
_MOST_CORES = 8192
_FASTEST = 10**9
"""Largest capacity or clock in kHz of a core."""
_COUNTED = 8
"""Fields of a line: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is in user
time already."""


@dataclass(frozen=True, slots=True)
class CoreTimes:
    """Ticks since the machine started: busy, all, and taken by a hypervisor."""

    busy: int
    total: int
    stolen: int


def core_times(machine: LinuxSystem) -> dict[int, CoreTimes]:
    """The times of each core by its number; empty if the system does not report them."""
    times = {}
    for line in (machine.text("/proc/stat") or "").splitlines():
        name, *fields = line.split()
        number = name.removeprefix("cpu")
        if not name.startswith("cpu") or not _core(number):
            continue
        ticks = [int(field) for field in fields[:_COUNTED] if field.isdecimal()]
        ticks += [0] * (_COUNTED - len(ticks))
        idle = ticks[_IDLE] + ticks[_IOWAIT]
        times[int(number)] = CoreTimes(sum(ticks) - idle, sum(ticks), ticks[_STEAL])
    return times


def busy_shares(
    before: Mapping[int, CoreTimes], after: Mapping[int, CoreTimes]
) -> dict[int, float]:
    """Each core's share of busy time between two readings; cores without elapsed time are left
    out."""
    return {
        core: (after[core].busy - before[core].busy) / passed
        for core in after
        if core in before and (passed := after[core].total - before[core].total) > 0
    }


def stolen_seconds(
    before: Mapping[int, CoreTimes],
    after: Mapping[int, CoreTimes],
    cores: Iterable[int] | None = None,
) -> float:
    """The longest time between two readings that a hypervisor took from one of the cores (None: of
    all), in seconds."""
    looked = set(before) & set(after) & (set(before) if cores is None else set(cores))
    return max((after[core].stolen - before[core].stolen for core in looked), default=0) * TICK


def numbers(text: str | None) -> frozenset[int]:
    """The cores in a list as the kernel writes it: ``0-3,8``. Empty for any other text."""
    cores: set[int] = set()
    for part in (text or "").split(","):
        low, _, high = part.strip().partition("-")
        if _core(low) and (_core(high) or not high):
            cores.update(range(int(low), int(high or low) + 1))
    return frozenset(cores)


def _core(text: str) -> bool:
    """True if the text is the number of a core: Linux has at most 8192."""
    return text.isdecimal() and len(text) <= 4 and int(text) < _MOST_CORES


def listed(cores: Iterable[int]) -> str:
    """The cores as a list in the kernel's form: ``0-3,8``."""
    parts: list[list[int]] = []
    for core in sorted(cores):
        if parts and core == parts[-1][-1] + 1:
            parts[-1].append(core)
        else:
            parts.append([core])
    return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def core_of(path: str) -> int | None:
    """The core that a path below ``/sys/devices/system/cpu`` is about; None if it is about none."""
    number = path.partition("/cpu/cpu")[2].partition("/")[0]
    return int(number) if _core(number) else None


def siblings(machine: LinuxSystem) -> dict[int, frozenset[int]]:
    """The other logical processors on the core of each logical processor."""
    others = {}
    for path in machine.match(f"{_CPU}/cpu[0-9]*/topology/thread_siblings_list"):
        core = core_of(path)
        if core is not None:
            others[core] = numbers(machine.text(path)) - {core}
    return others


def speeds(machine: LinuxSystem) -> dict[int, float]:
    """The speed of each core relative to the fastest (1.0): from ARM's ``cpu_capacity``, Intel's
    list of performance cores, or the highest clock. Empty if the system reports none of them."""
    by_capacity = _per_core(machine, "cpu_capacity")
    if by_capacity:
        return _relative(by_capacity)
    fast, slow = (
        numbers(machine.text(f"/sys/devices/{kind}/cpus")) for kind in ("cpu_core", "cpu_atom")
    )
    if fast and slow:
        return {**dict.fromkeys(fast, 1.0), **dict.fromkeys(slow, 0.5)}
    return _relative(_per_core(machine, "cpufreq/cpuinfo_max_freq"))


def kinds(machine: LinuxSystem) -> list[frozenset[int]]:
    """The cores by kind, fastest first; one kind if all are alike, none if nothing is known."""
    left = speeds(machine)
    by_speed = []
    while left:
        top = max(left.values())
        kind = frozenset(core for core, speed in left.items() if speed >= ALIKE * top)
        by_speed.append(kind)
        left = {core: speed for core, speed in left.items() if core not in kind}
    return by_speed


def _per_core(machine: LinuxSystem, name: str) -> dict[int, int]:
    values = {}
    for path in machine.match(f"{_CPU}/cpu[0-9]*/{name}"):
        core, value = core_of(path), machine.number(path)
        if core is not None and value and 0 < value <= _FASTEST:
            values[core] = value
    return values


def _relative(values: Mapping[int, int]) -> dict[int, float]:
    top = max(values.values(), default=0)
    return {core: value / top for core, value in values.items()}
