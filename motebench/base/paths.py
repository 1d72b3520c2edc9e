"""The paths of motebench's own files: the checkout from which it runs, or the home of an
installation.

A wheel carries the sources of probes, firmware and simulators (``motebench/_data``). They are
copied once into the user's cache folder, where programs are built: the installation itself may be
read-only, or serve several users.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from motebench.base.errors import SetupError
from motebench.base.files.access import replace

PROBE_PREFIX = "motebench-probe-"
"""Prefix of the file names of probes."""

OWN = "mote"
"""Prefix of the names of motebench's own implementations, followed by a slash."""

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the Python package."""


_INSTALLED = PACKAGE / "_data"
"""Catalog, studies and sources of an installation."""
_INTERPRETER = Path(".venv", "bin", "python")
_EXECUTABLE = 0o755
_MACHINE_BYTES = (slice(4, 6), slice(18, 20))
"""Bytes of an ELF header that hold class, byte order and processor."""
_ABANDONED_SECONDS = 24 * 3600
"""Age in seconds from which an unfinished home counts as abandoned."""


def data_root() -> Path:
    """The folder with ``catalog/``, ``studies/``, the sources, and ``build/``: the checkout, or the
    home of this installation; without a home the installed data, which nothing is built in."""
    return PACKAGE.parent if in_checkout() else _home()[0]


@cache
def in_checkout() -> bool:
    """True if motebench runs from a checkout of its sources."""
    return (PACKAGE.parent / "catalog" / "algorithms").is_dir()


def more_room() -> str:
    """Advice for a full disk of the builds."""
    return (
        "make room there"
        if in_checkout()
        else "make room there, or name another folder: MOTEBENCH_CACHE=/path"
    )


def unwritable() -> str:
    """Reason why nothing can be built: the home of this installation could not be made; empty if it
    exists.
    """
    problem = "" if in_checkout() else _home()[1]
    return f"nothing can be built: {problem}; {more_room()}" if problem else ""


def check_writable() -> None:
    """SetupError where nothing can be built."""
    if problem := unwritable():
        raise SetupError(problem)


def setup_line(optional: str = "") -> str:
    """The command that builds everything, with an optional part by name."""
    if in_checkout():
        return f"make setup WITH={optional}" if optional else "make setup"
    return f"motebench setup --with {optional}" if optional else "motebench setup"


def cache_folder() -> Path:
    """motebench's folder of the user's cache: ``MOTEBENCH_CACHE``, or as the XDG Base Directory
    Specification, 0.8, says."""
    own = os.environ.get("MOTEBENCH_CACHE", "")
    if own:
        return Path(own)
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if named.startswith("/") else Path.home() / ".cache") / "motebench"


@cache
def _home() -> tuple[Path, str]:
    """Home of this installation, and the reason if it has none (empty otherwise)."""
    home = cache_folder() / _installed_name()
    try:
        if not home.is_dir():
            _make_home(home)
        program, text = home / _INTERPRETER, _interpreter(home)
        if program.read_text(encoding="utf-8") != text:
            replace(program, text.encode())
    except OSError as error:
        return _INSTALLED, f"{error.filename or home}: {error.strerror or _first_of(error)}"
    return home, ""


def _first_of(error: OSError) -> str:
    """The reason of an error; of the first file, where copying a folder lists the errors of all."""
    import re
    import shutil

    if not isinstance(error, shutil.Error):
        return str(error)
    reason = str(error.args[0][0][-1])
    return re.sub(r"^\[Errno \d+\] ([^:]+).*", r"\1", reason, flags=re.DOTALL)


def _installed_name() -> str:
    """Version and digest of the installed data: two builds of one version get different homes."""
    import hashlib

    digest, version = hashlib.sha256(), "unknown"
    for record in sorted(PACKAGE.parent.glob("motebench-*.dist-info/RECORD")):
        version = record.parent.name.removeprefix("motebench-").removesuffix(".dist-info")
        lines = record.read_text(encoding="utf-8").splitlines()
        own = (
            line
            for line in lines
            if line.startswith("motebench/") and "sha256=" in line and ".pyc," not in line
        )
        digest.update("\n".join(sorted(own)).encode())
    return f"{version}-{digest.hexdigest()[:12]}"


def _make_home(home: Path) -> None:
    """Copy the installed data. The home appears whole or not at all; several processes may make it
    at once.
    """
    import shutil
    import tempfile

    home.parent.mkdir(parents=True, exist_ok=True)
    for abandoned in _abandoned(home.parent):
        shutil.rmtree(abandoned, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=f".{home.name}-", dir=home.parent))
    try:
        work.chmod(_EXECUTABLE)
        shutil.copytree(_INSTALLED, work, dirs_exist_ok=True)
        program = work / _INTERPRETER
        program.parent.mkdir(parents=True)
        program.write_text(_interpreter(home), encoding="utf-8")
        # An installer may have dropped this
        for script in (
            program,
            *work.rglob("*.sh"),
            *work.glob("prebuilt/*"),
        ):
            script.chmod(_EXECUTABLE)
        work.rename(home)
    except OSError:
        if not home.is_dir():  # else another process was quicker
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _abandoned(folder: Path) -> list[Path]:
    """Homes that were never finished, because their process was killed."""
    import time

    begun = time.time() - _ABANDONED_SECONDS
    return [
        path
        for path in folder.glob(".*-????????????-*")
        if path.is_dir() and path.stat().st_mtime < begun
    ]


def _interpreter(home: Path) -> str:
    """The program that lets the scripts of a home find this Python, which may be another one at
    every start; with packages that only builds need, in the home itself."""
    packages = home / "packages"
    return (
        f'#!/bin/sh\nPYTHONPATH="{packages}${{PYTHONPATH:+:$PYTHONPATH}}" exec '
        f'"{sys.executable}" "$@"\n'
    )


def catalog_dir() -> Path:
    """The folder of catalog files."""
    return data_root() / "catalog"


def own_catalogs() -> list[Path]:
    """Folders with a user's own catalog files, first match wins: ``MOTEBENCH_CATALOG``
    (``:``-separated).
    """
    return [Path(part) for part in os.environ.get("MOTEBENCH_CATALOG", "").split(":") if part]


def studies_dir() -> Path:
    """The folder of studies that come with motebench."""
    return data_root() / "studies"


def prebuilt(program: str) -> Path | None:
    """A program that this installation brought, if it is for the processor that this Python runs
    on.
    """
    path = data_root() / "prebuilt" / program
    try:
        with path.open("rb") as file, Path("/proc/self/exe").open("rb") as own:
            head, own_head = file.read(20), own.read(20)
    except OSError:
        return None
    same = all(head[part] == own_head[part] for part in _MACHINE_BYTES)
    return path if same and os.access(path, os.X_OK) else None


def probe_dirs() -> list[Path]:
    """Folders searched for host probes, first match wins. ``MOTEBENCH_PROBES`` (``:``-separated)
    comes first.
    """
    named = os.environ.get("MOTEBENCH_PROBES", "")
    dirs = [Path(part) for part in named.split(":") if part]
    dirs.append(data_root() / "build" / "probes")
    return dirs


def probes_in(folders: Iterable[Path]) -> dict[str, Path]:
    """Probe programs by implementation name; of two with one name, the first folder's wins.

    ``<folder>/motebench-probe-nettle`` is ``nettle``, ``<folder>/mote/motebench-probe-aes-small``
    is ``mote/aes-small``.
    """
    paths: dict[str, Path] = {}
    for folder in folders:
        programs = {name: path for path, name in _programs(folder)}
        for group in _entries(folder):
            programs |= {f"{group.name}/{name}": path for path, name in _programs(Path(group.path))}
        for name in sorted(programs, key=lambda name: programs[name]):
            paths.setdefault(name, programs[name])
    return paths


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Entries of a folder; empty if the path is no folder. It is called often, so it does not use
    `Path.iterdir`.
    """
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def _programs(folder: Path) -> list[tuple[Path, str]]:
    """The probes of a folder, each with the end of its name."""
    return [
        (Path(entry.path), entry.name.removeprefix(PROBE_PREFIX))
        for entry in _entries(folder)
        if entry.name.startswith(PROBE_PREFIX)
        and entry.is_file()
        and os.access(entry.path, os.X_OK)
    ]
