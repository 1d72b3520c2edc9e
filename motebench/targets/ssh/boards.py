"""Which boards ``ssh:`` names mean: with probes built here, or built on the board."""

from __future__ import annotations

from motebench.base.errors import SetupError
from motebench.targets.base import Target, TargetRequest
from motebench.targets.host.machines import cross_machines
from motebench.targets.setup.crossing import cross_target
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.name import parse
from motebench.targets.ssh.native import NativeBoard, native_target
from motebench.targets.ssh.place import SshMachine


def names() -> dict[str, str]:
    """See `motebench.targets.registry.TargetKind`: any number of boards."""
    return {}


def open_kind(asked: TargetRequest) -> Target:
    """See `motebench.targets.registry.TargetKind`."""
    if not cross_machines():
        raise SetupError("boards behind SSH need a checkout with motebench's sources", where=asked.where)
    name = parse(asked.name, asked.where)
    connection = SshConnection(name.address)
    if name.native:
        return native_target(NativeBoard(asked.name, connection, name.machine, asked.where), asked.code)
    return cross_target(SshMachine(asked.name, connection, name.machine, asked.where), asked.code)
