"""``host``: this machine, through the probe programs built for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from motebench.code.building import HOST_LEVEL, LEVELS, Code
from motebench.model import Evidence, FailureKind
from motebench.naming import VARIANT, plain
from motebench.paths import probe_dirs, probes_in
from motebench.targets.base import Session
from motebench.targets.placed import HostProbe, Placing
from motebench.targets.user_code import CodeSession
from motebench.targets.variants import variants
from motebench.wire.messages import ProbeFailure


def probes(folders: Sequence[Path] | None = None) -> dict[str, Path]:
    """Probe programs by implementation name. ``folders``: looked for there only, not in the usual places."""
    return probes_in(probe_dirs() if folders is None else folders)


def _levels(code: Iterable[str]) -> list[str]:
    return [f"{name}{VARIANT}{level}" for name in code for level in LEVELS if level != HOST_LEVEL]


class HostTarget:
    """See `motebench.targets.base.Target`.

    ``folders``: of the probes, instead of the usual ones. ``code``: user code by name.
    """

    name = "host"
    exact = False
    evidence = Evidence.MEASURED
    one_image = False

    def __init__(self, folders: Sequence[Path] | None = None, code: Mapping[str, Code] | None = None) -> None:
        self._folders, self._code = folders, code or {}
        self.placing = Placing()

    def describe(self) -> dict[str, Any]:
        """The machine is described anyway."""
        return {}

    def implementations(self) -> list[str]:
        """Names of the built probes, and of their variants on this machine."""
        built = probes(self._folders)
        there = [*built, *(name for name, variant in variants().items() if variant.implementation in built)]
        return sorted([*there, *self._code, *_levels(self._code)])

    def open(self, implementation: str) -> Session:
        """Start a fresh probe process."""
        name, environment = implementation, {}
        if (code := self._code.get(plain(implementation))) is not None:
            return CodeSession(code, implementation.partition(VARIANT)[2] or HOST_LEVEL, self.placing)
        if VARIANT in implementation:
            variant = variants().get(implementation)
            if variant is None:
                raise ProbeFailure(FailureKind.UNSUPPORTED, f"there is no variant {implementation!r} on this host")
            name, environment = variant.implementation, dict(variant.environment)
        path = probes(self._folders).get(name)
        if path is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no probe for {name!r} is built on this host")
        return HostProbe([str(path)], self.placing, environment=environment)
