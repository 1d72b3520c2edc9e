"""``command``: programs of this machine; each operation is a whole process on files, measured from outside."""

from __future__ import annotations

from typing import Any

from motebench.targets import command_openssl
from motebench.targets.base import Asked, Session, Startable, Target
from motebench.targets.command_launch import launcher
from motebench.targets.command_session import CommandSession
from motebench.targets.place import Place

OPENSSL = "openssl-cli"


class Commands(Place):
    """This machine. No program runs between two operations, so nothing is pinned."""

    name = "command"
    batches = False
    local_files = True

    def environment(self) -> dict[str, Any]:
        """Empty: every run describes this machine anyway."""
        return {}


class OpenSsl:
    """The ``openssl`` program on PATH."""

    def open(self) -> Session:
        """Examine the program. ProbeFailure if it, or the launcher, is unavailable."""
        launcher()  # without the launcher nothing can be measured: fail now
        return CommandSession(OPENSSL, command_openssl.look())


def _offered() -> dict[str, Startable]:
    return {OPENSSL: OpenSsl()} if command_openssl.installed() else {}


def command_target() -> Target:
    """The target ``command``."""
    return Target(Commands(), _offered)


def names() -> dict[str, str]:
    """See `motebench.targets.registry.Kind`."""
    return {Commands.name: "programs of this machine, as whole processes on files"}


def open_kind(asked: Asked) -> Target:
    """See `motebench.targets.registry.Kind`."""
    del asked
    return command_target()
