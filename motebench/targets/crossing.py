"""The compiler for other machines, as something that builds user code."""

from __future__ import annotations

from functools import cache

from motebench.firmware.toolchain import Toolchain
from motebench.model import FailureKind
from motebench.paths import data_root
from motebench.targets import building
from motebench.targets.machines import cross_machines
from motebench.wire.messages import ProbeFailure


@cache
def cross_toolchain(machine: str) -> Toolchain:
    """The compiler for a machine of `motebench.targets.machines`, which is fetched if it is not here. ProbeFailure of
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
