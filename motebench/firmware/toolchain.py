"""Compilers for boards."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from motebench.catalog.devices import Device
from motebench.firmware.sources import core_dir
from motebench.model import FailureKind
from motebench.wire.messages import ProbeFailure

_WARNINGS = ("-Wall", "-Wextra")
# What is never called is not linked; constants and functions each have a section of their own for that.
_SECTIONS = ("-ffunction-sections", "-fdata-sections")
_NANO = ("--specs=nano.specs",)


@dataclass(frozen=True, slots=True)
class _Family:
    """What the compilers of an architecture have in common.

    variable: of the environment, names other tools by what stands before gcc. device, room: flags that a device needs,
    and those that tell the linker of its memories. alignment: bytes that buffers are aligned to. library: header and
    macro of the version of the C library, and its name. placed: words on where code is put, for hello. ram: the
    addresses of RAM in an ELF file.
    """

    prefix: str
    variable: str
    device: Callable[[Device], tuple[str, ...]]
    room: Callable[[Device], tuple[str, ...]]
    alignment: int
    ram: range
    script: str | None = None
    library: tuple[str, str, str] | None = None
    placed: str = ""


def _avr_device(device: Device) -> tuple[str, ...]:
    return (f"-mmcu={device.mcu}",)


def _avr_room(device: Device) -> tuple[str, ...]:
    del device
    return tuple(
        f"-Wl,--defsym={room}" for room in ("__TEXT_REGION_LENGTH__=0x7f0000", "__DATA_REGION_LENGTH__=0xf000")
    )


def _arm_device(device: Device) -> tuple[str, ...]:
    return (f"-mcpu={device.core}", "-mthumb", *_NANO)


def _arm_room(device: Device) -> tuple[str, ...]:
    known = {"mb_flash_begin": device.boot_loader_bytes, "mb_ram_bytes": device.ram_bytes}
    return ("-nostartfiles", *(f"-Wl,--defsym={name}={value:#x}" for name, value in known.items()))


_FAMILIES = {
    "avr": _Family("avr-", "MOTEBENCH_AVR_TOOLS", _avr_device, _avr_room, alignment=1, ram=range(0x800000, 0x810000)),
    "armv6-m": _Family(
        "arm-none-eabi-",
        "MOTEBENCH_ARM_TOOLS",
        _arm_device,
        _arm_room,
        alignment=8,
        ram=range(0x20000000, 0x40000000),
        script="armv6-m/firmware.ld",
        library=("_newlib_version.h", "_NEWLIB_VERSION", "newlib-nano"),
        placed="functions at 8 B",
    ),
}


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler with its version, and the flags that a device needs before any others.

    room: flags for the linker. script: a linker script of our own. alignment: bytes that buffers are aligned to. ram:
    the addresses of RAM in an ELF file. placed: where code is put, in words; may be empty.
    """

    compiler: str
    size: str
    version: str
    device_flags: tuple[str, ...]
    room: tuple[str, ...]
    script: Path | None
    alignment: int
    ram: range
    placed: str

    @property
    def objcopy(self) -> str:
        """What makes other formats of an ELF file; it comes with ``size``."""
        return f"{self.size.removesuffix('size')}objcopy"

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """For every source, without the level of optimisation."""
        return (*self.device_flags, "-std=gnu11", *_WARNINGS, *_SECTIONS)

    @property
    def link_flags(self) -> tuple[str, ...]:
        """For a whole firmware.

        The linker is told of more memory than there is: what does not fit is then known to the byte, and refused here.
        """
        script = (f"-Wl,-T,{self.script}",) if self.script else ()
        return (*self.device_flags, "-Wl,--gc-sections", *self.room, *script)

    @property
    def linked_by(self) -> tuple[str, ...]:
        """What decides, beside the objects, what the linker makes."""
        script = self.script.read_text(encoding="utf-8") if self.script else ""
        return (self.version, *self.device_flags, *self.room, script)


def toolchain(device: Device) -> Toolchain:
    """The compiler for that device. ProbeFailure of kind ``build`` if it is not installed."""
    family = _FAMILIES[device.architecture]
    prefix = os.environ.get(family.variable) or family.prefix
    compiler, size = shutil.which(f"{prefix}gcc"), shutil.which(f"{prefix}size")
    if compiler is None or size is None:
        hint = f"{family.variable} says where it is" if prefix != family.prefix else "motebench doctor shows the line"
        raise ProbeFailure(FailureKind.BUILD, f"{prefix}gcc is not installed; {hint}")
    return Toolchain(
        compiler=compiler,
        size=size,
        version=_version(compiler, family),
        device_flags=family.device(device),
        room=family.room(device),
        script=core_dir() / "ports" / family.script if family.script else None,
        alignment=family.alignment,
        ram=family.ram,
        placed=family.placed,
    )


@cache
def _version(compiler: str, family: _Family) -> str:
    said = output_of([compiler, "--version"])
    version = said.splitlines()[0] if said else compiler
    if family.library is None:
        return version
    header, macro, name = family.library
    expanded = output_of([compiler, *_NANO, "-E", "-P", "-x", "c", "-"], f"#include <{header}>\n{macro}\n").split()
    return f"{version}, {name} {expanded[-1].strip(chr(34))}" if expanded else version


def output_of(command: Sequence[str], given: str = "") -> str:
    """What a program of a compiler prints."""
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=30).stdout
