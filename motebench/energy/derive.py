"""Energy of cases: from their time and the current in the device's file."""

from __future__ import annotations

import re

from motebench.catalog.devices import Device, devices
from motebench.catalog.quantities import State
from motebench.energy.currents import Drawn, supply_current
from motebench.naming import BOARD

_PARTS = re.compile("[:+,]")


def device_of(target: str) -> Device | None:
    """The device in a target's name: ``sim:samd21g18a+...``; None if the name has none, as ``host``.

    The name of one of its boards means it, too: ``serial:/dev/ttyACM0,board=rak4631``.
    """
    known = devices()
    boards = {f"{BOARD}{board.id}": device for device in known.values() for board in device.other_boards}
    return next((found for part in _PARTS.split(target) if (found := known.get(part) or boards.get(part))), None)


def active(device: Device) -> Drawn | None:
    """The current of a device while it computes, with notes for readers; None if its file does not have it."""
    return supply_current(device, State.ACTIVE)


def idle(device: Device) -> Drawn | None:
    """The current while it waits and computes nothing."""
    return supply_current(device, State.IDLE)
