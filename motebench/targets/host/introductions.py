"""Introductions of probes: their answers to hello, cached until a file of the probe changes.

A probe consists of its program and of every file that its process has mapped or open: shared
libraries, the archives of a virtual machine, extension modules. Only lists and descriptions use
what is remembered; a measurement asks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from motebench.base.files.access import replace
from motebench.base.paths import cache_folder, data_root
from motebench.targets.base import Session, Startable, Target
from motebench.targets.host.machine import ProgramSession
from motebench.targets.host.programs import InstalledProbe
from motebench.targets.host.this_machine import ThisMachine
from motebench.version import __version__

_FILE = "probes.json"
_LONGEST = 4 * 2**20
"""Bytes of a file that is read; a longer one is not ours."""
_VARIABLES = ("PATH", "JAVA", "LD_", "MOTEBENCH_", "OPENSSL", "PYTHON")
"""Beginnings of the names of variables by which a probe may find other libraries."""
_NOT_OF_PROBES = ("MOTEBENCH_CACHE", "MOTEBENCH_CATALOG", "MOTEBENCH_STORE")


@dataclass(frozen=True, slots=True)
class Introduction:
    """A probe's name of itself, the version of its library, and by scheme the operations that it
    offers."""

    probe: str
    version: str
    operations: Mapping[str, frozenset[str]]


class Introductions:
    """The introductions of the probes of targets. `keep` stores new ones for the next command."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where they are kept; by default motebench's folder of the user's cache."""
        self._file = (cache_folder() if folder is None else folder) / _FILE
        self._known = dict(_read(self._file))
        self._stated: dict[str, list[int] | None] = {}
        self._startables: dict[Target, Mapping[str, Startable]] = {}
        self._new = False

    def of(self, target: Target, implementation: str) -> Introduction:
        """The introduction of an implementation. ProbeFailure if its probe does not start or
        answer."""
        if target not in self._startables:
            self._startables[target] = target.startables()
        probe = self._startables[target].get(implementation)
        if not isinstance(probe, InstalledProbe) or not isinstance(probe.machine, ThisMachine):
            return self._ask(target, implementation)[0]
        variables = {**_variables(), **probe.environment}
        key = json.dumps([probe.path, sorted(variables.items())])
        remembered = self._known.get(key)
        if remembered is not None and all(
            self._state(path) == state for path, state in remembered[0].items()
        ):
            return remembered[1]
        introduction, files = self._ask(target, implementation)
        if files:
            states = {
                path: self._state(path) for path in {probe.path, *files, *_sources(probe.path)}
            }
            self._known[key] = (
                {path: state for path, state in states.items() if state is not None},
                introduction,
            )
            self._new = True
        return introduction

    def keep(self) -> None:
        """Store them. A cache that cannot be written is no failure: the next command asks again."""
        if not self._new:
            return
        entries = [
            {
                "key": key,
                "files": files,
                "probe": introduction.probe,
                "version": introduction.version,
                "operations": {
                    scheme: sorted(names) for scheme, names in introduction.operations.items()
                },
            }
            for key, (files, introduction) in self._known.items()
            if all(self._state(path) == state for path, state in files.items())
        ]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace(
                self._file,
                json.dumps({"motebench": __version__, "probes": entries}).encode("utf-8"),
            )
        except OSError:
            return
        self._new = False

    def _ask(self, target: Target, implementation: str) -> tuple[Introduction, Sequence[str]]:
        session: Session = target.open(implementation)
        try:
            hello, offers = session.hello, session.offers()
            operations = {scheme: offer.operations for scheme, offer in offers.items()}
            pid = session.pid if isinstance(session, ProgramSession) else None
            files = [] if pid is None else list(_files_of(pid))
        finally:
            session.close()
        return Introduction(hello.probe, hello.version, operations), files

    def _state(self, path: str) -> list[int] | None:
        """Size, time of the last change and identity of a file; None if it is gone."""
        if path not in self._stated:
            try:
                status = os.stat(path)  # noqa: PTH116 - it is asked for hundreds of files
                self._stated[path] = [
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ino,
                    status.st_dev,
                ]
            except OSError:
                self._stated[path] = None
        return self._stated[path]


def _variables() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    return {name: value for name, value in own.items() if name not in _NOT_OF_PROBES}


def _files_of(pid: int) -> Iterator[str]:
    """The files that a process has mapped or open; none if the system does not tell."""
    folder = Path(f"/proc/{pid}")
    try:
        maps = (folder / "maps").read_text(encoding="utf-8", errors="surrogateescape")
        opened = [str(link.readlink()) for link in (folder / "fd").iterdir()]
    except OSError:
        return
    mapped = {
        fields[5]
        for fields in (line.split(maxsplit=5) for line in maps.splitlines())
        if len(fields) == 6
    }
    yield from (
        path for path in {*mapped, *opened} if path.startswith("/") and Path(path).is_file()
    )


def _sources(path: str) -> Iterator[str]:
    """The files of a probe that is a script: its interpreter reads and closes them."""
    with Path(path).open("rb") as program:
        if program.read(2) != b"#!":
            return
    for folder in (data_root() / "probes", Path(path).parent):
        yield from (
            str(file) for file in folder.rglob("*") if file.suffix in (".py", ".jar", ".class")
        )


def _read(path: Path) -> Iterator[tuple[str, tuple[dict[str, list[int]], Introduction]]]:
    """The entries of a file that this version wrote; none of another, or if it is damaged."""
    try:
        if path.stat().st_size > _LONGEST:
            return
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["motebench"] != __version__:
            return
        for entry in document["probes"]:
            operations = {
                str(scheme): frozenset(map(str, names))
                for scheme, names in entry["operations"].items()
            }
            files = {
                str(file): [int(number) for number in state]
                for file, state in entry["files"].items()
            }
            yield (
                str(entry["key"]),
                (files, Introduction(str(entry["probe"]), str(entry["version"]), operations)),
            )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
