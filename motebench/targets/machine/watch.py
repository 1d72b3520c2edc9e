"""Watches the clock of a machine from round to round of a run: did something slow it, and how fast was it?

The machine is read once a round, when no probe works: a reading costs nothing that is timed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from motebench.base.model import CLOCK, SLOWED
from motebench.targets.machine.clock import ClockReading, earlier, named, read_clock
from motebench.targets.machine.cores import CoreTimes, core_times, stolen_seconds
from motebench.targets.machine.machine import LinuxSystem

CHANGED = 0.02
"""The clock changed if it differs by more than this share."""
STOLEN = 0.01
"""A hypervisor disturbed a round if it took more than this share of it."""
_MOST_REASONS = 8
_HOLD = ("performance", "userspace")
"""Governors that hold the clock where it is, if the driver leaves it to them and nothing boosts it."""
_OWN_WAY = ("pstate", "cppc")
"""Parts of the names of drivers whose processors choose the clock themselves, whatever the governor."""


@dataclass
class _Range:
    """A number before the rounds, at its lowest and highest after a round, and after the last one."""

    before: float | None = None
    lowest: float | None = None
    highest: float | None = None
    after: float | None = None

    def add(self, value: float | None) -> None:
        self.after = value
        if value is not None:
            self.lowest = value if self.lowest is None else min(self.lowest, value)
            self.highest = value if self.highest is None else max(self.highest, value)

    def entry(self) -> dict[str, float]:
        found = {"before": self.before, "lowest": self.lowest, "highest": self.highest, "after": self.after}
        return {name: value for name, value in found.items() if value is not None}


class ClockWatch:
    """The clock of one machine during a run. ``steal``: whether a whole round is marked if a hypervisor took time; not
    needed where that is asked around each request."""

    def __init__(self, machine: LinuxSystem, *, steal: bool = False) -> None:
        self._machine, self._steal = machine, steal
        self._holds = _holds(machine)
        self._first: ClockReading | None = None
        self._before: dict[int | None, ClockReading] = {}
        self._last = ClockReading()
        self._times: Mapping[int, CoreTimes] = {}
        self._core: int | None = None
        self._frequency, self._firmware, self._temperature, self._load = _Range(), _Range(), _Range(), _Range()
        self._reasons: dict[str, None] = {}
        self._flags = 0
        self._since = 0
        self._stolen = 0.0
        self.rounds = 0
        """Rounds that were watched."""
        self.slowed = 0
        """Rounds in which something slowed the clock, or took the processor."""

    def begin(self, core: int | None = None) -> None:
        """A round begins, on that core or on any. Only the first one on a core reads: the end of a round is the
        beginning of the next."""
        self._core = core
        if core in self._before:
            return
        if self._first is None:
            self._machine.refresh()
        self._before[core] = read_clock(self._machine, core)
        if self._first is None:
            self._first = self._last = self._before[core]
            self._times = core_times(self._machine)
            self._frequency.before = self._clock(self._first)
            self._firmware.before = self._first.firmware
            self._temperature.before = self._first.hottest
            self._load.before = _load(self._machine)

    def end(self) -> str:
        """The round has ended: why its times should not be quoted, in words; empty if nothing slowed the clock."""
        if self._first is None:
            return ""
        self._machine.refresh()
        now, times = read_clock(self._machine, self._core), core_times(self._machine)
        self.rounds += 1
        self._frequency.add(self._clock(now))
        self._firmware.add(now.firmware)
        self._temperature.add(now.hottest)
        self._load.add(_load(self._machine))
        if now.flags is not None:
            self._flags |= now.flags
            self._since |= now.flags & ~(self._last.flags or 0) if self._last.flags is not None else 0
        slow = "; ".join([*self._throttled(now), *self._changed(now)])
        reasons = [*([f"{SLOWED}{slow}"] if slow else []), *self._taken(times)]
        self._last, self._times = now, times
        self._reasons.update(dict.fromkeys(reasons[: _MOST_REASONS - len(self._reasons)]))
        self.slowed += bool(reasons)
        return "; ".join(reasons)

    def _throttled(self, now: ClockReading) -> list[str]:
        """What the machine says that slowed it since the last reading."""
        said, last = [], self._last
        if now.flags is not None:
            # Only what was not set before the round came up in it; what was reported before is no news.
            new = earlier(now.flags & ~last.flags) if last.flags is not None else 0
            reasons = named(now.flags | (last.flags or 0) & 0xFFFF | new)
            if reasons:
                said.append(f"the firmware reports {', '.join(reasons)}")
        if now.heat is not None and last.heat is not None and now.heat > last.heat:
            said.append("the processor counted heat events")
        if now.cooling or (now.cooling is not None and last.cooling):
            said.append("the kernel lowered the clock because of heat")
        if now.low_voltage and now.flags is None:
            said.append("the voltage of the board was too low")
        return said

    def _changed(self, now: ClockReading) -> list[str]:
        """What changed of what should stay."""
        first = self._before[self._core]
        for core in sorted(first.limit.keys() & now.limit.keys()):
            if now.limit[core] < first.limit[core]:
                return [f"the highest clock was lowered from {_mhz(first.limit[core])} to {_mhz(now.limit[core])}"]
        if not self._holds:
            return []
        # All readings are of the cores that the probes use: one of them, or the fastest.
        for before, after in ((self._clock(first), self._clock(now)), (first.firmware, now.firmware)):
            if before and after and _differ(before, after):
                return [f"the clock was {_mhz(after)}, and {_mhz(before)} before the run"]
        return []

    def _taken(self, times: Mapping[int, CoreTimes]) -> list[str]:
        """What a hypervisor took of the core, or of one of them."""
        cores = None if self._core is None else (self._core,)
        taken = stolen_seconds(self._times, times, cores)
        self._stolen += taken
        if not self._steal:
            return []
        looked = set(self._times) & set(times) & (set(times) if cores is None else set(cores))
        ticks = max((times[core].total - self._times[core].total for core in looked), default=0)
        stolen = max((times[core].stolen - self._times[core].stolen for core in looked), default=0)
        if stolen - 1 <= STOLEN * ticks:
            return []
        return [f"the hypervisor took the core away for up to {taken * 1e3:.0f} ms in that round"]

    def _clock(self, reading: ClockReading) -> int | None:
        if self._core is not None and self._core in reading.frequency:
            return reading.frequency[self._core]
        return max(reading.frequency.values(), default=None)

    def notes(self) -> list[str]:
        """Sentences for readers of the run."""
        said = []
        if self.slowed:
            of = f"{self.slowed} of {self.rounds} rounds"
            said.append(f"{CLOCK}the times of {of} are marked: {'; '.join(self._reasons)}")
        low, high = self._frequency.lowest, self._frequency.highest
        if not self._holds and low and high and _differ(high, low):
            said.append(
                f"{CLOCK}it was between {_mhz(low)} and {_mhz(high)} after the rounds: the governor, or the processor "
                "itself, changes it, and times change with it"
            )
        return said

    def facts(self) -> dict[str, Any]:
        """For the record of the run; only what is known. Clocks in kHz, temperatures in degrees Celsius: before the
        first round, lowest and highest after a round, and after the last one."""
        ranges = {
            "frequency": self._frequency, "firmware_clock": self._firmware, "temperature": self._temperature,
            "load": self._load,
        }  # fmt: skip
        found: dict[str, Any] = {"rounds": self.rounds, "rounds_slowed": self.slowed}
        found.update({name: entry for name, each in ranges.items() if (entry := each.entry())})
        if self._first is not None and self._first.flags is not None:
            found["throttling"] = {
                "before": named(self._first.flags),
                "during": named(self._flags | earlier(self._since)),
                "after": named(self._last.flags or 0),
            }
        if self._reasons:
            found["slowed_by"] = list(self._reasons)
        if self._times:
            found["stolen_seconds"] = round(self._stolen, 3)
        return found


def _holds(machine: LinuxSystem) -> bool:
    """Whether the clock should stay where it is: its limits are equal, or the governor holds it."""

    def each(name: str) -> set[str]:
        paths = machine.match(f"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/{name}")
        return {text for path in paths if (text := machine.text(path))}

    low, high = each("scaling_min_freq"), each("scaling_max_freq")
    if len(low) == 1 and low == high:
        return True
    boost = machine.text("/sys/devices/system/cpu/cpufreq/boost") == "1"
    own = boost or any(part in driver for driver in each("scaling_driver") for part in _OWN_WAY)
    governors = each("scaling_governor")
    return not own and bool(governors) and governors <= set(_HOLD)


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > CHANGED * max(one, other)


def _mhz(khz: float) -> str:
    return f"{khz / 1000:.0f} MHz"


def _load(machine: LinuxSystem) -> float | None:
    """The load average over the last minute."""
    try:
        value = float((machine.text("/proc/loadavg") or "").split()[0])
    except (ValueError, IndexError):
        return None
    return value if 0 <= value < 1e6 else None
