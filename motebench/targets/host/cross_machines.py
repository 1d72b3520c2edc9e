"""Machines that probes are built for here: one file each,
``core/ports/posix/machines/<name>.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from motebench.base.files import toml
from motebench.base.paths import data_root, probes_in
from motebench.catalog.schema import Record, Text


class Compiler(Record):
    """``target`` and ``flags``: of zig cc (``tools/setup.sh`` reads them); words with a space
    between."""

    target: Text
    flags: Text


class Emulator(Record):
    """``program``: of QEMU's user emulation. ``cpu``: the processor model it is asked for.
    ``environment``: variables of the probes, which say what the emulator does not
    (``core/ports/posix/hwcap.c``)."""

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
    return MappingProxyType({path.stem: toml.validate(toml.load(path), CrossMachine) for path in files})


def cross_program(machine: str, name: str) -> Path | None:
    """Another program that is built for a machine; None if it is not."""
    path = data_root() / "build" / "cross" / machine / "probes" / name
    return path if path.is_file() else None


def cross_probes(machine: str) -> dict[str, Path]:
    """The probes that are built for a machine, by implementation."""
    return probes_in([data_root() / "build" / "cross" / machine / "probes"])
