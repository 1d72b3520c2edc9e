"""From the name of a target to the target. Each kind is a module here; nothing above knows which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.errors import InputError
from motebench.naming import SERIAL
from motebench.targets.base import Target

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.code.building import Code

KINDS = {
    "host": "this machine",
    "command": "programs of this machine, as whole processes on files",
}


def split_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names of targets out of lists with commas. What follows a serial port and is no target belongs to the port."""
    from motebench.targets.settings import SIMULATED

    names: list[str] = []
    for part in (part.strip() for value in values for part in value.split(",")):
        own = part in KINDS or part.startswith((SIMULATED, SERIAL))
        if names and names[-1].startswith(SERIAL) and not own:
            names[-1] += f",{part}" if part else ""
        elif part:
            names.append(part)
    return tuple(names)


def target_names() -> dict[str, str]:
    """Every target that can be named, and what it is."""
    from motebench.catalog.devices import programmable
    from motebench.targets.settings import SIMULATED

    return {**KINDS, **{f"{SIMULATED}{device.id}": _simulated(device) for device in programmable().values()}}


def _simulated(device: Device) -> str:
    boards = f" ({', '.join(device.boards)})" if device.boards else ""
    return f"a simulated {device.name}{boards}"


def open_target(
    name: str,
    *,
    where: str | None = None,
    probes: Sequence[Path] | None = None,
    code: Mapping[str, Code] | None = None,
) -> Target:
    """The target of that name. ``probes``: folders of the host's, instead of the usual ones. ``code``: user code that
    can be measured there, by name.

    InputError if there is no such kind.
    """
    if name == "host":
        from motebench.targets.host import HostTarget

        return HostTarget(probes, code)
    if name == "command":
        from motebench.targets.command import CommandTarget

        return CommandTarget()
    if name.startswith(SERIAL):
        from motebench.targets.board import BoardTarget
        from motebench.targets.serial_bench import SerialBench, parse_place

        return BoardTarget(SerialBench(parse_place(name, where=where)), code)
    board = _simulated_board(name, where, code)
    if board is not None:
        return board
    raise InputError(
        f"there is no target {name!r}", where=where, valid=", ".join(target_names()), hint="motebench list targets"
    )


def _simulated_board(name: str, where: str | None, code: Mapping[str, Code] | None) -> Target | None:
    from motebench.targets.board import BoardTarget
    from motebench.targets.settings import parse
    from motebench.targets.simulated import Simulation

    try:
        found = parse(name)
    except InputError as error:
        raise InputError(error.what, where=where, valid=error.valid, hint=error.hint) from None
    return BoardTarget(Simulation(*found), code) if found else None
