"""Energy of cases: from the time they take and the current that the device's file states."""

from __future__ import annotations

import re

from motebench.catalog.devices import Device, devices
from motebench.catalog.quantities import State
from motebench.energy.currents import Drawn, supply_current

_PARTS = re.compile("[:+,]")


def device_of(target: str) -> Device | None:
    """The device that a target's name names: ``sim:samd21g18a+...``; None where it names none, as ``host``."""
    known = devices()
    return next((known[part] for part in _PARTS.split(target) if part in known), None)


def active(device: Device) -> Drawn | None:
    """What a device draws while it computes, with notes for readers; None where its file does not say."""
    return supply_current(device, State.ACTIVE)


def idle(device: Device) -> Drawn | None:
    """The same while it waits and computes nothing."""
    return supply_current(device, State.IDLE)
