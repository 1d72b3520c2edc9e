"""Machines that probes are built for here: one file each,
``core/ports/posix/machines/<name>.toml``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from motebench.base.files import toml
from motebench.base.model import FailureKind, Scheme
from motebench.base.naming import plain
from motebench.base.paths import data_root, probes_in
from motebench.catalog.schema import Record, Text
from motebench.targets.base import Target
from motebench.targets.code.building import UserCode
from motebench.targets.firmware.toolchain import Toolchain
from motebench.targets.host.machine import Machine
from motebench.targets.host.programs import offered
from motebench.targets.setup import building
from motebench.targets.setup.declared import may_offer
from motebench.targets.wire.messages import ProbeFailure


class Compiler(Record):
    """``target`` and ``flags``: of zig cc (``tools/setup.sh`` reads them); words with a space
    between."""

    target: Text
    flags: Text


class Emulator(Record):
    """Emulator of QEMU. ``program``: of its user emulation. ``cpu``: the processor model.
    ``environment``: variables of the probes for facts that the emulator does not report
    (``core/ports/posix/hwcap.c``).
    """

    program: Text
    cpu: Text
    environment: Mapping[Text, Text] = Field(default_factory=dict)


class CrossMachine(Record):
    """A kind of machine. ``architecture``: as probes built for it say in ``hello``. ``boards``: for
    example.

    ``serves``: which boards run its programs: by ``uname -m`` the features of ``/proc/cpuinfo``
    that they need, words with a space between. ``rank``: of several that a board runs, the highest
    is taken.
    """

    title: Text
    boards: Text | None = None
    rank: int = 0
    serves: Mapping[Text, str] = Field(default_factory=dict)
    architecture: Literal["arm", "aarch64", "riscv", "x86_64"]
    compiler: Compiler
    emulator: Emulator


def folder() -> Path:
    """The folder of the files."""
    return data_root() / "core" / "ports" / "posix" / "machines"


@cache
def cross_machines() -> MappingProxyType[str, CrossMachine]:
    """Every machine there is a file of, by name; none where motebench is installed without its
    sources. InputError if a file is wrong."""
    files = sorted(folder().glob("*.toml"))
    return MappingProxyType(
        {path.stem: toml.validate(toml.load(path), CrossMachine) for path in files}
    )


def cross_program(machine: str, name: str) -> Path | None:
    """Another program that is built for a machine; None if it is not."""
    path = data_root() / "build" / "cross" / machine / "probes" / name
    return path if path.is_file() else None


def cross_probes(machine: str) -> dict[str, Path]:
    """The probes that are built for a machine, by implementation."""
    return probes_in([data_root() / "build" / "cross" / machine / "probes"])


# Building for these machines


@cache
def cross_toolchain(machine: str) -> Toolchain:
    """The compiler for a machine of `host.machines`, which is fetched if it is not here.
    ProbeFailure of kind ``build`` if that fails."""
    folder = data_root() / "build" / "cross"
    program = folder / "cc"
    problem = None if program.exists() else building.build_program(building.CROSS_COMPILER)
    if not program.exists():
        raise ProbeFailure(FailureKind.BUILD, problem or f"there is no {program}")
    compiler = cross_machines()[machine].compiler
    flags = ("-target", compiler.target, *compiler.flags.split())
    return Toolchain(
        compiler=str(program),
        device_flags=flags,
        driver=str(program),
        driver_flags=flags,
        size="size",
        version=building.cross_compiler_version(),
        room=(),
        script=None,
        alignment=64,
        ram=range(0),
        placed="",
        foreign=True,
    )


def takes_minutes(implementation: str) -> bool:
    """True if its first build for a machine takes minutes, as that of a whole library does."""
    return "/" not in implementation


def usual(implementation: str) -> bool:
    """True if an implementation is measured by default: motebench's own ciphers, which build within
    seconds, and whole libraries if they are built, because products contain these.
    """
    return implementation.startswith("mote/") or takes_minutes(implementation)


def cross_target(machine: Machine, codes: Mapping[str, UserCode]) -> Target:
    """The target of a machine whose probes are built here. Only whole libraries are not built
    without being named.
    """

    def unbuilt() -> list[str]:
        built = machine.probes()
        names = (name for name, _ in offered(machine, codes))
        return [name for name in names if takes_minutes(plain(name)) and plain(name) not in built]

    def prepare(names: Sequence[str]) -> None:
        machine.build(sorted({plain(name) for name in names}))

    def may(name: str, schemes: Collection[Scheme]) -> bool:
        return may_offer(plain(name), schemes)

    return Target(
        machine,
        lambda: dict(offered(machine, codes)),
        unbuilt=unbuilt,
        prepare=prepare,
        may_offer=may,
    )
