"""Electrical facts in catalog files: a value with its known spread, its conditions and its
source.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.base.units import parse_quantity
from motebench.catalog.schema import Count, Record, Source, Text


def _quantity(unit: str) -> BeforeValidator:
    def read(value: Any) -> float:
        try:
            return parse_quantity(value, unit)
        except InputError as error:
            raise ValueError(error) from None

    return BeforeValidator(read)


Current = Annotated[float, _quantity("A"), Field(ge=0)]
"""Amperes, from text such as ``3.37 mA``."""
Capacity = Annotated[float, _quantity("Ah"), Field(gt=0)]
"""Ampere-hours, from text such as ``225 mAh``."""
Voltage = Annotated[float, _quantity("V"), Field(gt=0)]
"""Volts, from text such as ``3.3 V``."""
Resistance = Annotated[float, _quantity("ohm"), Field(ge=0)]
"""Ohms, from text such as ``20 ohm``."""
Share = Annotated[float, Field(ge=0, le=1)]


class State(StrEnum):
    """The state of a chip or board while it draws a current."""

    ACTIVE = "active"
    IDLE = "idle"
    SLEEP = "sleep"
    OFF = "off"
    TRANSMIT = "transmit"
    RECEIVE = "receive"
    STANDBY = "standby"


class Known(Record):
    """Certainty of a figure. ``unverified``: the author of the catalog entry did not see it in that
    document.
    """

    source: Source
    unverified: bool = False
    note: Text | None = None


class Bounds(Record):
    """A figure with its bounds; none below 0."""

    minimum: Annotated[float, Field(ge=0)]
    typical: Annotated[float, Field(ge=0)]
    maximum: Annotated[float, Field(ge=0)]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self

    @property
    def interval(self) -> Interval:
        """The bounds with their typical value."""
        return Interval(self.minimum, self.typical, self.maximum)


class PositiveBounds(Bounds):
    """A figure that cannot be 0, with its bounds."""

    minimum: Annotated[float, Field(gt=0)]


class Draw(Known):
    """A supply current. ``of``: of the chip alone, of a whole board with regulators and LEDs, or of
    the board's mains adapter."""

    state: State
    of: Literal["chip", "board", "mains"] = "chip"
    mode: Text | None = None
    clock_hz: Count | None = None
    voltage: Voltage
    power_dbm: float | None = None
    typical: Current
    minimum: Current | None = None
    maximum: Current | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        if (self.power_dbm is not None) != (self.state is State.TRANSMIT):
            raise ValueError("power_dbm is required for the state transmit, and allowed only there")
        return self


class KnownSpread(Known):
    """Fraction of 1, such as the loss of a battery in a year: its typical value and its bounds."""

    typical: Share
    minimum: Share
    maximum: Share

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self


def in_order(minimum: float | None, typical: float, maximum: float | None) -> None:
    """ValueError unless the values that are known rise."""
    if (minimum is not None and minimum > typical) or (maximum is not None and maximum < typical):
        raise ValueError("minimum, typical and maximum are not in this order")


class Supply(Known):
    """The range of supply voltages of a part (of a chip: at the clock of its file), and the usual
    one.
    """

    minimum: Voltage
    nominal: Voltage
    maximum: Voltage

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.nominal, self.maximum)
        return self
