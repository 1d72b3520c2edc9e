"""Sources of noise on this machine: warnings as data, each with a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from motebench.targets.machine.facts import HostFacts, read_host

LOAD_PER_CORE = 0.5
"""Load average (1 minute) per logical processor above which other programs are likely to disturb a
measurement."""
LOW_BATTERY = 30
"""Percent of charge below which firmware may slow the processor."""
_GOOD_CLOCKS = frozenset({"tsc", "arch_sys_counter"})
# Both read the time-stamp counter without a system call: the hypervisor's page says how to scale
# it.
_VIRTUAL_CLOCKS = frozenset({"kvm-clock", "hyperv_clocksource_tsc_page"})


class Severity(StrEnum):
    """``warning``: results suffer. ``info``: useful to know when you read results."""

    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Advice:
    """Source of noise: the finding, why it matters, and the remedy (None without one)."""

    id: str
    severity: Severity
    what: str
    why: str
    remedy: str | None = None


def noise_sources(environment: Mapping[str, object]) -> list[Advice]:
    """Sources of noise that the environment shows, warnings first. Unknown facts give no advice."""
    host = read_host(environment)
    sources = [
        advice
        for look in (_clock_rate, _cores, _neighbours, _power, _instruments)
        for advice in look(host)
    ]
    return sorted(sources, key=lambda advice: advice.severity is Severity.INFO)


def _clock_rate(host: HostFacts) -> Iterator[Advice]:
    if host.governor and host.governor != "performance" and not host.frequency_fixed:
        yield Advice(
            "governor",
            Severity.WARNING,
            f"the frequency governor is {host.governor}",
            "the clock changes with the load, and times change with it",
            "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        )
    if host.turbo:
        yield Advice(
            "turbo",
            Severity.WARNING,
            "the clock may rise above its nominal rate (turbo, boost)",
            "how far it rises depends on heat and on what other cores do",
            "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
            if host.frequency_driver in ("intel_pstate", "intel_cpufreq")
            else "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
        )


def _cores(host: HostFacts) -> Iterator[Advice]:
    if host.core_kinds:
        yield Advice(
            "unlike-cores",
            Severity.WARNING,
            f"the cores are of {len(host.core_kinds)} kinds: {'; '.join(host.core_kinds)}",
            "the same code takes different times on each kind",
            "leave pinning on: probes then stay on the fastest kind, or on the core that --cpu "
            "names",
        )
    if host.smt:
        load = host.load
        used = bool(load and host.cores and load[0] > LOAD_PER_CORE * host.cores)
        yield Advice(
            "smt",
            Severity.WARNING if used else Severity.INFO,
            "cores run several threads at once"
            + (f", and {load[0]:.1f} of them have work" if load and used else ""),
            "work on the other thread of a core slows the one that is measured",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control",
        )


def _neighbours(host: HostFacts) -> Iterator[Advice]:
    hypervisor = host.virtualization
    if hypervisor not in (None, "none"):
        yield Advice(
            "virtual-machine",
            Severity.WARNING,
            f"this is a virtual machine ({hypervisor})",
            "other machines share the processor and take time that this machine cannot see",
            "measure on the hardware itself where the absolute numbers matter",
        )
    container = host.container
    if container not in (None, "none"):
        yield Advice(
            "container",
            Severity.INFO,
            f"this is a container ({container})",
            "limits on processor time may stop the process in the middle of a measurement",
            "give it whole processors: --cpuset-cpus rather than --cpus",
        )
    load, threads = host.load, host.threads
    if load and threads and threads > 0 and load[0] / threads > LOAD_PER_CORE:
        yield Advice(
            "load",
            Severity.WARNING,
            f"the load average is {load[0]:.2f} on {threads} logical processors",
            "other programs compete for the processor and its caches",
            "end other programs, or wait",
        )


def _power(host: HostFacts) -> Iterator[Advice]:
    if host.throttling:
        yield Advice(
            "throttled",
            Severity.WARNING,
            f"the firmware slows the processor: {', '.join(host.throttling)}",
            "the clock is below the rate the kernel reports",
            "use a stronger power supply or better cooling",
        )
    elif host.throttling_earlier:
        yield Advice(
            "throttled-earlier",
            Severity.INFO,
            "the firmware has slowed the processor since it started: "
            f"{', '.join(host.throttling_earlier)}",
            "it may do so again under load",
            "use a stronger power supply or better cooling",
        )
    if host.throttle_count:
        yield Advice(
            "heat",
            Severity.INFO,
            f"heat slowed the processor {host.throttle_count} times since the machine started",
            "long runs may be slower at their end than at their beginning",
            "improve the cooling",
        )
    charge = host.battery_percent
    if host.on_battery:
        low = charge is not None and charge < LOW_BATTERY
        yield Advice(
            "battery",
            Severity.WARNING,
            f"the machine runs on its battery{f', which is low ({charge} %)' if low else ''}",
            "power saving lowers and varies the clock",
            "connect the power supply",
        )


def _instruments(host: HostFacts) -> Iterator[Advice]:
    if host.hardware_counters is False:
        yield Advice(
            "no-cycle-counter",
            Severity.INFO,
            "the kernel offers no hardware event counters",
            "core cycles cannot be counted; the time-stamp counter is used instead, which counts "
            "time and not work",
        )
    elif host.perf_event_allowed is False:
        yield Advice(
            "perf-event",
            Severity.WARNING,
            "event counters may not be read (kernel.perf_event_paranoid is "
            f"{host.perf_event_paranoid})",
            "core cycles cannot be counted",
            "sudo sysctl kernel.perf_event_paranoid=2",
        )
    if host.tsc_constant is False:
        yield Advice(
            "tsc",
            Severity.WARNING,
            "the time-stamp counter changes its rate with the processor's power state",
            "it cannot be read as time",
        )
    clock = host.clocksource
    if clock and clock not in _GOOD_CLOCKS:
        virtual = clock in _VIRTUAL_CLOCKS
        yield Advice(
            "clocksource",
            Severity.INFO if virtual else Severity.WARNING,
            f"the kernel takes time from {clock}",
            "reading it costs more than reading the processor's own counter"
            if virtual
            else "reading it is slow or coarse",
            None
            if virtual
            else (
                "the kernel's log says why it does not use the processor's own counter: dmesg | "
                "grep -i clocksource"
            ),
        )
    if host.aslr == 0:
        yield Advice(
            "aslr",
            Severity.INFO,
            "address-space layout randomisation is off",
            "every run measures the same memory layout, so results do not show how much they "
            "depend on it",
            "sudo sysctl kernel.randomize_va_space=2",
        )
