"""Compilers for boards: by name (the default GCC, clang, versions of both that are installed, those
that the user defines), and with a device's flags.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
from motebench.base.naming import COMPILER
from motebench.base.paths import data_root
from motebench.catalog.devices import Device
from motebench.targets.firmware.architecture import (
    ArchitectureTools,
    CLibrary,
    architecture,
    folder,
    port,
    with_device,
)
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.needs import compiler_line, install_line
from motebench.targets.wire.messages import ProbeFailure

DEFAULT_COMPILER = "gcc"
VARIABLE = "MOTEBENCH_COMPILERS"
_CLANG_NAME = "clang"
_VALID = (
    "NAME=PREFIX for a GCC, as gcc-14=/usr/local/gcc-14/bin/avr-; NAME=PROGRAM for a clang or a "
    "GCC that only compiles; with commas between"
)
_CLANGS = range(11, 31)
"""Versions of clang that are looked for."""
_WARNINGS = ("-Wall", "-Wextra")
# Code that is never called is not linked; constants and functions each have their own section for
# that.
_SECTIONS = ("-ffunction-sections", "-fdata-sections")
# Headers of the C library are those of the GCC that links. No unwind tables: GCC has none in C
# either.
_CLANG = (
    "-nostdlibinc",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fno-crash-diagnostics",
)

CXX_SOURCES = (".cpp", ".cc", ".cxx")
"""Endings of C++ files."""
_CXX = {"gcc": "g++", "clang": "clang++", "cc": "c++"}
"""Name of the C++ compiler by that of the C compiler."""


@dataclass(frozen=True, slots=True)
class NamedCompiler:
    """A compiler other than the default one.

    tool: for a GCC, the path before ``gcc``, which ends with a hyphen; otherwise the program of a
    clang or a GCC, which compiles C and leaves assembly and linking to the default GCC.
    """

    name: str
    tool: str

    @property
    def is_gcc(self) -> bool:
        """True if it is a GCC, with its own assembler and linker."""
        return self.tool.endswith("-")

    @property
    def program(self) -> str:
        """The program that compiles C."""
        return f"{self.tool}gcc" if self.is_gcc else self.tool

    @property
    def is_clang(self) -> bool:
        """True if it is not a GCC, neither with an assembler nor without."""
        return not self.is_gcc and not Path(self.tool).name.endswith(DEFAULT_COMPILER)

    @property
    def machine(self) -> str:
        """The machine for which a GCC builds; empty for a clang, which builds for many, or if it is
        unknown.
        """
        path = shutil.which(self.program)
        return "" if path is None or self.is_clang else _machine(path)


def named(
    text: str | None = None, *, find: Callable[[str], str | None] = shutil.which
) -> Mapping[str, NamedCompiler]:
    """Compilers other than the default ones: clang, its versions that are installed, and what the
    user defines. ``text``: the definitions, instead of those in the environment. ``find``: the
    search for a program.

    InputError for invalid definitions.
    """
    text = os.environ.get(VARIABLE, "") if text is None else text
    clangs = (f"{_CLANG_NAME}-{version}" for version in _CLANGS)
    compilers = {
        name: NamedCompiler(name, name)
        for name in (_CLANG_NAME, *clangs)
        if name == _CLANG_NAME or find(name)
    }
    for entry in (part.strip() for part in text.split(",")):
        if not entry:
            continue
        name, _, tool = (part.strip() for part in entry.partition("="))
        if (
            not tool
            or not name.replace("-", "").replace(".", "").isalnum()
            or name == DEFAULT_COMPILER
        ):
            raise InputError(f"{entry!r} is not a compiler", where=VARIABLE, valid=_VALID)
        compilers[name] = NamedCompiler(name, tool)
    return MappingProxyType(compilers)


def compilers(device: Device) -> Mapping[str, NamedCompiler]:
    """Compilers other than the default one by name: the `named` ones, those that were fetched, and
    the default one with its version, ``gcc-12.2``, which keeps a command from being answered by
    another version.
    """
    tools = architecture(device.architecture).tools
    prefix, _ = _default(tools)
    path = shutil.which(f"{prefix}{DEFAULT_COMPILER}")
    version = ".".join(_full_version(path).split(".")[:2]) if path else ""
    pinned = f"{DEFAULT_COMPILER}-{version}"
    own = {pinned: NamedCompiler(pinned, prefix)} if version else {}
    return {**_fetched(tools), **own, **named()}


def fetchable() -> frozenset[str]:
    """Names of the compilers that ``motebench setup --compiler`` fetches."""
    try:
        lines = (data_root() / "tools" / "compilers.txt").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(line.partition(" ")[0] for line in lines if line and line[0] != "#")


def _fetched(tools: ArchitectureTools) -> dict[str, NamedCompiler]:
    """Compilers from other releases of Debian that are here, for this architecture."""
    fetched = {}
    for name in sorted(fetchable()):
        programs = data_root() / "build" / "compilers" / name / "usr" / "bin"
        program = programs / (name if name.startswith(_CLANG_NAME) else f"{tools.prefix}gcc")
        if program.is_file():
            fetched[name] = NamedCompiler(name, str(program))
    return fetched


def compiler_hint(implementation: str, device: Device) -> str | None:
    """The way to the compiler in the name of an implementation, and those that are installed; None
    if it names none, or one whose name has no version.
    """
    name = implementation.partition(COMPILER)[2]
    kind, _, version = name.partition("-")
    if kind not in (DEFAULT_COMPILER, _CLANG_NAME) or not version:
        return None
    way = f"{VARIABLE} names compilers: {_VALID}"
    if name in fetchable():
        way = f"motebench setup --compiler {name} fetches it"
    elif kind == _CLANG_NAME and version.isdecimal():
        way = install_line(LinuxSystem(), name)
    installed = [other for other, tool in compilers(device).items() if shutil.which(tool.program)]
    return f"{name} is not installed, but {', '.join(installed) or 'no other compiler'}; {way}"


def _default(tools: ArchitectureTools) -> tuple[str, str | None]:
    """Prefix of the default GCC, and a hint where it is from if that is the environment."""
    prefix = os.environ.get(tools.variable) or tools.prefix
    return prefix, f"{tools.variable} says where it is" if prefix != tools.prefix else None


@cache
def _full_version(program: str) -> str:
    return output_of([program, "-dumpfullversion", "-dumpversion"]).strip()


@cache
def _machine(program: str) -> str:
    return output_of([program, "-dumpmachine"]).strip()


def output_of(command: Sequence[str], given: str = "") -> str:
    """Standard output of a program of a compiler."""
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, timeout=30
    ).stdout


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Compiler with its version, and the flags that a device needs before any others.

    compiler, device_flags: what compiles C, and what it is told first. driver, driver_flags: the
    GCC that assembles and links, and likewise; for a GCC the same. room: flags for the linker.
    script: a linker script of our own. alignment: bytes that buffers are aligned to. ram: the
    addresses of RAM in an ELF file. placed: where code is put, in words; may be empty. partial:
    flags for joining objects to one. foreign: it builds programs for other machines, whose objects
    this machine's objcopy cannot change.
    """

    compiler: str
    device_flags: tuple[str, ...]
    driver: str
    driver_flags: tuple[str, ...]
    size: str
    version: str
    room: tuple[str, ...]
    script: Path | None
    alignment: int
    ram: range
    placed: str
    partial: tuple[str, ...] = ()
    foreign: bool = False

    @property
    def objcopy(self) -> str:
        """The program that converts ELF files to other formats; it comes with ``size``."""
        return f"{self._prefix}objcopy"

    @property
    def objdump(self) -> str:
        """The program that disassembles ELF files; it comes with ``size``, too."""
        return f"{self._prefix}objdump"

    @property
    def _prefix(self) -> str:
        return self.size.removesuffix("size")

    @property
    def is_gcc(self) -> bool:
        """True if one GCC does everything."""
        return self.compiler == self.driver and not self.foreign

    def front(self, source: Path) -> tuple[str, ...]:
        """The program for a source, with its first arguments. GCC assembles, whichever program
        compiles C.
        """
        if source.suffix == ".c":
            return (self.compiler, *self.device_flags)
        if source.suffix in CXX_SOURCES and self.cxx:
            return (self.cxx, *self.driver_flags)
        return (self.driver, *self.driver_flags)

    @property
    def cxx(self) -> str:
        """The C++ compiler beside the driver; empty if it is not installed, or builds for other
        machines.
        """
        driver = Path(self.driver)
        ending = next((end for end in _CXX if driver.name.endswith(end)), None)
        if self.foreign or ending is None:
            return ""
        name = driver.name.removesuffix(ending) + _CXX[ending]
        return shutil.which(str(driver.with_name(name)) if driver.parent.name else name) or ""

    @property
    def of_library(self) -> Toolchain:
        """The same with GCC only: replacements of the C library are built like the rest of the
        library.
        """
        return replace(self, compiler=self.driver, device_flags=self.driver_flags)

    @property
    def linker(self) -> tuple[str, ...]:
        """The linker, with its first arguments."""
        return (self.driver, *self.driver_flags)

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """Flags for every source, without the optimisation level."""
        return ("-std=gnu11", *_WARNINGS, *_SECTIONS)

    @property
    def link_flags(self) -> tuple[str, ...]:
        """Flags for a whole firmware.

        The linker gets more memory than there is. The size of firmware that does not fit is then
        known exactly, and it is refused here.
        """
        # To the compiler itself: picolibc's brings a script of its own unless it knows of another.
        script = ("-T", str(self.script)) if self.script else ()
        return ("-Wl,--gc-sections", *self.room, *script)

    @property
    def linked_by(self) -> tuple[str, ...]:
        """Everything, except the objects, that determines the output of the linker."""
        script = self.script.read_text(encoding="utf-8") if self.script else ""
        return (self.version, *self.driver_flags, *self.room, script)


def toolchain(device: Device, name: str = DEFAULT_COMPILER) -> Toolchain:
    """The compiler of that name for that device.

    ProbeFailure of kind ``build`` if it is not installed, ``unsupported`` if it builds for other
    machines.
    """
    target, own = architecture(device.architecture), port(device.port)
    tools = target.tools
    prefix, hint = _default(tools)
    compiler_named = None if name == DEFAULT_COMPILER else _wanted(name, tools, device)
    if compiler_named is not None and compiler_named.is_gcc:
        prefix, hint = compiler_named.tool, f"{VARIABLE} says where it is"
    driver, size = _there(f"{prefix}gcc", hint), _there(f"{prefix}size", hint)
    version, flags = _version(driver, tools.library), with_device(own.flags or tools.flags, device)
    compiler, compiler_flags = driver, flags
    if compiler_named is not None and not compiler_named.is_gcc:
        compiler = _there(compiler_named.program, install_line(LinuxSystem(), "clang"))
        own_flags = (*with_device(own.clang or tools.clang, device), *_CLANG)
        if not compiler_named.is_clang:
            own_flags = tuple(flag for flag in flags if not flag.startswith("--specs"))
        compiler_flags = (*own_flags, *_headers(driver, flags))
        version = f"{_first_line(compiler)}; assembled and linked by {version}"
    return Toolchain(
        compiler=compiler,
        device_flags=compiler_flags,
        driver=driver,
        driver_flags=flags,
        size=size,
        version=version,
        room=with_device(own.link_flags or tools.link_flags, device),
        script=script_of(device),
        alignment=target.alignment,
        ram=range(*own.ram) if own.ram else target.addresses,
        placed=target.placed,
        partial=tools.partial_flags,
    )


def script_of(device: Device) -> Path | None:
    """The linker script: of the port, or of the architecture."""
    if own := port(device.port).script:
        return folder(device.port or "") / own
    script = architecture(device.architecture).script
    return folder(device.architecture) / script if script else None


def _wanted(name: str, tools: ArchitectureTools, device: Device) -> NamedCompiler:
    """A compiler other than the default one. ProbeFailure of kind ``unsupported`` if it is not
    here, or known not to work.
    """
    here = compilers(device)
    if name not in here:
        way = compiler_hint(f"{COMPILER}{name}", device) or f"one of {', '.join(here)}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"there is no compiler {name} here: {way}")
    compiler, why = here[name], ""
    if compiler.is_clang and tools.no_clang:
        why = f": {tools.no_clang}"
    elif compiler.machine and not compiler.machine.startswith(tools.machine):
        why = f", but for {compiler.machine}"
    if why:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"{name} cannot build firmware for {device.id}{why}"
        )
    return compiler


def _there(program: str, hint: str | None) -> str:
    """A compiler's path. ProbeFailure with a hint if it is not installed; by default, the line that
    installs it.
    """
    path = shutil.which(program)
    if path is None:
        hint = hint or compiler_line(LinuxSystem(), program) or "motebench doctor shows the line"
        raise ProbeFailure(FailureKind.BUILD, f"{program} is not installed; {hint}")
    return path


@cache
def _first_line(compiler: str) -> str:
    version_text = output_of([compiler, "--version"])
    return version_text.splitlines()[0] if version_text else compiler


@cache
def _version(compiler: str, library: CLibrary | None) -> str:
    version = _first_line(compiler)
    if library is None:
        return version
    text = f"#include <{library.header}>\n{library.macro}\n"
    expanded = output_of([compiler, *library.flags, "-E", "-P", "-x", "c", "-"], text).split()
    return f"{version}, {library.name} {expanded[-1].strip(chr(34))}" if expanded else version


@cache
def _headers(gcc: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Flags with the folders in which a GCC finds the headers of its C library, but not its own."""
    output = subprocess.run(
        [gcc, *flags, "-E", "-v", "-x", "c", os.devnull],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    ).stderr
    own = Path(output_of([gcc, *flags, "-print-file-name=include"]).strip()).resolve().parent
    listed = output.partition("search starts here:\n#include <...>")[2].partition(
        "End of search list"
    )[0]
    folders = [Path(line.strip()).resolve() for line in listed.splitlines()[1:]]
    return tuple(
        word
        for folder in folders
        if own not in folder.parents
        for word in ("-isystem", str(folder))
    )
