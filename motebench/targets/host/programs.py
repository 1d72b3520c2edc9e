"""Programs for a machine: installed probes with their variants, and user code.

A variant is a library with some features of the processor switched off. Each library's folder has a
``variants.toml``; ``docs/reference/commands.md`` describes its keys.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.model import FailureKind, Scheme
from motebench.base.naming import VARIANT, plain
from motebench.base.paths import data_root
from motebench.targets.base import Session, Startable, Target
from motebench.targets.code.building import HOST_LEVEL, LEVELS, UserCode
from motebench.targets.code.session import CodeSession
from motebench.targets.host.machine import Machine, Program
from motebench.targets.setup.declared import may_offer
from motebench.targets.wire.messages import ProbeFailure

_GLOBS = ("core/adapters/*/variants.toml", "probes/*/*variants.toml")
_KEYS = {"name": str, "meaning": str, "architectures": list, "environment": dict, "source": str}


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: the environment variables of its probe, and the architectures on which it
    exists."""

    implementation: str
    name: str
    meaning: str
    architectures: tuple[str, ...]
    environment: Mapping[str, str]
    source: str

    @property
    def label(self) -> str:
        """Name of the program in studies and results."""
        return f"{self.implementation}{VARIANT}{self.name}"


def read_variants(path: Path) -> list[Variant]:
    """The variants of one file. InputError with file, line and key."""
    from motebench.base.files import toml

    document = toml.load(path)
    implementation = document.data.get("implementation")
    if not isinstance(implementation, str) or not implementation:
        raise InputError(
            "implementation is missing", where=str(path), valid="the name of an implementation"
        )
    variants_read = []
    for index, entry in enumerate(document.data.get("variant", [])):
        for key, kind in _KEYS.items():
            if not isinstance(entry.get(key), kind):
                raise InputError(
                    f"{key} is missing",
                    where=document.where(("variant", index)),
                    valid=", ".join(_KEYS),
                )
        if unknown := set(entry) - set(_KEYS):
            where = document.where(("variant", index, sorted(unknown)[0]))
            raise InputError(
                f"unknown key {sorted(unknown)[0]!r}", where=where, valid=", ".join(_KEYS)
            )
        environment = MappingProxyType(
            {str(key): str(value) for key, value in entry["environment"].items()}
        )
        architectures = tuple(str(item) for item in entry["architectures"])
        variants_read.append(
            Variant(
                implementation,
                entry["name"],
                entry["meaning"],
                architectures,
                environment,
                entry["source"],
            )
        )
    return variants_read


@cache
def variants(architecture: str | None = None) -> Mapping[str, Variant]:
    """Every variant that exists on an architecture (``uname -m``; None: this machine's), by
    label."""
    files = [path for pattern in _GLOBS for path in sorted(data_root().glob(pattern))]
    every = [variant for path in files for variant in read_variants(path)]
    here = architecture or platform.machine()
    return MappingProxyType(
        {variant.label: variant for variant in every if here in variant.architectures}
    )


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
                FailureKind.BUILD,
                self.machine.problem or f"no probe of {self.implementation} was built",
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
        return [
            name for name, item in offered(machine, code or {}) if isinstance(item, UnbuiltProbe)
        ]

    def prepare(names: Sequence[str]) -> None:
        missing = set(unbuilt())
        machine.build(sorted({plain(name) for name in names if name in missing}))

    @cache
    def built() -> Collection[str]:
        return set(machine.probes())

    def may(name: str, schemes: Collection[Scheme]) -> bool:
        # A probe that is there is asked: it may be another one than that of the sources here.
        return plain(name) in built() or may_offer(plain(name), schemes)

    return Target(
        machine,
        lambda: dict(offered(machine, code or {})),
        unbuilt=unbuilt,
        prepare=prepare,
        may_offer=may,
    )


def offered(machine: Machine, codes: Mapping[str, UserCode]) -> Iterator[tuple[str, Startable]]:
    """Programs that can be started on a machine, by implementation: probes that are built or can
    be, variants, user code."""
    probes, buildable = machine.probes(), machine.buildable()
    for name, path in probes.items():
        yield name, InstalledProbe(machine, path)
    for name in buildable:
        yield name, UnbuiltProbe(machine, name)
    for label, variant in variants(machine.architecture).items():
        if variant.implementation in probes:
            yield (
                label,
                InstalledProbe(machine, probes[variant.implementation], variant.environment),
            )
        elif variant.implementation in buildable:
            yield label, UnbuiltProbe(machine, variant.implementation, variant.environment)
    for name, code in codes.items():
        for level in LEVELS:
            yield (
                (name if level == HOST_LEVEL else f"{name}{VARIANT}{level}"),
                UserProgram(machine, code, level),
            )
