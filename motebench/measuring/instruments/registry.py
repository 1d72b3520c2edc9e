"""From the name of an instrument to the instrument. Each imports the package of its maker only when it is opened."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError, SetupError
from motebench.base.naming import did_you_mean
from motebench.documents.meter import InstrumentsEntry, KindEntry
from motebench.measuring.instruments.base import WHERE, Instrument, split
from motebench.measuring.instruments.builtin import BatteryGauge, ByHand, Rapl, Sensor, batteries, sensors, zones
from motebench.measuring.instruments.ina219 import Ina219
from motebench.measuring.instruments.joulescope import Joulescope
from motebench.measuring.instruments.ppk2 import Ppk2

REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class Driver:
    """A kind of instrument. ``package``: the package for pip, and the module to import; None for files."""

    name: str
    what: str
    example: str
    package: str | None = None
    module: str | None = None


DRIVERS = (
    Driver("rapl", "energy counters of Intel and AMD processors", "rapl:intel-rapl:0"),
    Driver("battery", "the battery of this machine, as Linux shows it", "battery:BAT0"),
    Driver("hwmon", "power sensors of this machine, as Linux shows them", "hwmon:hwmon0/power1_input"),
    Driver("joulescope", "Joulescope JS110, JS220", "joulescope:js220", "pyjoulescope_driver", "pyjoulescope_driver"),
    Driver("ppk2", "Nordic Power Profiler Kit II", "ppk2:/dev/ttyACM0", "ppk2-api", "ppk2_api"),
    Driver("ina219", "INA219 sensor on I2C", "ina219:bus=1,address=0x40,shunt=0.1ohm", "pi-ina219", "ina219"),
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
    """The kind of a name. InputError if there is none."""
    name = split(text)[0]
    for driver in DRIVERS:
        if driver.name == name:
            return driver
    raise InputError(
        f"unknown instrument {name!r}", where=WHERE, valid=", ".join(driver.example for driver in DRIVERS),
        hint=did_you_mean(name, [driver.name for driver in DRIVERS]) or "motebench instruments",
    )  # fmt: skip


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
    """The instrument, ready to start. InputError for an invalid name; SetupError if it is unavailable.

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
            f"the driver of {driver.name} cannot be imported: {error}", hint=f"pip install {driver.package}"
        ) from None


def listing() -> InstrumentsEntry:
    """Every kind, its instruments on this machine, and what is missing. USB and I2C devices are not opened."""
    found = {
        "rapl": [f"rapl:{zone}" for zone in zones()],
        "battery": [f"battery:{name}" for name in batteries()],
        "hwmon": [f"hwmon:{name}" for name in sensors()],
    }
    kinds = []
    for driver in DRIVERS:
        here, lacking = found.get(driver.name), missing(driver)
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
