"""The clock of a machine's cores and what slows it, at one moment: frequencies, heat, power supply.

Nothing here waits or works: files and one answer of a Raspberry Pi's firmware are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from motebench.targets.machine.cores import core_of
from motebench.targets.machine.machine import LinuxSystem

_CPU = "/sys/devices/system/cpu"
_THERMAL = "/sys/class/thermal"
FLAGS = (
    (0, "under-voltage"),
    (1, "frequency capped"),
    (2, "throttled"),
    (3, "soft temperature limit"),
)
"""Bits of ``vcgencmd get_throttled`` that describe the present; 16 bits higher: since the board started.
https://www.raspberrypi.com/documentation/computers/os.html#get_throttled"""
_SINCE = 16
_MOST_KHZ = 20_000_000
SOME = 8
"""Cores whose clocks are read where no core is chosen."""
_HOTTEST = 200.0
"""Degrees Celsius; a sensor that says more, or less than its negative, is broken."""
# Cooling devices that work by lowering the clock: of cpufreq ("thermal-cpufreq-0", "cpufreq-cpu0") and of ACPI.
_LOWERS_CLOCK = re.compile(r"(thermal-)?cpufreq-\w+|Processor")


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the machine says at one moment. What is unknown is None, or not in a map."""

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
    """Raspberry Pi, by its driver for hardware monitoring: the voltage was too low since that was last looked at."""

    @property
    def hottest(self) -> float | None:
        """The highest temperature."""
        return max(self.temperatures.values(), default=None)


def read_clock(machine: LinuxSystem, core: int | None = None) -> ClockReading:
    """The reading of this moment. Clocks are those of ``core``; if None, of the first `SOME` cores: where the processor
    says its clock itself, each core may take the kernel 10 ms."""
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
    """The bits of what was since the board started, as if they were of the present."""
    return flags >> _SINCE


def _by_core(machine: LinuxSystem, name: str, core: int | None) -> dict[int, int]:
    if core is None:
        known = {core_of(path): path for path in machine.match(f"{_CPU}/cpu[0-9]*/cpufreq/{name}")}
        chosen = sorted(each for each in known if each is not None)[:SOME]
    else:
        chosen = [core]
    values = {each: machine.number(f"{_CPU}/cpu{each}/cpufreq/{name}") for each in chosen}
    return {each: value for each, value in values.items() if value is not None and 0 < value <= _MOST_KHZ}


def _firmware(machine: LinuxSystem) -> int | None:
    """``frequency(48)=1200126000``: clock and its rate in Hz."""
    said = _asked(machine, "measure_clock", "arm")
    found = re.fullmatch(r"frequency\(\d+\)=(\d{4,12})", said or "")
    khz = int(found[1]) // 1000 if found else 0
    return khz if 0 < khz <= _MOST_KHZ else None


def _flags(machine: LinuxSystem) -> int | None:
    # The kernel writes the bits in hexadecimal without a prefix; reading them clears none.
    text = machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        text = (_asked(machine, "get_throttled") or "").removeprefix("throttled=")
    return int(text, 16) if re.fullmatch(r"(0x)?[0-9a-fA-F]{1,8}", text) else None


def _asked(machine: LinuxSystem, *words: str) -> str | None:
    return machine.run(["vcgencmd", *words], timeout=5.0) if machine.which("vcgencmd") else None


def _temperatures(machine: LinuxSystem) -> dict[str, float]:
    found: dict[str, float] = {}
    for path in machine.match(f"{_THERMAL}/thermal_zone[0-9]*/temp"):
        value, name = machine.number(path), machine.text(path.removesuffix("temp") + "type")
        if value is not None and name and abs(value) <= _HOTTEST * 1000:
            found[name] = max(found.get(name, -_HOTTEST), value / 1000)
    return found


def _heat(machine: LinuxSystem) -> int | None:
    paths = machine.match(f"{_CPU}/cpu[0-9]*/thermal_throttle/core_throttle_count")
    known = [value for path in paths if (value := machine.number(path)) is not None and value >= 0]
    return sum(known) if known else None


def _cooling(machine: LinuxSystem) -> int | None:
    states = [
        machine.number(path.removesuffix("type") + "cur_state")
        for path in machine.match(f"{_THERMAL}/cooling_device[0-9]*/type")
        if _LOWERS_CLOCK.fullmatch(machine.text(path) or "")
    ]
    known = [state for state in states if state is not None]
    return sum(state > 0 for state in known) if known else None


def _low_voltage(machine: LinuxSystem) -> bool | None:
    for path in machine.match("/sys/class/hwmon/hwmon[0-9]*/name"):
        if machine.text(path) == "rpi_volt":
            return {"0": False, "1": True}.get(machine.text(path.removesuffix("name") + "in0_lcrit_alarm") or "")
    return None
