"""Instruments by name. Those here need no package; a package of a maker is imported when its
instrument is opened.

RAPL: /sys/class/powercap, Documentation/power/powercap/powercap.rst of the kernel. ``energy_uj``
counts microjoules and restarts at 0 after ``max_energy_range_uj``; the processor updates it about
every millisecond (Intel SDM, volume 3B, RAPL). Batteries and sensors: /sys/class/power_supply and
/sys/class/hwmon; files and units (microvolts, microamperes, microwatts) are those of
Documentation/ABI/testing/sysfs-class-power and Documentation/hwmon/sysfs-interface.rst.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError, SetupError
from motebench.base.naming import did_you_mean
from motebench.base.units import parse_quantity
from motebench.documents.meter import InstrumentsEntry, KindEntry
from motebench.measuring.instruments.base import (
    WHERE,
    Clock,
    Info,
    Instrument,
    InstrumentLost,
    Pace,
    PowerSample,
    Shape,
    read,
    split,
)
from motebench.measuring.instruments.makers import Ina219, Joulescope, Ppk2

ROOT = Path("/sys/class/powercap")
_MOST_W = 1000.0
"""Watts above those of any processor. The counter must not wrap at this power between two
readings.
"""


def zones(root: Path = ROOT) -> dict[str, str]:
    """Counters by the name of their folder, with the name of the counted part."""
    names = {}
    for path in sorted(root.glob("intel-rapl:*")):
        try:
            names[path.name] = (path / "name").read_text().strip()
        except OSError:
            continue
    return names


class Rapl:
    """An `Instrument`. Setting: ``zone``, by default the only package."""

    def __init__(self, text: str, root: Path = ROOT) -> None:
        counted = zones(root)
        packages = [zone for zone, counts in counted.items() if counts.startswith("package")]
        zone = read(text, ("zone",)).get("zone") or (packages[0] if len(packages) == 1 else None)
        if not counted:
            raise SetupError(
                f"there is no RAPL counter in {root}",
                hint="it needs an Intel or AMD processor, not a virtual machine, and the module "
                "intel_rapl_msr",
            )
        if zone not in counted:
            problem = (
                f"unknown counter {zone!r}"
                if zone
                else "there are several counters, and none is chosen"
            )
            valid = ", ".join(f"rapl:{name} ({counts})" for name, counts in counted.items())
            raise InputError(problem, where=WHERE, valid=valid)
        self._folder = root / zone
        self.info = Info(
            name=f"rapl:{zone}",
            measures=f"the processor's {counted[zone]}, as it estimates itself",
            shape=Shape.MEAN,
            rate_hz=100.0,
            accuracy=None,
            accuracy_of="the makers of processors state no accuracy for RAPL",
            timing_s=0.001,
            counts=True,
            polled=True,
        )
        try:
            self._range = self._number("max_energy_range_uj")
            self._last = self._number("energy_uj")
        except PermissionError as error:
            raise SetupError(
                f"{error.filename} may not be read", hint=f"as root: chmod a+r {error.filename}"
            ) from None
        except OSError as error:
            raise SetupError(f"{error.filename} cannot be read: {error.strerror}") from None
        self._time: float | None = None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._pace = Pace(clock, self.info.period_s)

    def read(self) -> list[PowerSample]:
        """The mean power since the last reading."""
        now, count = self._pace.wait(), self._number("energy_uj")
        if self._time is None:
            self._time, self._last = now, count
            return [PowerSample(now, 0.0)]
        seconds = now - self._time
        if seconds <= 0:
            return []
        if seconds * _MOST_W * 1e6 > self._range:
            raise InstrumentLost(
                f"was not read for {seconds:.0f} s: its counter may have begun again more than once"
            )
        used = count - self._last if count >= self._last else count - self._last + self._range
        self._time, self._last = now, count
        return [PowerSample(now, used * 1e-6 / seconds)]

    def stop(self) -> None:
        """Do nothing: no resource is held."""

    def _number(self, name: str) -> int:
        text = (self._folder / name).read_text()
        try:
            return int(text)
        except ValueError:
            raise InstrumentLost(
                f"{self._folder / name} contains {text.strip()!r}, which is not a number"
            ) from None


SUPPLIES = Path("/sys/class/power_supply")
SENSORS = Path("/sys/class/hwmon")
_SENSOR_FILES = ("power*_input", "power*_average")


def batteries(root: Path = SUPPLIES) -> list[str]:
    """Names of batteries that report their power."""
    return [path.name for path in sorted(root.glob("*")) if _power_files(path)]


def sensors(root: Path = SENSORS) -> list[str]:
    """Names of power sensors, as CHIP/FILE."""
    return [
        f"{path.parent.name}/{path.name}"
        for name in _SENSOR_FILES
        for path in sorted(root.glob(f"*/{name}"))
    ]


def _power_files(folder: Path) -> tuple[str, ...]:
    for names in (("power_now",), ("current_now", "voltage_now")):
        if all((folder / name).exists() for name in names):
            return names
    return ()


def _micro(path: Path) -> float:
    text = path.read_text()
    try:
        return int(text) * 1e-6
    except ValueError:
        raise InstrumentLost(f"{path} contains {text.strip()!r}, which is not a number") from None


def _choose(text: str, key: str, devices: list[str], root: Path) -> str:
    name, chosen = text.partition(":")[0], read(text, (key,)).get(key)
    if not devices:
        raise SetupError(f"no {name} in {root} reports a power", hint="motebench instruments")
    if chosen is None and len(devices) == 1:
        return devices[0]
    if chosen not in devices:
        problem = (
            f"unknown {name} {chosen!r}"
            if chosen
            else f"there are several of {name}, and none is chosen"
        )
        raise InputError(
            problem, where=WHERE, valid=", ".join(f"{name}:{entry}" for entry in devices)
        )
    return chosen


class BatteryGauge:
    """An `Instrument`. Setting: ``name``, by default the only battery."""

    def __init__(self, text: str, root: Path = SUPPLIES) -> None:
        name = _choose(text, "name", batteries(root), root)
        self._folder = root / name
        self._files = _power_files(self._folder)
        self.info = Info(
            name=f"battery:{name}",
            measures="all that the battery gives",
            shape=Shape.POINT,
            rate_hz=4.0,
            accuracy=None,
            accuracy_of="the kernel states no accuracy for batteries, nor how often they are read",
            polled=True,
        )
        try:
            self._reading()
        except OSError as error:
            raise SetupError(f"{error.filename} cannot be read: {error.strerror}") from None
        except InstrumentLost as error:
            raise SetupError(error.what) from None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._pace = Pace(clock, self.info.period_s)

    def read(self) -> list[PowerSample]:
        """The power now."""
        now = self._pace.wait()
        watts, volts, amps = self._reading()
        return [PowerSample(now, watts, volts, amps)]

    def stop(self) -> None:
        """Do nothing: no resource is held."""

    def _reading(self) -> tuple[float, float | None, float | None]:
        status = self._folder / "status"
        if status.exists() and (state := status.read_text().strip()) not in (
            "Discharging",
            "Unknown",
        ):
            raise InstrumentLost(
                f"the battery is {state.lower()}: its power is not that of this machine"
            )
        # Some drivers report discharge as negative.
        values = [abs(_micro(self._folder / name)) for name in self._files]
        if len(values) == 1:
            return values[0], None, None
        return values[0] * values[1], values[1], values[0]


class Sensor:
    """An `Instrument`. Setting: ``file``, by default the only power sensor."""

    def __init__(self, text: str, root: Path = SENSORS) -> None:
        name = _choose(text, "file", sensors(root), root)
        self._path = root / name
        self.info = Info(
            name=f"hwmon:{name}",
            measures="what the sensor is wired to",
            shape=Shape.POINT,
            rate_hz=20.0,
            accuracy=None,
            accuracy_of="the kernel states no accuracy for power sensors",
            polled=True,
        )
        try:
            _micro(self._path)
        except OSError as error:
            raise SetupError(f"{error.filename} cannot be read: {error.strerror}") from None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._pace = Pace(clock, self.info.period_s)

    def read(self) -> list[PowerSample]:
        """The power now."""
        return [PowerSample(self._pace.wait(), _micro(self._path))]

    def stop(self) -> None:
        """Do nothing: no resource is held."""


# A meter that the user reads


_JOULES_PER_WH = 3600.0


class ByHand:
    """An `Instrument`. Setting: ``digit``, the step of the last digit."""

    def __init__(self, text: str) -> None:
        digit = read(text, ("digit",)).get("digit")
        if digit is None:
            raise InputError(
                "the step of the meter's last digit is missing",
                where=WHERE,
                valid="by-hand:0.01Wh, by-hand:1J",
            )
        step = parse_quantity(digit, "Wh", where=f"{WHERE}: digit")
        if step <= 0:
            raise InputError(
                f"the step of the last digit is {digit}", where=WHERE, valid="more than 0"
            )
        self.info = Info(
            name="by-hand",
            measures="what is plugged into the meter, with its power supply",
            shape=Shape.MEAN,
            rate_hz=None,
            accuracy=None,
            accuracy_of="no accuracy is known for a meter that is read by hand; the bounds "
            "include its "
            "last digit",
            resolution_j=step * _JOULES_PER_WH,
            counts=True,
        )
        self._last: tuple[float, float] | None = None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._clock = clock

    def read(self) -> list[PowerSample]:
        """Ask until a plausible energy is entered. InstrumentLost at the end of the input."""
        while True:
            print(
                "energy on the meter now, for example 12.34Wh: ",
                end="",
                file=sys.stderr,
                flush=True,
            )
            line = sys.stdin.readline()
            now = self._clock()
            if not line:
                raise InstrumentLost("no reading was entered")
            try:
                joules = parse_quantity(line.strip(), "Wh", where="reading") * _JOULES_PER_WH
            except InputError as error:
                print(error, file=sys.stderr)
                continue
            if self._last is None:
                self._last = now, joules
                return [PowerSample(now, 0.0)]
            t, before = self._last
            if joules < before:
                print("that is less than before; meters count upwards", file=sys.stderr)
                continue
            self._last = now, joules
            return [PowerSample(now, (joules - before) / (now - t))]

    def stop(self) -> None:
        """Do nothing: no resource is held."""


REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class Driver:
    """A kind of instrument. ``package``: the package for pip, and the module to import; None for
    files.
    """

    name: str
    what: str
    example: str
    package: str | None = None
    module: str | None = None


DRIVERS = (
    Driver("rapl", "energy counters of Intel and AMD processors", "rapl:intel-rapl:0"),
    Driver("battery", "the battery of this machine, as Linux shows it", "battery:BAT0"),
    Driver(
        "hwmon", "power sensors of this machine, as Linux shows them", "hwmon:hwmon0/power1_input"
    ),
    Driver(
        "joulescope",
        "Joulescope JS110, JS220",
        "joulescope:js220",
        "pyjoulescope_driver",
        "pyjoulescope_driver",
    ),
    Driver("ppk2", "Nordic Power Profiler Kit II", "ppk2:/dev/ttyACM0", "ppk2-api", "ppk2_api"),
    Driver(
        "ina219",
        "INA219 sensor on I2C",
        "ina219:bus=1,address=0x40,shunt=0.1ohm",
        "pi-ina219",
        "ina219",
    ),
    Driver("by-hand", "a meter that you read by hand", "by-hand:0.01Wh"),
    Driver(REPLAY, "a recording", "replay:FILE"),
)


READS_NO_VOLTAGE = "ppk2"
_CLASSES: Mapping[str, Callable[[str], Instrument]] = {
    "rapl": Rapl,
    "battery": BatteryGauge,
    "hwmon": Sensor,
    "joulescope": Joulescope,
    "ina219": Ina219,
    "by-hand": ByHand,
}
"""The class of each kind that reads a voltage, or needs none."""


def find(text: str) -> Driver:
    """Driver of a name. InputError for an unknown one."""
    name = split(text)[0]
    for driver in DRIVERS:
        if driver.name == name:
            return driver
    raise InputError(
        f"unknown instrument {name!r}",
        where=WHERE,
        valid=", ".join(driver.example for driver in DRIVERS),
        hint=did_you_mean(name, [driver.name for driver in DRIVERS]) or "motebench instruments",
    )


def missing(driver: Driver) -> str | None:
    """The package that must be installed; None if nothing is missing."""
    if driver.module is None or importlib.util.find_spec(driver.module) is not None:
        return None
    return f"pip install {driver.package}"


def replayed(text: str) -> Path | None:
    """The file of ``replay:FILE``; None for anything else."""
    driver, (_, path) = find(text), split(text)
    if driver.name != REPLAY:
        return None
    if not path:
        raise InputError("no recording is given", where=WHERE, valid="replay:FILE")
    return Path(path)


def open_instrument(text: str, volts: float | None) -> Instrument:
    """The instrument, ready to start. InputError for an invalid name; SetupError if it is
    unavailable.

    ``volts``: the voltage of the supply, for instruments that read only currents.
    """
    driver = find(text)
    lacking = missing(driver)
    if lacking:
        raise SetupError(f"the driver of {driver.name} is not installed", hint=lacking)
    try:
        return Ppk2(text, volts) if driver.name == READS_NO_VOLTAGE else _CLASSES[driver.name](text)
    except ImportError as error:
        raise SetupError(
            f"the driver of {driver.name} cannot be imported: {error}",
            hint=f"pip install {driver.package}",
        ) from None


def listing() -> InstrumentsEntry:
    """Kinds of instruments, those on this machine, and their missing needs. USB and I2C devices are
    not opened.
    """
    connected = {
        "rapl": [f"rapl:{zone}" for zone in zones()],
        "battery": [f"battery:{name}" for name in batteries()],
        "hwmon": [f"hwmon:{name}" for name in sensors()],
    }
    kinds = []
    for driver in DRIVERS:
        here, lacking = connected.get(driver.name), missing(driver)
        if here is not None and not here:
            lacking = "this machine shows none"
        kinds.append(
            KindEntry(
                instrument=driver.name,
                what=driver.what,
                usable=lacking is None,
                here=", ".join(here) if here else None,
                missing=lacking,
                example=driver.example,
            )
        )
    return InstrumentsEntry(instruments=tuple(kinds))
