"""What can be started on a machine: installed probes with their variants, and user code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from motebench.code.building import HOST_LEVEL, LEVELS, Code
from motebench.naming import VARIANT
from motebench.targets.base import Session, Startable, Target
from motebench.targets.machine import Machine, Program
from motebench.targets.user_code import CodeSession
from motebench.targets.variants import variants


@dataclass(frozen=True)
class InstalledProbe:
    """A probe program that is on the machine. ``environment``: variables that make it a variant."""

    machine: Machine
    path: str
    environment: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> Session:
        """Start a fresh process."""
        return self.machine.start(Program((self.path,), self.environment))


@dataclass(frozen=True)
class UserProgram:
    """User code, which is built when it is first asked something."""

    machine: Machine
    code: Code
    level: str

    def open(self) -> Session:
        """Nothing is built yet."""
        return CodeSession(self.code, self.level, self.machine)


def machine_target(machine: Machine, code: Mapping[str, Code] | None = None) -> Target:
    """The target of a machine. ``code``: user code by name."""
    return Target(machine, lambda: dict(_offered(machine, code or {})))


def _offered(machine: Machine, codes: Mapping[str, Code]) -> Iterator[tuple[str, Startable]]:
    probes = machine.probes()
    for name, path in probes.items():
        yield name, InstalledProbe(machine, path)
    for label, variant in variants(machine.architecture).items():
        if variant.implementation in probes:
            yield label, InstalledProbe(machine, probes[variant.implementation], variant.environment)
    for name, code in codes.items():
        for level in LEVELS:
            yield (name if level == HOST_LEVEL else f"{name}{VARIANT}{level}"), UserProgram(machine, code, level)
