"""Builds missing programs on demand: probes of this host, the launcher of commands, simulators.

``tools/setup.sh build`` does the work, in the checkout or the home of an installation. Builds there
have one lock, and write their output to ``.setup/build.log``.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import MotebenchError
from motebench.base.model import FailureKind
from motebench.base.naming import plain
from motebench.base.paths import check_writable, data_root, more_room, unwritable
from motebench.base.process import program
from motebench.targets.firmware.sources import offered, own_implementations
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.checks import LAUNCHER, CheckStatus, library_check
from motebench.targets.setup.needs import (
    AdapterNeeds,
    LanguageNeeds,
    adapter_files,
    install_line,
    language_files,
    outdated,
    read_adapter,
    read_language,
)
from motebench.targets.setup.steps import StepBook, StepMemory, watch
from motebench.targets.setup.vendor import source as pinned

__all__ = [
    "CROSS_COMPILER",
    "LAUNCHER",
    "SIMULATORS",
    "build",
    "build_cross",
    "build_cross_program",
    "build_everything",
    "build_marked",
    "build_program",
    "buildable",
    "cross_buildable",
    "cross_compiler_version",
    "fetch_compilers",
    "fetch_named",
    "known",
    "lacking",
    "say",
]

SIMULATORS = "simulators"
CROSS_COMPILER = "cross/compiler"
_COMPILERS = "compiler/"
_SOURCES = "sources/"
"""Prefix of a library's name that means its pinned sources, for the script."""
_TOOLS = (("cmake",), ("make", "ninja"), ("cc", "gcc", "clang"))
_CXX = ("c++", "g++", "clang++")
_WORDS_KEPT = 300
_LEAST_ROOM = 1 << 18
"""Bytes of free disk space below which nothing is built."""


@dataclass(frozen=True, slots=True)
class _Recipe:
    """Recipe of a probe.

    parts: arguments for the script. lacking: what must be installed first, as text; None if nothing
    is missing. cross: it is also built for other machines.
    """

    parts: tuple[str, ...]
    lacking: Callable[[], str | None]
    cross: bool = False


@cache
def _recipes() -> Mapping[str, _Recipe]:
    """The recipe of every probe with sources, by implementation."""
    if not _script().is_file():
        return MappingProxyType({})
    recipes: dict[str, _Recipe] = {}
    for path in language_files():
        try:
            language = read_language(path)
        except MotebenchError:
            continue  # `motebench doctor` reports it
        for name in language.implementations.split():
            recipes[name] = _Recipe((name,), partial(_language_lacks, language))
    for path in adapter_files():
        try:
            needs = read_adapter(path)
        except MotebenchError:
            continue
        whole = needs.name in pinned.libraries()
        recipes[needs.name] = _Recipe((needs.name,), partial(_adapter_lacks, needs), cross=whole)
    recipes |= {name: _Recipe((name,), _tools_lack, cross=True) for name in own_implementations()}
    for source in pinned.sources().values():
        for name in (
            f"{source.name}/{name}"
            for name, entry in source.implementation.items()
            if entry.has_probe
        ):
            recipes[name] = _Recipe((f"{_SOURCES}{source.name}", name), _tools_lack, cross=True)
    return MappingProxyType(recipes)


def _script() -> Path:
    return data_root() / "tools" / "setup.sh"


def _log() -> Path:
    return data_root() / ".setup" / "build.log"


def _times() -> Path:
    return data_root() / "build" / "times.json"


def _tools_lack() -> str | None:
    machine = LinuxSystem()
    for programs in _TOOLS:
        command = next(filter(machine.which, programs), None)
        package = "gcc libc6-dev" if "gcc" in programs else programs[0]
        if command is None:
            return f"{programs[0]}, which is not installed: {install_line(machine, package)}"
        if problem := _outdated(machine.which(command) or command, command):
            return f"a newer tool: {problem}"
    return None


@cache
def _outdated(path: str, command: str) -> str | None:
    """Reason why the program at this path is outdated, as `outdated` gives it."""
    del path
    return outdated(LinuxSystem(), command)


def _adapter_lacks(needs: AdapterNeeds) -> str | None:
    with_ = data_root() / ".setup" / "with"
    if needs.optional and not (
        with_.is_file() and needs.name in with_.read_text(encoding="utf-8").split()
    ):
        return f"your consent, because {needs.library} {needs.reason}: {needs.build_line}"
    machine = LinuxSystem()
    if needs.language == "C++" and not any(map(machine.which, _CXX)):
        return f"a C++ compiler, which is not installed: {install_line(machine, 'g++')}"
    if needs.from_source:
        return _tools_lack()
    check = library_check(machine, needs, CheckStatus.MISSING)
    if check.status is not CheckStatus.OK:
        newer = f" {needs.minimum} or newer" if needs.minimum else ""
        return f"{needs.library}{newer}, which is not installed ({check.found}): {check.remedy}"
    return _tools_lack()


def _language_lacks(needs: LanguageNeeds) -> str | None:
    machine = LinuxSystem()
    gone = [command for command in needs.commands.split() if not machine.which(command)]
    line = install_line(machine, needs.debian, needs.ubuntu, otherwise=f"see {needs.url}")
    return f"{' and '.join(gone)}, not installed: {line}" if gone else None


def lacking(implementation: str) -> str | None:
    """Sentence on packages that the probe of an implementation needs, with the command; None if
    none is missing, or if it has no sources."""
    recipe = _recipes().get(implementation)
    needed = recipe.lacking() if recipe else None
    return f"its probe needs {needed}" if needed else None


def known() -> list[str]:
    """Every implementation of this host that has sources, whether it can be built or not."""
    return sorted(_recipes())


def buildable(built: Iterable[str]) -> list[str]:
    """The implementations that can be built here and are not built yet."""
    return sorted(name for name in _recipes().keys() - set(built) if lacking(name) is None)


def build(implementations: Sequence[str]) -> str | None:
    """Build probes, with a progress line on standard error. Return the failure as text with the
    path of the log, or None. SetupError if the disk is full.
    """
    check_writable()
    chosen = [_recipes()[name] for name in implementations if name in _recipes()]
    parts = dict.fromkeys(part for recipe in chosen for part in recipe.parts)
    return _make(
        f"the probe{'s' if len(implementations) > 1 else ''} of {_listed(implementations)}",
        list(parts),
    )


def build_marked(implementations: Sequence[str]) -> str | None:
    """Build probes that mark secrets for valgrind; as `build`."""
    own = (name for name in implementations if name in _recipes())
    sources = [part for name in own for part in _recipes()[name].parts if part.startswith(_SOURCES)]
    return _make(
        f"the probe{'s' if len(implementations) > 1 else ''} of {_listed(implementations)} with "
        "marks for valgrind",
        [*sources, *(f"marked/{name}" for name in implementations)],
    )


def cross_buildable(built: Iterable[str]) -> list[str]:
    """The implementations that can be built for other machines, without those that are there."""
    names = {name for name, recipe in _recipes().items() if recipe.cross}
    return [] if _tools_lack() else sorted(names - set(built))


def build_cross(machine: str, implementations: Sequence[str]) -> str | None:
    """Build probes for a machine of `host.machines`; as `build`."""
    sources = {
        f"{_SOURCES}{name.partition('/')[0]}": None
        for name in implementations
        if name in _whole_or_pinned()
    }
    parts = [*sources, *(f"cross/{machine}/{name}" for name in implementations)]
    work = (
        f"the probe{'s' if len(implementations) > 1 else ''} of {_listed(implementations)} for "
        f"{machine}"
    )
    return _make(work, parts)


def _whole_or_pinned() -> set[str]:
    """Implementations whose sources are fetched before they are built for another machine."""
    return {name for name, recipe in _recipes().items() if recipe.parts[0].startswith(_SOURCES)} | {
        *pinned.libraries()
    }


def build_cross_program(machine: str, name: str) -> str | None:
    """Build the launcher for a machine of `host.machines`; as `build`."""
    return _make(f"{name} for {machine}", [f"cross/{machine}/{name}"])


def build_program(name: str) -> str | None:
    """Build the launcher or the simulators, or fetch the compiler for other machines; as
    `build`.
    """
    if not _script().is_file():
        return f"{name} cannot be built without motebench's sources"
    if name != CROSS_COMPILER and (tools := _tools_lack()):
        return f"building needs {tools}"
    if name == CROSS_COMPILER:
        return _make("the compiler for other machines", [name], doing="fetching")
    return _make(name, [name])


def build_everything(optional: Sequence[str]) -> bool:
    """Build everything that the home of this installation can have, with these optional parts
    (``none``: without them). Messages go to standard error. True if all succeeded. SetupError if
    the disk is full.
    """
    check_writable()
    streams = (subprocess.DEVNULL, sys.stderr.fileno(), None)
    with program([str(_script()), "installed", *optional], streams=streams) as process:
        process.wait()
    return process.returncode == 0


def cross_compiler_version() -> str:
    """The compiler for other machines with its version, as text."""
    try:
        return f"zig cc {metadata.version('ziglang')}"
    except metadata.PackageNotFoundError:
        return "zig cc"


def fetch_compilers(names: Sequence[str]) -> str | None:
    """Fetch compilers for boards from other releases of Debian. The problem, or None."""
    return _make(_listed(names), [f"{_COMPILERS}{name}" for name in names], doing="fetching")


def fetch_named(patterns: Iterable[str]) -> None:
    """Fetch the pinned sources of the libraries whose implementations are named: ``bearssl/*``."""
    if not _script().is_file():
        return
    libraries = {plain(pattern).partition("/")[0] for pattern in patterns if "/" in pattern}
    missing = [
        source
        for source in pinned.sources().values()
        if source.name in libraries and not source.fetched
    ]
    if missing:
        work = f"the sources of {_listed([source.library for source in missing])}"
        problem = _make(work, [f"{_SOURCES}{source.name}" for source in missing], doing="fetching")
        if problem:
            say(problem)
        pinned.implementations.cache_clear()
        offered.cache_clear()


def _make(programs: str, parts: Sequence[str], doing: str = "building") -> str | None:
    if problem := unwritable():
        return problem
    say(f"{doing} {programs}, once")
    book = StepBook(f"{doing} {programs}", StepMemory(_times()))
    began = time.monotonic()
    code, output = _run_script(["build", *parts], book)
    took = time.monotonic() - began
    if code == 0:
        book.memory.keep(book.took)
        say(f"it took {took:.0f} s")
        return None
    if _disk_is_full(output):
        return (
            f"{doing} {programs} failed after {took:.0f} s: the disk of {data_root()} is full; "
            f"{more_room()}"
        )
    last = " ".join(output.split()[-20:])[-_WORDS_KEPT:]
    return (
        f"{doing} {programs} failed after {took:.0f} s{f': {last}' if last else ''}; {_log()} has "
        "the messages of the tools"
    )


def _disk_is_full(output: str) -> bool:
    """True if a tool reported a full disk, or one more object file does not fit."""
    with suppress(OSError):
        output += _log().read_text(encoding="utf-8", errors="replace")
    if FailureKind.of(output, FailureKind.BUILD) is FailureKind.NO_ROOM:
        return True
    return shutil.disk_usage(data_root()).free < _LEAST_ROOM


def _run_script(arguments: Sequence[str], book: StepBook) -> tuple[int, str]:
    """Exit code of the script, and its standard error. All programs that it started end with it."""
    with tempfile.TemporaryFile() as errors:
        streams = (subprocess.DEVNULL, subprocess.PIPE, errors)
        with program([str(_script()), *arguments], streams=streams) as process:
            watch(process, book, _log())
        errors.seek(0)
        return process.returncode, errors.read().decode("utf-8", "replace")


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def say(text: str) -> None:
    """Print a line for the user: the command line writes it to standard error."""
    logging.getLogger("motebench").info(text)
