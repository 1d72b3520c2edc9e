"""Batteries: one file each, ``catalog/batteries/<id>.toml``; ``docs/catalog.md`` describes the keys."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from motebench.catalog.quantities import Capacity, Current, Known, KnownSpread, Resistance, Voltage, in_order
from motebench.catalog.schema import Count, Text
from motebench.catalog.shelf import CatalogEntry, Shelf


class Charge(Known):
    """The capacity of a new battery, at a load and down to a voltage."""

    typical: Capacity
    minimum: Capacity
    maximum: Capacity
    load: Text
    end_voltage: Voltage

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self


class Limit(Known):
    """The current that may be drawn, continuously and for a moment."""

    continuous: Current | None = None
    pulse: Current | None = None


class Inner(Known):
    """The internal resistance of a new battery, all cells together: its voltage falls by this times the current."""

    typical: Resistance
    minimum: Resistance
    maximum: Resistance

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self


class Full(Known):
    """The voltage of a new or fully charged battery without a load."""

    voltage: Voltage


class Battery(CatalogEntry):
    """A battery: ``cells`` in series of one chemistry. ``self_discharge`` is the share lost per year of storage,
    ``usable`` the share of the charge that a device gets out of it (temperature, pulses, age)."""

    chemistry: Text
    cells: Count = 1
    voltage: Voltage
    full: Full | None = None
    capacity: Charge
    self_discharge: KnownSpread
    usable: KnownSpread
    limit: Limit | None = None
    resistance: Inner | None = None

    @property
    def highest_voltage(self) -> float:
        """Volts that parts must take: those of the full battery, else the nominal ones."""
        return max(self.voltage, self.full.voltage) if self.full else self.voltage


BATTERIES = Shelf("batteries", "battery", "batteries", Battery)
