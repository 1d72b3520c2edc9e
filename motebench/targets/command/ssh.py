"""``command:ssh:[user@]host``: programs that a Linux board has, as whole processes on files there."""

from __future__ import annotations

from typing import Any

from motebench.base.errors import SetupError
from motebench.base.naming import SSH
from motebench.targets.base import Conditions, Disk, Session, Startable, Target, TargetRequest
from motebench.targets.command.openssl import OpensslProgram, look
from motebench.targets.command.place import OPENSSL, CommandPlace
from motebench.targets.command.session import CommandSession
from motebench.targets.command.ssh_desk import SshDesk, SshDisk
from motebench.targets.host.machines import cross_machines
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.name import parse
from motebench.targets.ssh.place import SshMachine

PREFIX = f"{CommandPlace.name}:"


class SshCommands(CommandPlace):
    """A board behind SSH. Its clock is watched; nothing is pinned."""

    def __init__(self, name: str, machine: SshMachine) -> None:
        self.name = name
        self.machine = machine
        self.apart = machine.apart
        self._program: OpensslProgram | None = None

    def environment(self) -> dict[str, Any]:
        """Facts of the board."""
        return self.machine.environment()

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """The clock of the board is watched."""
        del cpu
        return self.machine.conditions("none", seed)

    def disk(self, folder: str | None) -> Disk:
        """A folder of the board; one that the user named is there, not here."""
        return SshDisk(SshDesk(self.machine), self.machine, folder)

    def close(self) -> None:
        """End the connection, which removes all that was brought there."""
        self.machine.close()

    def open(self) -> Session:
        """A session with the board's ``openssl``. ProbeFailure if it is not there."""
        desk = SshDesk(self.machine)
        desk.check()
        if self._program is None:
            self._program = look(desk)
        return CommandSession(OPENSSL, self._program, desk)


def names() -> dict[str, str]:
    """See `motebench.targets.registry.TargetKind`: any number of boards."""
    return {}


def open_kind(asked: TargetRequest) -> Target | None:
    """See `motebench.targets.registry.TargetKind`."""
    address = asked.name.removeprefix(PREFIX)
    if not address.startswith(SSH):
        return None
    if not cross_machines():
        raise SetupError("boards behind SSH need a checkout with motebench's sources", where=asked.where)
    name = parse(address, asked.where)
    place = SshCommands(asked.name, SshMachine(address, SshConnection(name.address), name.machine, asked.where))
    offered: dict[str, Startable] = {OPENSSL: place}
    return Target(place, lambda: offered)
