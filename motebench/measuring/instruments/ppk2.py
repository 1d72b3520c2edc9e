"""Nordic Power Profiler Kit II, by ppk2-api: 100,000 currents per second, at a given voltage.

A raw sample has 32 bits; bits 18 to 23 count samples, so that lost ones show (``src/device/serialDevice.ts`` of
Nordic's own program). Means of 100 samples are kept.
"""

from __future__ import annotations

import importlib
import time
from typing import Any

from motebench.base.errors import InputError, SetupError
from motebench.measuring.instruments.base import WHERE, Clock, Info, InstrumentLost, PowerSample, Shape, read

MODULE = "ppk2_api.ppk2_api"
RAW_HZ = 100_000
BLOCK = 100
"""Raw samples per mean."""
_SILENCE_S = 1.0
_BEHIND_S = 0.25
"""If the data are this many seconds behind the clock, multiples of 64 samples were lost, which the counter
cannot show."""
_COUNTER = 64


class Ppk2:
    """An `Instrument`. Settings: ``port``; ``source=yes`` supplies the board itself."""

    def __init__(self, text: str, volts: float | None) -> None:
        chosen = read(text, ("port", "source"))
        if chosen.get("source", "no") not in ("yes", "no"):
            raise InputError(f"source is {chosen['source']!r}", where=WHERE, valid="yes, no")
        if volts is None or not 0.8 <= volts <= 5.0:
            raise InputError(
                "a PPK2 measures no voltage, so it must be given", where="--voltage", valid="0.8V to 5V, such as 3.3V"
            )
        driver = importlib.import_module(MODULE).PPK2_API
        port = chosen.get("port") or _only_port(driver)
        try:
            self._kit: Any = driver(port, timeout=1, write_timeout=1, exclusive=True)
            known = self._kit.get_modifiers()
        except Exception as error:
            raise SetupError(
                f"{port} cannot be opened: {error}",
                hint="your user must be in the group dialout; or another program may use it",
            ) from None
        if not known:
            raise SetupError(
                f"{port} does not answer as a PPK2 does", hint="try its other port, or unplug it and plug it in again"
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
            measures=f"what flows through it, at {volts:g} V " + ("that it supplies" if self._source else "as stated"),
            shape=Shape.MEAN,
            rate_hz=RAW_HZ / BLOCK,
            accuracy=None,
            accuracy_of="it differs by range (its data sheet), and which ranges were used is not recorded",
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
            if now - self._last_data > _SILENCE_S:
                raise InstrumentLost(f"no data for {_SILENCE_S:g} s: is it unplugged?")
            time.sleep(0.002)
            return []
        self._last_data = now
        if self._origin is None:
            self._origin = now
        data = self._rest + data
        whole = len(data) // 4 * 4
        self._rest = data[whole:]
        found = [sample for at in range(0, whole, 4) for sample in self._raw(data[at : at + 4])]
        behind = now - self._origin - self._slots / RAW_HZ
        if behind > _BEHIND_S:
            self._missing += round(behind * RAW_HZ)
            self._slots += round(behind * RAW_HZ)
            self._expected = None
        return found

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
        return [PowerSample(self._origin + self._slots / RAW_HZ, amps * self._volts, self._volts, amps, lost)]

    def stop(self) -> None:
        """End the stream. The board stays supplied as before."""
        try:
            self._kit.stop_measuring()
            self._kit.ser.close()
        except Exception:  # disconnected already
            return


def _only_port(driver: Any) -> str:
    found = [entry if isinstance(entry, str) else str(entry[0]) for entry in driver.list_devices()]
    if not found:
        raise SetupError("no PPK2 was found", hint="if it has another name, give its port: ppk2:/dev/ttyACM0")
    if len(found) > 1:
        raise InputError("several PPK2 are connected", where=WHERE, valid=", ".join(f"ppk2:{port}" for port in found))
    return found[0]
