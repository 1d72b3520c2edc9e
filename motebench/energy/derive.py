"""Energy of cases: from their time and the current in the device's file."""

from __future__ import annotations

import re

from motebench.catalog.devices import Device, devices
from motebench.catalog.quantities import State
from motebench.energy.currents import Drawn, supply_current

_PARTS = re.compile("[:+,]")


def device_of(target: str) -> Device | None:
    """The device in a target's name: ``sim:samd21g18a+...``; None if the name has none, as ``host``."""
    known = devices()
    return next((known[part] for part in _PARTS.split(target) if part in known), None)


def active(device: Device) -> Drawn | None:
    """The current of a device while it computes, with notes for readers; None if its file does not have it."""
    return supply_current(device, State.ACTIVE)


def idle(device: Device) -> Drawn | None:
    """The current while it waits and computes nothing."""
    return supply_current(device, State.IDLE)
