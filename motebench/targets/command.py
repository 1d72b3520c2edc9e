"""``command``: programs of this machine, each operation a whole process on files, measured from outside."""

from __future__ import annotations

from typing import Any

from motebench.model import Evidence, FailureKind
from motebench.targets import command_openssl
from motebench.targets.command_launch import launcher
from motebench.targets.command_session import CommandSession
from motebench.wire.messages import ProbeFailure

OPENSSL = "openssl-cli"


class CommandTarget:
    """See `motebench.targets.base.Target`."""

    name = "command"
    exact = False
    evidence = Evidence.MEASURED
    one_image = False

    def describe(self) -> dict[str, Any]:
        """The machine is described anyway."""
        return {}

    def implementations(self) -> list[str]:
        """Programs that are found on PATH."""
        return [OPENSSL] if command_openssl.installed() else []

    def open(self, implementation: str) -> CommandSession:
        """Look at the program. Nothing keeps running between two operations."""
        if implementation != OPENSSL:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no command for {implementation!r}")
        launcher()  # without it nothing can be measured: say so now
        return CommandSession(OPENSSL, command_openssl.look())
