"""Instruments that need a package of their maker's or for them; it is imported when the instrument
is opened.

Joulescope JS110 and JS220 by pyjoulescope_driver, Nordic Power Profiler Kit II by ppk2-api, INA219
by pi-ina219.
"""

from __future__ import annotations

import importlib
import queue
import time
from collections.abc import Sequence
from typing import Any, TypedDict

from motebench.base.errors import InputError, SetupError
from motebench.base.units import parse_percent, parse_quantity
from motebench.measuring.instruments.base import (
    WHERE,
    Clock,
    Info,
    InstrumentLost,
    Pace,
    PowerSample,
    Shape,
    read,
    whole,
)

_JOULESCOPE = "pyjoulescope_driver"
_RATE = 50
_SILENCE_S = 2.0
"""Seconds without a block after which the instrument counts as lost."""
_ON: dict[str, tuple[tuple[str, object], ...]] = {
    "js110": (
        ("s/i/range/select", "auto"),
        ("s/i/ctrl", "on"),
        ("s/v/ctrl", "on"),
        ("s/p/ctrl", "on"),
        ("s/stats/scnt", 2_000_000 // _RATE),
        ("s/stats/ctrl", "on"),
    ),
    "js220": (
        ("s/i/range/mode", "auto"),
        ("s/stats/scnt", 1_000_000 // _RATE),
        ("s/stats/ctrl", 1),
    ),
}
"""The settings that switch blocks on, by model; ``scnt`` is their length in samples, of 2 MHz and 1
MHz."""
_OFF: dict[str, object] = {"js110": "off", "js220": 0}

_SIGNALS = ("voltage", "current", "power")


class _Value(TypedDict):
    value: float


class _SampleRange(TypedDict):
    value: Sequence[int]
    """Numbers of the first sample, and of the sample after the last."""


class _JoulescopeTime(TypedDict):
    samples: _SampleRange
    sample_freq: _Value


class _Signal(TypedDict):
    avg: _Value


class _JoulescopeBlock(TypedDict):
    """Fields of the driver's message for a block of samples that are read here."""

    time: _JoulescopeTime
    signals: dict[str, _Signal]


class Joulescope:
    """Joulescope, an `Instrument`. Setting: ``device``, part of its path, such as the serial
    number.
    """

    def __init__(self, text: str) -> None:
        device = read(text, ("device",)).get("device", "")
        module = importlib.import_module(_JOULESCOPE)
        self._driver: Any = module.Driver()
        try:
            self._path, self._model = self._choose(device)
            try:
                self._driver.open(self._path)
            except Exception as error:
                raise SetupError(
                    f"{self._path} cannot be opened: {error}",
                    hint="another program may use it, or udev rules may be missing",
                ) from None
        except BaseException:
            self._driver.finalize()
            raise
        self._blocks: queue.SimpleQueue[tuple[_JoulescopeBlock, float]] = queue.SimpleQueue()
        self._origin: float | None = None
        self._end: int | None = None
        self.info = Info(
            name=f"joulescope:{self._path}",
            measures="what flows through it, at the voltage behind it",
            shape=Shape.MEAN,
            rate_hz=float(_RATE),
            accuracy=None,
            accuracy_of="it differs by range and model (data sheet), and which ranges were "
            "used is not "
            "recorded",
            timing_s=0.05,
        )

    def _choose(self, serial_number: str) -> tuple[str, str]:
        paths = [str(path) for path in self._driver.device_paths()]
        fitting = [path for path in paths if serial_number in path]
        if not fitting:
            problem = (
                f"no Joulescope fits {serial_number!r}"
                if serial_number and paths
                else "no Joulescope is connected"
            )
            raise SetupError(problem, valid=", ".join(paths) or None)
        if len(fitting) > 1:
            raise InputError(
                "several Joulescopes are connected", where=WHERE, valid=", ".join(fitting)
            )
        model = next((name for name in _ON if name in fitting[0]), None)
        if model is None:
            raise SetupError(f"{fitting[0]} is an unknown model", valid=", ".join(_ON))
        return fitting[0], model

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._clock = clock
        self._driver.subscribe(f"{self._path}/s/stats/value", "pub", self._came)
        for topic, value in _ON[self._model]:
            self._driver.publish(f"{self._path}/{topic}", value)

    def _came(self, topic: str, value: _JoulescopeBlock) -> None:
        del topic
        self._blocks.put((value, self._clock()))

    def read(self) -> list[PowerSample]:
        """New blocks. Times are on the instrument's clock, set by this machine's at the first
        block."""
        try:
            blocks = [self._blocks.get(timeout=_SILENCE_S)]
        except queue.Empty:
            raise InstrumentLost(f"no data for {_SILENCE_S:g} s: is it unplugged?") from None
        while not self._blocks.empty():
            blocks.append(self._blocks.get())
        return [self._sample(block, came) for block, came in blocks]

    def _sample(self, block: _JoulescopeBlock, came: float) -> PowerSample:
        """The sample of a block that came at that time."""
        first, end = block["time"]["samples"]["value"]
        rate = block["time"]["sample_freq"]["value"]
        if self._origin is None:
            self._origin = came - end / rate
        lost = 0 if self._end is None else max(0, -(-(first - self._end) // (end - first)))
        self._end = end
        volts, amps, watts = (
            float(signal["avg"]["value"]) for signal in map(block["signals"].__getitem__, _SIGNALS)
        )
        return PowerSample(self._origin + end / rate, watts, volts, amps, lost)

    def stop(self) -> None:
        """Switch the stream off and release the instrument."""
        try:
            self._driver.publish(f"{self._path}/s/stats/ctrl", _OFF[self._model])
            self._driver.close(self._path)
        except Exception:  # disconnected already; there is nothing to switch off
            return
        finally:
            self._driver.finalize()


# Nordic Power Profiler Kit II, by ppk2-api: 100,000 currents per second, at a given voltage.
# A raw sample has 32 bits; bits 18 to 23 count samples, so that lost ones show
# (src/device/serialDevice.ts of Nordic's own program). Means of 100 samples are kept.


_PPK2 = "ppk2_api.ppk2_api"
RAW_HZ = 100_000
BLOCK = 100
"""Raw samples per mean."""
_PPK2_SILENCE_S = 1.0
_BEHIND_S = 0.25
"""Delay of the data behind the clock, in seconds, from which on multiples of 64 samples were lost,
which the counter cannot show."""
_COUNTER = 64


class Ppk2:
    """An `Instrument`. Settings: ``port``; ``source=yes`` supplies the board itself."""

    def __init__(self, text: str, volts: float | None) -> None:
        chosen = read(text, ("port", "source"))
        if chosen.get("source", "no") not in ("yes", "no"):
            raise InputError(f"source is {chosen['source']!r}", where=WHERE, valid="yes, no")
        if volts is None or not 0.8 <= volts <= 5.0:
            raise InputError(
                "a PPK2 measures no voltage, so it must be given",
                where="--voltage",
                valid="0.8V to 5V, such as 3.3V",
            )
        driver = importlib.import_module(_PPK2).PPK2_API
        port = chosen.get("port") or _only_port(driver)
        try:
            self._kit: Any = driver(port, timeout=1, write_timeout=1, exclusive=True)
            has_modifiers = self._kit.get_modifiers()
        except Exception as error:
            raise SetupError(
                f"{port} cannot be opened: {error}",
                hint="your user must be in the group dialout; or another program may use it",
            ) from None
        if not has_modifiers:
            raise SetupError(
                f"{port} does not answer as a PPK2 does",
                hint="try its other port, or unplug it and plug it in again",
            )
        self._volts, self._source = volts, chosen.get("source") == "yes"
        if self._source:
            self._kit.use_source_meter()
        else:
            self._kit.use_ampere_meter()
        self._kit.set_source_voltage(round(volts * 1000))
        self._kit.toggle_DUT_power("ON")
        self.info = Info(
            name=f"ppk2:{port}",
            measures=f"what flows through it, at {volts:g} V "
            + ("that it supplies" if self._source else "as stated"),
            shape=Shape.MEAN,
            rate_hz=RAW_HZ / BLOCK,
            accuracy=None,
            accuracy_of="it differs by range (its data sheet), and which ranges were used is "
            "not recorded",
            timing_s=0.02,
        )

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._clock = clock
        self._origin: float | None = None
        self._last_data = clock()
        self._rest = b""
        self._expected: int | None = None
        self._slots = 0  # raw samples since the start, including lost ones
        self._missing = 0  # raw samples lost since the last mean
        self._block: list[float] = []
        self._kit.start_measuring()

    def read(self) -> list[PowerSample]:
        """The complete means."""
        data = self._kit.get_data()
        now = self._clock()
        if not data:
            if now - self._last_data > _PPK2_SILENCE_S:
                raise InstrumentLost(f"no data for {_PPK2_SILENCE_S:g} s: is it unplugged?")
            time.sleep(0.002)
            return []
        self._last_data = now
        if self._origin is None:
            self._origin = now
        data = self._rest + data
        whole = len(data) // 4 * 4
        self._rest = data[whole:]
        samples = [sample for at in range(0, whole, 4) for sample in self._raw(data[at : at + 4])]
        behind = now - self._origin - self._slots / RAW_HZ
        if behind > _BEHIND_S:
            self._missing += round(behind * RAW_HZ)
            self._slots += round(behind * RAW_HZ)
            self._expected = None
        return samples

    def _raw(self, word: bytes) -> list[PowerSample]:
        counter = int.from_bytes(word, "little") >> 18 & (_COUNTER - 1)
        if self._expected is not None:
            gone = (counter - self._expected) % _COUNTER
            self._missing += gone
            self._slots += gone
        self._expected = (counter + 1) % _COUNTER
        self._slots += 1
        currents, _ = self._kit.get_samples(word)
        if not currents:
            self._missing += 1  # the driver could not interpret it
        self._block += currents
        if len(self._block) < BLOCK:
            return []
        amps = sum(self._block) / len(self._block) * 1e-6
        lost = -(-self._missing // BLOCK)
        self._block, self._missing = [], 0
        assert self._origin is not None
        return [
            PowerSample(
                self._origin + self._slots / RAW_HZ, amps * self._volts, self._volts, amps, lost
            )
        ]

    def stop(self) -> None:
        """End the stream. The board stays supplied as before."""
        try:
            self._kit.stop_measuring()
            self._kit.ser.close()
        except Exception:  # disconnected already
            return


def _only_port(driver: Any) -> str:
    ports = [entry if isinstance(entry, str) else str(entry[0]) for entry in driver.list_devices()]
    if not ports:
        raise SetupError(
            "no PPK2 was found", hint="if it has another name, give its port: ppk2:/dev/ttyACM0"
        )
    if len(ports) > 1:
        raise InputError(
            "several PPK2 are connected",
            where=WHERE,
            valid=", ".join(f"ppk2:{port}" for port in ports),
        )
    return ports[0]


# INA219: a current and voltage sensor on I2C, by pi-ina219.
# Errors, from Texas Instruments SBOS448G, 7.5, over temperature, grade A: current 1 %, bus voltage
# 1 %, offset 200 uV of shunt voltage at the largest gain, steps of 10 uV and 4 mV. The shunt's own
# tolerance is added.


_INA219 = "ina219"
_CURRENT, _VOLTAGE = 0.01, 0.01
_OFFSET_V, _STEP_V, _BUS_STEP_V = 200e-6, 10e-6, 4e-3


class Ina219:
    """An `Instrument`. Settings: ``bus``, ``address``, ``shunt``, ``tolerance``."""

    def __init__(self, text: str) -> None:
        chosen = read(text, ("bus", "address", "shunt", "tolerance"))
        bus, address = whole(chosen, "bus", 1), whole(chosen, "address", 0x40)
        shunt = parse_quantity(chosen.get("shunt", "0.1ohm"), "ohm", where=f"{WHERE}: shunt")
        tolerance = parse_percent(chosen.get("tolerance", "1%"), where=f"{WHERE}: tolerance")
        driver = importlib.import_module(_INA219)
        try:
            self._chip: Any = driver.INA219(shunt, busnum=bus, address=address)
            self._chip.configure()
            volts = float(self._chip.voltage())
        except Exception as error:
            raise SetupError(
                f"no INA219 answers at address {address:#x} of I2C bus {bus}: {error}",
                hint="i2cdetect -y 1 shows the devices; your user must be in the group i2c",
            ) from None
        if volts <= 0:
            raise SetupError(
                "the INA219 reads 0 V, so it supplies nothing", hint="connect V- to the board"
            )
        self.info = Info(
            name=f"ina219:bus={bus},address={address:#x}",
            measures="what flows through the shunt, at the voltage behind it",
            shape=Shape.POINT,
            rate_hz=50.0,
            accuracy=_CURRENT + _VOLTAGE + tolerance + _BUS_STEP_V / volts,
            accuracy_of=f"SBOS448G 7.5, grade A over temperature, and a shunt of {shunt:g} "
            "ohm within "
            f"{tolerance:.2%}",
            offset_w=(_OFFSET_V + _STEP_V) / shunt * volts,
            polled=True,
        )

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._pace = Pace(clock, self.info.period_s)

    def read(self) -> list[PowerSample]:
        """The power now. Raises the driver's exceptions if it is out of range or disconnected."""
        now = self._pace.wait()
        volts, amps = float(self._chip.voltage()), float(self._chip.current()) / 1000
        return [PowerSample(now, volts * amps, volts, amps)]

    def stop(self) -> None:
        """Do nothing: no resource is held."""
