"""The compilers for firmware by name: the default GCC of a board, clang, and those that the user defines."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from motebench.base.errors import InputError

DEFAULT_COMPILER = "gcc"
VARIABLE = "MOTEBENCH_COMPILERS"
_CLANG = "clang"
_VALID = "NAME=PREFIX for a GCC, as gcc-14=/usr/local/gcc-14/bin/avr-; NAME=PROGRAM for a clang; with commas between"


@dataclass(frozen=True, slots=True)
class NamedCompiler:
    """A compiler other than the default one.

    tool: for a GCC, the path before ``gcc``, which ends with a hyphen; otherwise the program of a clang, which compiles
    C and leaves assembly and linking to the default GCC.
    """

    name: str
    tool: str

    @property
    def is_gcc(self) -> bool:
        """Whether it is a GCC, with its own assembler and linker."""
        return self.tool.endswith("-")

    @property
    def program(self) -> str:
        """The program that compiles C."""
        return f"{self.tool}gcc" if self.is_gcc else self.tool

    @property
    def machine(self) -> str:
        """The machine for which a GCC builds; empty for a clang, which builds for many, or if it is unknown."""
        path = shutil.which(self.program)
        return _machine(path) if path and self.is_gcc else ""


def named(text: str | None = None) -> Mapping[str, NamedCompiler]:
    """Every compiler other than the default ones. ``text``: the definitions, instead of those in the environment.

    InputError for invalid definitions.
    """
    text = os.environ.get(VARIABLE, "") if text is None else text
    found = {_CLANG: NamedCompiler(_CLANG, _CLANG)}
    for entry in (part.strip() for part in text.split(",")):
        if not entry:
            continue
        name, _, tool = (part.strip() for part in entry.partition("="))
        if not tool or not name.replace("-", "").replace(".", "").isalnum() or name == DEFAULT_COMPILER:
            raise InputError(f"{entry!r} is not a compiler", where=VARIABLE, valid=_VALID)
        found[name] = NamedCompiler(name, tool)
    return MappingProxyType(found)


@cache
def _machine(program: str) -> str:
    return output_of([program, "-dumpmachine"]).strip()


def output_of(command: Sequence[str], given: str = "") -> str:
    """Standard output of a program of a compiler."""
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=30).stdout
