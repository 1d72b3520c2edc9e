"""The paths of motebench's own files: the checkout from which it runs, or the data installed with it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

PROBE_PREFIX = "motebench-probe-"
"""Prefix of the file names of probes."""

OWN = "mote"
"""Prefix of the names of motebench's own implementations, followed by a slash."""

_PACKAGE = Path(__file__).resolve().parents[1]


def data_root() -> Path:
    """The folder with ``catalog/`` and ``studies/``."""
    checkout = _PACKAGE.parent
    if (checkout / "catalog" / "algorithms").is_dir():
        return checkout
    return _PACKAGE / "_data"


def catalog_dir() -> Path:
    """The folder of catalog files."""
    return data_root() / "catalog"


def own_catalogs() -> list[Path]:
    """Folders with a user's own catalog files, first match wins: ``MOTEBENCH_CATALOG`` (``:``-separated)."""
    return [Path(part) for part in os.environ.get("MOTEBENCH_CATALOG", "").split(":") if part]


def studies_dir() -> Path:
    """The folder of studies that come with motebench."""
    return data_root() / "studies"


def probe_dirs() -> list[Path]:
    """Folders searched for host probes, first match wins. ``MOTEBENCH_PROBES`` (``:``-separated) comes first."""
    named = os.environ.get("MOTEBENCH_PROBES", "")
    dirs = [Path(part) for part in named.split(":") if part]
    dirs.append(data_root() / "build" / "probes")
    return dirs


def probes_in(folders: Iterable[Path]) -> dict[str, Path]:
    """Probe programs by implementation name; of two with one name, the first folder's wins.

    ``<folder>/motebench-probe-nettle`` is ``nettle``, ``<folder>/mote/motebench-probe-aes-small`` is
    ``mote/aes-small``.
    """
    found: dict[str, Path] = {}
    for folder in folders:
        programs = {name: path for path, name in _programs(folder)}
        for group in _entries(folder):
            programs |= {f"{group.name}/{name}": path for path, name in _programs(Path(group.path))}
        for name in sorted(programs, key=lambda name: programs[name]):
            found.setdefault(name, programs[name])
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if it is none. It is asked often, so it is not `Path.iterdir`."""
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
        if entry.name.startswith(PROBE_PREFIX) and entry.is_file() and os.access(entry.path, os.X_OK)
    ]
