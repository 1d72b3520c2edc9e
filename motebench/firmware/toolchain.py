"""Compilers for boards."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

from motebench.catalog.devices import Device
from motebench.model import FailureKind
from motebench.wire.messages import ProbeFailure

_PREFIX = {"avr": "avr-"}
_WARNINGS = ("-Wall", "-Wextra")
_ROOM = ("__TEXT_REGION_LENGTH__=0x7f0000", "__DATA_REGION_LENGTH__=0xf000")
# What is never called is not linked; constants and functions each have a section of their own for that.
_SECTIONS = ("-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler with its version, and the flags that a device needs before any others."""

    compiler: str
    size: str
    version: str
    device_flags: tuple[str, ...]

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """For every source, without the level of optimisation."""
        return (*self.device_flags, "-std=gnu11", *_WARNINGS, *_SECTIONS)

    @property
    def link_flags(self) -> tuple[str, ...]:
        """For a whole firmware.

        The linker is told of more memory than there is: what does not fit is then known to the byte, and refused here.
        """
        return (*self.device_flags, "-Wl,--gc-sections", *(f"-Wl,--defsym={room}" for room in _ROOM))


def toolchain(device: Device) -> Toolchain:
    """The compiler for that device. ProbeFailure of kind ``build`` if it is not installed."""
    prefix = _PREFIX[device.architecture]
    compiler, size = shutil.which(f"{prefix}gcc"), shutil.which(f"{prefix}size")
    if compiler is None or size is None:
        raise ProbeFailure(FailureKind.BUILD, f"{prefix}gcc is not installed; motebench doctor shows the line")
    return Toolchain(compiler, size, _version(compiler), (f"-mmcu={device.mcu}",))


@cache
def _version(compiler: str) -> str:
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    return said.splitlines()[0] if said else compiler
