"""Needs of an installation: the library of each adapter, and the Python packages that motebench
depends on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from importlib import metadata
from pathlib import Path
from typing import Any

from motebench.base import paths
from motebench.base.errors import InputError
from motebench.targets.machine.description import os_release
from motebench.targets.machine.system import LinuxSystem

_LANGUAGES = ("C", "C++")
_NOT_NEEDED = {
    "pkg_config",
    "minimum",
    "language",
    "optional",
    "from_source",
    "commands",
    "algorithms",
}
_MINIMA = {"cmake": "3.18", "gcc": "4.9", "clang": "3.6"}
"""Lowest versions of tools: CMake's is in every CMakeLists.txt, those of compilers are the first
with C11.
"""
_TOOL_VERSION = re.compile(r"(?:version |\) |^gcc )(\d+(?:\.\d+)+)")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:>=\s*([0-9.]+))?")


@dataclass(frozen=True, slots=True)
class AdapterNeeds:
    """Needs of an adapter, ``core/adapters/<name>/adapter.toml``. All values but one are texts.

    name: the implementation, and the name of the folder. library: its name in prose. licence: of
    the library, an SPDX expression. url: its home. header: a header to be found by the compiler.
    debian, ubuntu: the package that installs headers and library. pkg_config: its pkg-config
    module, and minimum: the lowest version of it that will do; both may be absent. language: what
    the adapter is written in, C or C++. optional (true or false): neither installed nor built
    unless asked for by name. from_source (true or false): the library is built by ``build.sh`` of
    the same folder, from the sources of ``source.toml``; then debian and ubuntu are packages that
    this takes, and commands is their programs, with a space between. algorithms: all whose schemes
    the adapter may offer, likewise; absent: unknown.
    """

    name: str
    library: str
    licence: str
    url: str
    header: str
    debian: str
    ubuntu: str
    pkg_config: str | None = None
    minimum: str | None = None
    language: str = "C"
    optional: bool = False
    from_source: bool = False
    commands: str | None = None
    algorithms: str | None = None

    @property
    def build_line(self) -> str:
        """The command that builds this adapter's probe."""
        return paths.setup_line(self.name if self.optional else "")

    @property
    def reason(self) -> str:
        """Reason why an optional adapter is not built by default, as a predicate."""
        return "is built from its sources" if self.from_source else f"is {self.licence}"


@dataclass(frozen=True, slots=True)
class LanguageNeeds:
    """Needs of probes in another language, ``probes/<folder>/probe.toml``. All values are texts.

    language: its name in prose. implementations: those its probes measure, with a space between.
    commands: the programs that build them, likewise. debian, ubuntu: the packages that bring these.
    url: where they come from. algorithms: as of `AdapterNeeds`, of all of them together.
    """

    language: str
    implementations: str
    commands: str
    debian: str
    ubuntu: str
    url: str
    algorithms: str | None = None


@dataclass(frozen=True, slots=True)
class BoardNeeds:
    """Needs of simulated boards and their firmware, ``simulators/<folder>/simulator.toml``. All
    values are texts.

    title: which boards. commands: the programs that build firmware, with a space between. header:
    one that the packages bring, if one is needed. debian, ubuntu: the packages that bring these.
    url: the home of these programs. optional: whether `make setup` installs them only by
    WITH=FOLDER.
    """

    title: str
    commands: str
    debian: str
    ubuntu: str
    url: str
    header: str | None = None
    optional: bool = False


def read_board(path: Path) -> BoardNeeds:
    """Read one ``simulator.toml``. InputError if it does not match ``BoardNeeds``."""
    names = {field.name for field in fields(BoardNeeds)}
    return BoardNeeds(**_read(path, allowed=names, required=names - {"header", "optional"}))


def board_files(folder: Path | None = None) -> list[Path]:
    """Every ``simulator.toml``; none if motebench is installed without its sources."""
    return sorted((folder or paths.data_root() / "simulators").glob("*/simulator.toml"))


def read_language(path: Path) -> LanguageNeeds:
    """Read one ``probe.toml``. InputError if it does not match ``LanguageNeeds``."""
    names = {field.name for field in fields(LanguageNeeds)}
    return LanguageNeeds(**_read(path, allowed=names, required=names - {"algorithms"}))


def language_files(folder: Path | None = None) -> list[Path]:
    """Every ``probe.toml``; none if motebench is installed without its sources."""
    return sorted((folder or paths.data_root() / "probes").glob("*/probe.toml"))


def _read(path: Path, *, allowed: set[str], required: set[str]) -> dict[str, Any]:
    valid = ", ".join(sorted(allowed))
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise InputError(f"cannot be read: {problem}", where=str(path)) from problem
    for key, value in content.items():
        if key not in allowed:
            raise InputError(f"unknown key {key!r}", where=str(path), valid=valid)
        if key in ("optional", "from_source"):
            if not isinstance(value, bool):
                raise InputError(
                    f"{key} must be true or false", where=str(path), valid="true, false"
                )
        elif not isinstance(value, str) or not value:
            raise InputError(f"{key} must be text", where=str(path), valid=valid)
    missing = sorted(required - content.keys())
    if missing:
        raise InputError(f"{missing[0]} is missing", where=str(path), valid=valid)
    return content


def read_adapter(path: Path) -> AdapterNeeds:
    """Read one ``adapter.toml``. InputError if it does not match ``AdapterNeeds``."""
    allowed = {field.name for field in fields(AdapterNeeds)}
    content = _read(path, allowed=allowed, required=allowed - _NOT_NEEDED)
    if content["name"] != path.parent.name:
        raise InputError(
            "name differs from the name of the folder", where=str(path), valid=path.parent.name
        )
    if content.get("language", "C") not in _LANGUAGES:
        raise InputError(
            f"unknown language {content['language']!r}",
            where=str(path),
            valid=", ".join(_LANGUAGES),
        )
    return AdapterNeeds(**content)


def adapter_files(folder: Path | None = None) -> list[Path]:
    """Every ``adapter.toml`` by name of the adapter; none if motebench is installed without its
    sources.
    """
    return sorted((folder or paths.data_root() / "core" / "adapters").glob("*/adapter.toml"))


@dataclass(frozen=True, slots=True)
class PythonNeed:
    """A Python package that motebench depends on, its lowest accepted version, and the installed
    version.
    """

    name: str
    minimum: str | None
    installed: str | None

    @property
    def satisfied(self) -> bool:
        """True if it is installed and new enough."""
        return self.installed is not None and (
            self.minimum is None or version_key(self.installed) >= version_key(self.minimum)
        )


def version_key(text: str) -> tuple[int, ...]:
    """The leading numbers of a version: ``2.4.0.post1`` is (2, 4). Trailing zeros are dropped."""
    match = re.match(r"\d+(?:\.\d+)*", text)
    parts = [int(part) for part in match[0].split(".")] if match else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def python_needs(requirements: Iterable[str] | None = None) -> list[PythonNeed]:
    """The Python packages that motebench depends on: from its own metadata, else from
    pyproject.toml.
    """
    lines = requirements if requirements is not None else _own_requirements()
    return [
        PythonNeed(match[1], match[2], _installed(match[1]))
        for line in lines
        if (match := _REQUIREMENT.match(line))
    ]


def _own_requirements() -> Iterator[str]:
    try:
        lines = metadata.requires("motebench") or []
    except metadata.PackageNotFoundError:
        try:
            content = tomllib.loads(
                (paths.data_root() / "pyproject.toml").read_text(encoding="utf-8")
            )
        except (OSError, tomllib.TOMLDecodeError):
            return
        lines = content["project"]["dependencies"]
    yield from (line for line in lines if "extra ==" not in line)


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def outdated(machine: LinuxSystem, command: str) -> str | None:
    """The version of CMake or a compiler that is too old to build motebench, and the lowest that
    will do; else None.
    """
    line = (machine.run([command, "--version"]) or "").partition("\n")[0]
    version = _TOOL_VERSION.search(line)
    tool = "cmake" if command == "cmake" else "clang" if "clang" in line else "gcc"
    minimum = _MINIMA[tool]
    if version is None or version_key(version[1]) >= version_key(minimum):
        return None
    return f"{command} {version[1]} is too old: it must be {tool} {minimum} or newer"


def compiler_line(machine: LinuxSystem, program: str) -> str | None:
    """The command that installs a compiler of boards; None for one that no board names."""
    for path in board_files():
        needs = read_board(path)
        if program in needs.commands.split():
            by_hand = f"install what Debian calls {needs.debian} ({needs.url})"
            return install_line(machine, needs.debian, needs.ubuntu, otherwise=by_hand)
    return None


def install_line(
    machine: LinuxSystem, debian: str, ubuntu: str | None = None, *, otherwise: str | None = None
) -> str:
    """The command that installs a package here; without apt, the name to look for."""
    if not machine.which("apt-get"):
        return otherwise or f"install what Debian calls {debian}"
    release = os_release(machine.text("/etc/os-release") or "")
    package = ubuntu if ubuntu and release.get("ID") == "ubuntu" else debian
    return f"{'' if machine.privileged() else 'sudo '}apt-get install -y {package}"
