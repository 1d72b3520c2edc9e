"""INA219: a current and voltage sensor on I2C, by pi-ina219.

Errors, from Texas Instruments SBOS448G, 7.5, over temperature, grade A: current 1 %, bus voltage 1 %, offset 200 uV of
shunt voltage at the largest gain, steps of 10 uV and 4 mV. The shunt's own tolerance is added.
"""

from __future__ import annotations

import importlib
from typing import Any

from motebench.base.errors import SetupError
from motebench.base.units import parse_percent, parse_quantity
from motebench.measuring.instruments.base import WHERE, Clock, Info, Pace, PowerSample, Shape, read, whole

MODULE = "ina219"
_CURRENT, _VOLTAGE = 0.01, 0.01
_OFFSET_V, _STEP_V, _BUS_STEP_V = 200e-6, 10e-6, 4e-3


class Ina219:
    """An `Instrument`. Settings: ``bus``, ``address``, ``shunt``, ``tolerance``."""

    def __init__(self, text: str) -> None:
        chosen = read(text, ("bus", "address", "shunt", "tolerance"))
        bus, address = whole(chosen, "bus", 1), whole(chosen, "address", 0x40)
        shunt = parse_quantity(chosen.get("shunt", "0.1ohm"), "ohm", where=f"{WHERE}: shunt")
        tolerance = parse_percent(chosen.get("tolerance", "1%"), where=f"{WHERE}: tolerance")
        driver = importlib.import_module(MODULE)
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
            raise SetupError("the INA219 reads 0 V, so it supplies nothing", hint="connect V- to the board")
        self.info = Info(
            name=f"ina219:bus={bus},address={address:#x}",
            measures="what flows through the shunt, at the voltage behind it",
            shape=Shape.POINT,
            rate_hz=50.0,
            accuracy=_CURRENT + _VOLTAGE + tolerance + _BUS_STEP_V / volts,
            accuracy_of=f"SBOS448G 7.5, grade A over temperature, and a shunt of {shunt:g} ohm within {tolerance:.2%}",
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
        """Nothing to release."""
