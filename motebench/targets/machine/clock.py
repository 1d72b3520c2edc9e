"""Clock of a machine's cores, and causes of a slower clock: at one moment, and from round to round
of a run.

Nothing here waits or works: files and one answer of a Raspberry Pi's firmware are read. A run reads
them once a round, when no probe works: a reading costs nothing that is timed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motebench.base.model import CLOCK, SLOWED
from motebench.targets.machine.cores import CoreTimes, core_of, core_times, stolen_seconds
from motebench.targets.machine.system import LinuxSystem

_CPU = "/sys/devices/system/cpu"
_THERMAL = "/sys/class/thermal"
FLAGS = (
    (0, "under-voltage"),
    (1, "frequency capped"),
    (2, "throttled"),
    (3, "soft temperature limit"),
)
"""Bits of ``vcgencmd get_throttled`` that describe the present; 16 bits higher: since the board
started. https://www.raspberrypi.com/documentation/computers/os.html#get_throttled"""
_SINCE = 16
_MOST_KHZ = 20_000_000
SOME = 8
"""Cores whose clocks are read where no core is chosen."""
_HOTTEST = 200.0
"""Degrees Celsius; a sensor that says more, or less than its negative, is broken."""
# Cooling devices that work by lowering the clock: of cpufreq ("thermal-cpufreq-0", "cpufreq-cpu0")
# and of ACPI.
_LOWERS_CLOCK = re.compile(r"(thermal-)?cpufreq-\w+|Processor")
CHANGED = 0.02
"""The clock changed if it differs by more than this share."""
STOLEN = 0.01
"""A hypervisor disturbed a round if it took more than this share of it."""
_MOST_REASONS = 8
_HOLD = ("performance", "userspace")
"""Governors that hold the clock where it is, if the driver leaves it to them and nothing boosts
it."""
_OWN_WAY = ("pstate", "cppc")
"""Parts of the names of drivers whose processors choose the clock themselves, whatever the
governor."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Frequencies, heat and power supply of one moment. What is unknown is None, or not in a
    map."""

    frequency: Mapping[int, int] = field(default_factory=dict)
    """Clock of each core in kHz, as the kernel set it."""
    limit: Mapping[int, int] = field(default_factory=dict)
    """Highest clock in kHz that the governor may choose for each core."""
    firmware: int | None = None
    """Raspberry Pi: the clock in kHz that the firmware measures."""
    temperatures: Mapping[str, float] = field(default_factory=dict)
    """Degrees Celsius by the name of the sensor; of several with one name the highest."""
    flags: int | None = None
    """Raspberry Pi: the bits of `FLAGS`."""
    heat: int | None = None
    """x86: how often heat slowed a core since the machine started, over all cores."""
    cooling: int | None = None
    """Cooling devices that lower the clock now."""
    low_voltage: bool | None = None
    """Raspberry Pi, by its driver for hardware monitoring: the voltage was too low since that was
    last looked at."""

    @property
    def hottest(self) -> float | None:
        """The highest temperature."""
        return max(self.temperatures.values(), default=None)


def read_clock(machine: LinuxSystem, core: int | None = None) -> ClockReading:
    """Current reading. Clocks are those of ``core``; if None, of the first `SOME` cores: where the
    processor reports its clock itself, each core may take the kernel 10 ms.
    """
    return ClockReading(
        frequency=_by_core(machine, "scaling_cur_freq", core),
        limit=_by_core(machine, "scaling_max_freq", core),
        firmware=_firmware(machine),
        temperatures=_temperatures(machine),
        flags=_flags(machine),
        heat=_heat(machine),
        cooling=_cooling(machine),
        low_voltage=_low_voltage(machine),
    )


def named(flags: int) -> list[str]:
    """The reasons of the present in these bits."""
    return [name for bit, name in FLAGS if flags >> bit & 1]


def earlier(flags: int) -> int:
    """Bits of conditions since the start of the board, in the form of the current ones."""
    return flags >> _SINCE


def _by_core(machine: LinuxSystem, name: str, core: int | None) -> dict[int, int]:
    if core is None:
        numbers = {core_of(path) for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}")}
        cores = sorted(number for number in numbers if number is not None)[:SOME]
    else:
        cores = [core]
    values = {number: machine.number(f"{_CPU}/cpu{number}/cpufreq/{name}") for number in cores}
    return {
        number: khz for number, khz in values.items() if khz is not None and 0 < khz <= _MOST_KHZ
    }


def _firmware(machine: LinuxSystem) -> int | None:
    """``frequency(48)=1200126000``: clock and its rate in Hz."""
    answer = _vcgencmd(machine, "measure_clock", "arm")
    rate = re.fullmatch(r"frequency\(\d+\)=(\d{4,12})", answer or "")
    khz = int(rate[1]) // 1000 if rate else 0
    return khz if 0 < khz <= _MOST_KHZ else None


def _flags(machine: LinuxSystem) -> int | None:
    # The kernel writes the bits in hexadecimal without a prefix; reading them clears none.
    text = machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        text = (_vcgencmd(machine, "get_throttled") or "").removeprefix("throttled=")
    return int(text, 16) if re.fullmatch(r"(0x)?[0-9a-fA-F]{1,8}", text) else None


def _vcgencmd(machine: LinuxSystem, *arguments: str) -> str | None:
    return machine.run(["vcgencmd", *arguments], timeout=5.0) if machine.which("vcgencmd") else None


def _temperatures(machine: LinuxSystem) -> dict[str, float]:
    degrees: dict[str, float] = {}
    for path in machine.match(f"{_THERMAL}/thermal_zone[0-9]*/temp"):
        value, name = machine.number(path), machine.text(path.removesuffix("temp") + "type")
        if value is not None and name and abs(value) <= _HOTTEST * 1000:
            degrees[name] = max(degrees.get(name, -_HOTTEST), value / 1000)
    return degrees


def _heat(machine: LinuxSystem) -> int | None:
    paths = machine.match(f"{_CPU}/cpu[0-9]*/thermal_throttle/core_throttle_count")
    counts = [count for path in paths if (count := machine.number(path)) is not None and count >= 0]
    return sum(counts) if counts else None


def _cooling(machine: LinuxSystem) -> int | None:
    readings = [
        machine.number(path.removesuffix("type") + "cur_state")
        for path in machine.match(f"{_THERMAL}/cooling_device[0-9]*/type")
        if _LOWERS_CLOCK.fullmatch(machine.text(path) or "")
    ]
    states = [state for state in readings if state is not None]
    return sum(state > 0 for state in states) if states else None


def _low_voltage(machine: LinuxSystem) -> bool | None:
    for path in machine.match("/sys/class/hwmon/hwmon[0-9]*/name"):
        if machine.text(path) == "rpi_volt":
            return {"0": False, "1": True}.get(
                machine.text(path.removesuffix("name") + "in0_lcrit_alarm") or ""
            )
    return None


@dataclass
class _Range:
    """A number before the rounds, at its lowest and highest after a round, and after the last
    one."""

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
        values = {
            "before": self.before,
            "lowest": self.lowest,
            "highest": self.highest,
            "after": self.after,
        }
        return {name: value for name, value in values.items() if value is not None}


class ClockWatch:
    """Clock of one machine during a run. ``steal``: mark a whole round if a hypervisor took time;
    not needed where each request is checked.
    """

    def __init__(self, machine: LinuxSystem, *, steal: bool = False) -> None:
        self._machine, self._steal = machine, steal
        self._holds = _holds(machine)
        self._first: ClockReading | None = None
        self._before: dict[int | None, ClockReading] = {}
        self._last = ClockReading()
        self._times: Mapping[int, CoreTimes] = {}
        self._core: int | None = None
        self._frequency, self._firmware, self._temperature, self._load = (
            _Range(),
            _Range(),
            _Range(),
            _Range(),
        )
        self._reasons: dict[str, None] = {}
        self._flags = 0
        self._since = 0
        self._stolen = 0.0
        self.rounds = 0
        """Rounds that were watched."""
        self.slowed = 0
        """Rounds in which something slowed the clock, or took the processor."""

    def begin(self, core: int | None = None) -> None:
        """A round begins, on that core or on any. Only the first one on a core reads: the end of a
        round is the beginning of the next."""
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
        """The round has ended: why its times should not be quoted, in words; empty if nothing
        slowed the clock."""
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
            self._since |= (
                now.flags & ~(self._last.flags or 0) if self._last.flags is not None else 0
            )
        slow = "; ".join([*self._throttled(now), *self._changed(now)])
        reasons = [*([f"{SLOWED}{slow}"] if slow else []), *self._taken(times)]
        self._last, self._times = now, times
        self._reasons.update(dict.fromkeys(reasons[: _MOST_REASONS - len(self._reasons)]))
        self.slowed += bool(reasons)
        return "; ".join(reasons)

    def _throttled(self, now: ClockReading) -> list[str]:
        """Causes for which the machine slowed itself since the last reading, as it reports them."""
        causes, last = [], self._last
        if now.flags is not None:
            # Only what was not set before the round came up in it; what was reported before is no
            # news.
            new = earlier(now.flags & ~last.flags) if last.flags is not None else 0
            reasons = named(now.flags | (last.flags or 0) & 0xFFFF | new)
            if reasons:
                causes.append(f"the firmware reports {', '.join(reasons)}")
        if now.heat is not None and last.heat is not None and now.heat > last.heat:
            causes.append("the processor counted heat events")
        if now.cooling or (now.cooling is not None and last.cooling):
            causes.append("the kernel lowered the clock because of heat")
        if now.low_voltage and now.flags is None:
            causes.append("the voltage of the board was too low")
        return causes

    def _changed(self, now: ClockReading) -> list[str]:
        """Changes of the clock, where it should stay."""
        first = self._before[self._core]
        for core in sorted(first.limit.keys() & now.limit.keys()):
            if now.limit[core] < first.limit[core]:
                return [
                    (
                        f"the highest clock was lowered from {_mhz(first.limit[core])} to "
                        f"{_mhz(now.limit[core])}"
                    )
                ]
        if not self._holds:
            return []
        # All readings are of the cores that the probes use: one of them, or the fastest.
        for before, after in (
            (self._clock(first), self._clock(now)),
            (first.firmware, now.firmware),
        ):
            if before and after and _differ(before, after):
                return [f"the clock was {_mhz(after)}, and {_mhz(before)} before the run"]
        return []

    def _taken(self, times: Mapping[int, CoreTimes]) -> list[str]:
        """Time that a hypervisor took from the core, or from one of them, if that disturbed the
        round."""
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
        notes = []
        if self.slowed:
            share = f"{self.slowed} of {self.rounds} rounds"
            notes.append(f"{CLOCK}the times of {share} are marked: {'; '.join(self._reasons)}")
        low, high = self._frequency.lowest, self._frequency.highest
        if not self._holds and low and high and _differ(high, low):
            notes.append(
                f"{CLOCK}it was between {_mhz(low)} and {_mhz(high)} after the rounds: the "
                "governor, or the processor itself, changes it, and times change with it"
            )
        return notes

    def facts(self) -> dict[str, Any]:
        """Facts for the record of the run; unknown ones are left out. Clocks in kHz, temperatures
        in degrees Celsius: before the first round, lowest and highest after a round, and after the
        last one.
        """
        ranges = {
            "frequency": self._frequency,
            "firmware_clock": self._firmware,
            "temperature": self._temperature,
            "load": self._load,
        }
        facts: dict[str, Any] = {"rounds": self.rounds, "rounds_slowed": self.slowed}
        facts.update({name: entry for name, range_ in ranges.items() if (entry := range_.entry())})
        if self._first is not None and self._first.flags is not None:
            facts["throttling"] = {
                "before": named(self._first.flags),
                "during": named(self._flags | earlier(self._since)),
                "after": named(self._last.flags or 0),
            }
        if self._reasons:
            facts["slowed_by"] = list(self._reasons)
        if self._times:
            facts["stolen_seconds"] = round(self._stolen, 3)
        return facts


def _holds(machine: LinuxSystem) -> bool:
    """True if the clock should stay where it is: its limits are equal, or the governor holds it."""

    def values(name: str) -> set[str]:
        paths = machine.match(f"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/{name}")
        return {text for path in paths if (text := machine.text(path))}

    low, high = values("scaling_min_freq"), values("scaling_max_freq")
    if len(low) == 1 and low == high:
        return True
    boost = machine.text("/sys/devices/system/cpu/cpufreq/boost") == "1"
    own = boost or any(part in driver for driver in values("scaling_driver") for part in _OWN_WAY)
    governors = values("scaling_governor")
    return not own and bool(governors) and governors <= set(_HOLD)


def _differ(first: float, second: float) -> bool:
    return abs(first - second) > CHANGED * max(first, second)


def _mhz(khz: float) -> str:
    return f"{khz / 1000:.0f} MHz"


def _load(machine: LinuxSystem) -> float | None:
    """The load average over the last minute."""
    try:
        value = float((machine.text("/proc/loadavg") or "").split()[0])
    except (ValueError, IndexError):
        return None
    return value if 0 <= value < 1e6 else None
