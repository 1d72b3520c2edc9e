"""``host``: this machine, through the probe programs built for it."""

from __future__ import annotations

import os
from pathlib import Path

from motebench.model import FailureKind
from motebench.paths import probe_dirs
from motebench.targets.session import ProbeSession
from motebench.targets.stream import ProcessStream
from motebench.wire.messages import ProbeFailure

PREFIX = "motebench-probe-"


def probes() -> dict[str, Path]:
    """Probe programs by implementation name; of two with one name the first folder's wins."""
    found: dict[str, Path] = {}
    for folder in probe_dirs():
        if folder.is_dir():
            for path in sorted(folder.glob(f"{PREFIX}*")):
                if path.is_file() and os.access(path, os.X_OK):
                    found.setdefault(path.name.removeprefix(PREFIX), path)
    return found


class HostTarget:
    """See `motebench.targets.base.Target`."""

    name = "host"

    def implementations(self) -> list[str]:
        """Names of the built probes."""
        return sorted(probes())

    def open(self, implementation: str) -> ProbeSession:
        """Start a fresh probe process."""
        path = probes().get(implementation)
        if path is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no probe for {implementation!r} is built on this host")
        return ProbeSession(lambda: ProcessStream([str(path)]))
