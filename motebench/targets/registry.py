"""From the name of a target to the target. Each kind is a module here; nothing above knows which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motebench.errors import InputError
from motebench.targets.base import Target

if TYPE_CHECKING:
    from motebench.catalog.devices import Device

KINDS = {
    "host": "this machine",
    "command": "programs of this machine, as whole processes on files",
}


SIMULATED = "sim:"


def target_names() -> dict[str, str]:
    """Every target that can be named, and what it is."""
    from motebench.catalog.devices import devices

    return {**KINDS, **{f"{SIMULATED}{device.id}": _simulated(device) for device in devices().values()}}


def _simulated(device: Device) -> str:
    boards = f" ({', '.join(device.boards)})" if device.boards else ""
    return f"a simulated {device.name}{boards}"


def open_target(name: str, *, where: str | None = None) -> Target:
    """The target of that name. InputError if there is no such kind."""
    if name == "host":
        from motebench.targets.host import HostTarget

        return HostTarget()
    if name == "command":
        from motebench.targets.command import CommandTarget

        return CommandTarget()
    if name.startswith(SIMULATED):
        from motebench.catalog.devices import devices
        from motebench.targets.board import BoardTarget
        from motebench.targets.simulated import Simulation

        device = devices().get(name.removeprefix(SIMULATED))
        if device is not None:
            return BoardTarget(Simulation(device))
    raise InputError(
        f"there is no target {name!r}", where=where, valid=", ".join(target_names()), hint="motebench list targets"
    )
