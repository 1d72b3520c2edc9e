"""The provenance document: the programs, code, machines and commits behind the numbers of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from motebench.base.model import STATUSES
from motebench.base.shapes import Count, one_of

PROVENANCE: Literal["motebench-provenance-1"] = "motebench-provenance-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionEntry:
    """A commit, and files that differ from it."""

    repository: str | None
    commit: str | None
    changed_files: Annotated[int | None, Count]
    """Files that differ, are missing or not in it."""
    changed: tuple[str, ...]
    """The first of these."""
    unknown: str | None
    """Unknown fact of the commit, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRevisionEntry:
    """Revision of motebench."""

    version: str
    origin: Annotated[str, one_of(("checkout", "wheel"))] | None
    revision: RevisionEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSourceEntry:
    """Archive of a program's sources."""

    library: str
    version: str
    registry: str
    package: str
    release: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgramEntry:
    """A measured program."""

    target: str
    implementation: str
    version: str | None
    compiler: str | None
    flags: str | None
    source: PinnedSourceEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCodeEntry:
    """A folder of user code."""

    implementation: str
    folder: str
    digest: str
    """SHA-256 of names and contents of all files."""
    files: Count
    flags: str
    schemes: tuple[str, ...]
    known_answers: Mapping[str, str]
    """The user's files, with SHA-256."""
    revision: RevisionEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceEntry:
    """Document of `motebench show RUN --provenance --json`; see docs/reference/results.md."""

    schema: Literal["motebench-provenance-1"] = PROVENANCE
    run: int
    name: str
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    command: str | None
    motebench: OwnRevisionEntry
    programs: tuple[BuiltProgramEntry, ...]
    code: tuple[MeasuredCodeEntry, ...]
    machines: Mapping[str, str]
    """By target, with load; ``here`` is motebench's own."""
    known_answers: tuple[str, ...]
    """Those that had to be right first."""
    words: tuple[str, ...]
