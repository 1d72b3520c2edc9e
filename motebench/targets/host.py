"""``host``: this machine, through the probe programs built for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from motebench.model import Evidence, FailureKind
from motebench.naming import VARIANT
from motebench.paths import probe_dirs, probes_in
from motebench.targets.session import ProbeSession
from motebench.targets.stream import ProcessStream
from motebench.targets.variants import variants
from motebench.wire.messages import ProbeFailure


def probes() -> dict[str, Path]:
    """Probe programs by implementation name."""
    return probes_in(probe_dirs())


class HostTarget:
    """See `motebench.targets.base.Target`."""

    name = "host"
    exact = False
    evidence = Evidence.MEASURED
    one_image = False

    def describe(self) -> dict[str, Any]:
        """The machine is described anyway."""
        return {}

    def implementations(self) -> list[str]:
        """Names of the built probes, and of their variants on this machine."""
        built = probes()
        return sorted([*built, *(name for name, variant in variants().items() if variant.implementation in built)])

    def open(self, implementation: str) -> ProbeSession:
        """Start a fresh probe process."""
        name, environment = implementation, {}
        if VARIANT in implementation:
            variant = variants().get(implementation)
            if variant is None:
                raise ProbeFailure(FailureKind.UNSUPPORTED, f"there is no variant {implementation!r} on this host")
            name, environment = variant.implementation, dict(variant.environment)
        path = probes().get(name)
        if path is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no probe for {name!r} is built on this host")
        return ProbeSession(lambda: ProcessStream([str(path)], environment=environment))
