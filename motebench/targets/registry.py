"""From the name of a target to the target. Each kind is a module here; nothing above knows which."""

from __future__ import annotations

from motebench.errors import InputError
from motebench.targets.base import Target

KINDS = {
    "host": "this machine",
    "command": "programs of this machine, as whole processes on files",
}


def open_target(name: str, *, where: str | None = None) -> Target:
    """The target of that name. InputError if there is no such kind."""
    if name == "host":
        from motebench.targets.host import HostTarget

        return HostTarget()
    if name == "command":
        from motebench.targets.command import CommandTarget

        return CommandTarget()
    raise InputError(f"there is no target {name!r}", where=where, valid=", ".join(KINDS), hint="motebench list targets")
