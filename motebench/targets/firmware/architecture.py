"""Architectures of boards: one file each, ``core/ports/<architecture>/architecture.toml``, next to
its C sources.

Everything that depends on the architecture, but not on the device, is read from this file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from motebench.base.files import toml
from motebench.base.model import FailureKind
from motebench.base.paths import data_root
from motebench.catalog.devices import Device
from motebench.catalog.schema import Count, Record, Text
from motebench.targets.wire.messages import ProbeFailure

Flags = tuple[Text, ...]
"""Flags for a compiler; ``{device.mcu}`` and similar placeholders stand for keys of the device's
file in the catalog, ``{folder}`` for the folder of the architecture."""


class CLibrary(Record):
    """The C library: its name, the header and the macro with its version, and flags that the header
    needs.
    """

    name: Text
    header: Text
    macro: Text
    flags: Flags = ()


class ArchitectureTools(Record):
    """Compilers of an architecture.

    ``prefix``: before ``gcc`` in the name of the default compiler, unless the environment's
    ``variable`` names another. ``machine``: how the machine begins that a GCC says it builds for.
    ``flags``: what a device needs; ``link_flags`` tell the linker of its memories;
    ``partial_flags`` are for objects that it joins to one. ``clang``: its flags; without them
    ``no_clang`` says why it builds no firmware.
    """

    prefix: Text
    variable: Text
    machine: Text
    flags: Flags
    link_flags: Flags
    partial_flags: Flags = ()
    clang: Flags = ()
    no_clang: Text | None = None
    library: CLibrary | None = None

    @model_validator(mode="after")
    def _clang_or_why_not(self) -> ArchitectureTools:
        if bool(self.clang) == bool(self.no_clang):
            raise ValueError("clang has flags, or no_clang says why it has none")
        return self


class Simulator(Record):
    """Simulator of the devices: a program in ``build/simulators``.

    ``flash_bytes``: the flash that it can have if firmware is larger than the device's; 0 if it has
    no such setting. ``script``: the linker script of such firmware, from the folder of the file, if
    it needs another. ``profiles``: it has ``--profile``, which counts cycles by function.
    ``secret_flow``: it has ``--secret-flow``, which follows where secrets flow.
    """

    program: Text
    profiles: bool = False
    secret_flow: bool = False
    flash_bytes: Annotated[int, Field(strict=True, ge=0)] = 0
    script: Text | None = None


class Architecture(Record):
    """Processor architecture of boards.

    ``alignment``: bytes that buffers are aligned to. ``ram``: the first address of RAM in an ELF
    file, and the first behind it. ``assembly``: ends the names of assembly sources, ``*_armv6m.S``.
    ``script``: a linker script, from the folder of the file. ``shares``: other architectures whose
    C sources are this one's too. ``placed``: words on where code is put, for hello. ``ram_code``:
    the linker script puts functions with ``MB_FROM_RAM`` into RAM. ``smaller``: flags of GCC for
    what is not timed; they cost cycles and save flash and stack.
    """

    alignment: Count
    ram: tuple[int, int]
    assembly: Text
    script: Text | None = None
    placed: str = ""
    shares: Flags = ()
    ram_code: Annotated[bool, Field(strict=True)] = False
    smaller: Flags = ()
    tools: ArchitectureTools
    simulator: Simulator

    @property
    def addresses(self) -> range:
        """The addresses of RAM in an ELF file."""
        return range(*self.ram)


class ChipPort(Record):
    """Differences of a chip from its architecture: ``core/ports/<port>/port.toml``, if that file
    exists.

    ``script``: a linker script, from the folder of the file. ``ram``, ``flags``, ``clang``,
    ``link_flags``: instead of those of the architecture. ``shares``: other ports whose sources are
    this one's too.
    """

    script: Text | None = None
    ram: tuple[int, int] | None = None
    flags: Flags = ()
    clang: Flags = ()
    link_flags: Flags = ()
    shares: Flags = ()


def with_device(flags: Flags, device: Device) -> Flags:
    """The flags for a device."""
    return tuple(flag.format(device=device, folder=folder(device.architecture)) for flag in flags)


def folder(name: str) -> Path:
    """The folder with the architecture's file and its C sources."""
    return data_root() / "core" / "ports" / name


@cache
def architecture(name: str) -> Architecture:
    """Architecture of a device. ProbeFailure of kind ``unsupported`` for an unknown name."""
    path = folder(name) / "architecture.toml"
    if not path.is_file():
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"there are no sources of firmware for {name}")
    return toml.validate(toml.load(path), Architecture)


@cache
def port(name: str | None) -> ChipPort:
    """Differences of the port of that name; empty without such a file, or if a device names no
    port.
    """
    path = folder(name) / "port.toml" if name else None
    return toml.validate(toml.load(path), ChipPort) if path and path.is_file() else ChipPort()
