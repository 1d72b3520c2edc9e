"""``command``: programs of this machine; each operation is a whole process on files, measured from outside."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

from motebench.targets.base import Disk, Place, Session, Startable, Target, TargetRequest
from motebench.targets.command.desk import LocalDesk
from motebench.targets.command.openssl import PROGRAM, OpensslProgram, look
from motebench.targets.command.session import CommandSession
from motebench.targets.host.this_machine import LocalDisk

OPENSSL = "openssl-cli"


class CommandPlace(Place):
    """This machine. No program runs between two operations, so nothing is pinned."""

    name = "command"
    batches = False

    def environment(self) -> dict[str, Any]:
        """Empty: every run describes this machine anyway."""
        return {}

    def disk(self, folder: str | None) -> Disk:
        """This machine's."""
        return LocalDisk(folder)


class OpenSsl:
    """The ``openssl`` program on PATH."""

    def open(self) -> Session:
        """Examine the program. ProbeFailure if it, or the launcher, is unavailable."""
        desk = LocalDesk()
        desk.check()  # without the launcher nothing can be measured: fail now
        path = shutil.which(PROGRAM)
        file = Path(path).stat() if path else None
        return CommandSession(OPENSSL, _examined(path, file and (file.st_ino, file.st_size, file.st_mtime_ns)), desk)


@cache
def _examined(path: str | None, identity: tuple[int, int, int] | None) -> OpensslProgram:
    del path, identity  # another program on PATH is examined again
    return look(LocalDesk())


def _offered() -> dict[str, Startable]:
    return {OPENSSL: OpenSsl()} if shutil.which(PROGRAM) else {}


def command_target() -> Target:
    """The target ``command``."""
    return Target(CommandPlace(), _offered)


def names() -> dict[str, str]:
    """See `motebench.targets.registry.TargetKind`."""
    return {CommandPlace.name: "programs of this machine, as whole processes on files"}


def open_kind(asked: TargetRequest) -> Target:
    """See `motebench.targets.registry.TargetKind`."""
    del asked
    return command_target()
