"""Programs for a machine: installed probes with their variants, and user code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from motebench.base.model import FailureKind
from motebench.base.naming import VARIANT, plain
from motebench.targets.base import Session, Startable, Target
from motebench.targets.code.building import HOST_LEVEL, LEVELS, UserCode
from motebench.targets.code.session import CodeSession
from motebench.targets.host.machine import Machine, Program
from motebench.targets.host.variants import variants
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True)
class InstalledProbe:
    """A probe program on the machine. ``environment``: the variables of a variant."""

    machine: Machine
    path: str
    environment: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> Session:
        """Start a fresh process."""
        return self.machine.start(Program((self.path,), self.environment))


@dataclass(frozen=True)
class UnbuiltProbe:
    """A probe program that can be built on the machine."""

    machine: Machine
    implementation: str
    environment: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> Session:
        """Build it if necessary, and start a fresh process. ProbeFailure if it cannot be built."""
        self.machine.build([self.implementation])
        path = self.machine.probes().get(self.implementation)
        if path is None:
            raise ProbeFailure(
                FailureKind.BUILD, self.machine.problem or f"no probe of {self.implementation} was built"
            )
        return self.machine.start(Program((path,), self.environment))


@dataclass(frozen=True)
class UserProgram:
    """User code, which is built at the first request."""

    machine: Machine
    code: UserCode
    level: str

    def open(self) -> Session:
        """Open a session, without building yet."""
        return CodeSession(self.code, self.level, self.machine)


def machine_target(machine: Machine, code: Mapping[str, UserCode] | None = None) -> Target:
    """The target of a machine. ``code``: user code by name."""

    def unbuilt() -> list[str]:
        return [name for name, item in offered(machine, code or {}) if isinstance(item, UnbuiltProbe)]

    def prepare(names: Sequence[str]) -> None:
        machine.build(sorted({plain(name) for name in names if name in unbuilt()}))

    return Target(machine, lambda: dict(offered(machine, code or {})), unbuilt=unbuilt, prepare=prepare)


def offered(machine: Machine, codes: Mapping[str, UserCode]) -> Iterator[tuple[str, Startable]]:
    """What can be started on a machine, by implementation: probes that are built or can be, variants, user code."""
    probes, buildable = machine.probes(), machine.buildable()
    for name, path in probes.items():
        yield name, InstalledProbe(machine, path)
    for name in buildable:
        yield name, UnbuiltProbe(machine, name)
    for label, variant in variants(machine.architecture).items():
        if variant.implementation in probes:
            yield label, InstalledProbe(machine, probes[variant.implementation], variant.environment)
        elif variant.implementation in buildable:
            yield label, UnbuiltProbe(machine, variant.implementation, variant.environment)
    for name, code in codes.items():
        for level in LEVELS:
            yield (name if level == HOST_LEVEL else f"{name}{VARIANT}{level}"), UserProgram(machine, code, level)
