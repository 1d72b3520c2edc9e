"""What is built here for other machines: probes, whole libraries, user code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from motebench.base.model import FailureKind
from motebench.base.naming import plain
from motebench.base.paths import data_root
from motebench.targets.base import Target
from motebench.targets.code.building import UserCode
from motebench.targets.firmware.toolchain import Toolchain
from motebench.targets.host.cross_machines import cross_machines
from motebench.targets.host.machine import Machine
from motebench.targets.host.programs import offered
from motebench.targets.setup import building
from motebench.targets.wire.messages import ProbeFailure


@cache
def cross_toolchain(machine: str) -> Toolchain:
    """The compiler for a machine of `host.machines`, which is fetched if it is not here. ProbeFailure of
    kind ``build`` if that fails."""
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
    """Whether its first build for a machine takes minutes: that of a whole library."""
    return "/" not in implementation


def usual(implementation: str) -> bool:
    """What is measured by default: motebench's own ciphers, which build within seconds, and whole libraries if they are
    built, because they are what people deploy."""
    return implementation.startswith("mote/") or takes_minutes(implementation)


def cross_target(machine: Machine, codes: Mapping[str, UserCode]) -> Target:
    """The target of a machine whose probes are built here. Only whole libraries are not built without being named."""

    def unbuilt() -> list[str]:
        built = machine.probes()
        names = (name for name, _ in offered(machine, codes))
        return [name for name in names if takes_minutes(plain(name)) and plain(name) not in built]

    def prepare(names: Sequence[str]) -> None:
        machine.build(sorted({plain(name) for name in names}))

    return Target(machine, lambda: dict(offered(machine, codes)), unbuilt=unbuilt, prepare=prepare)
