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
    """A commit, and the files that were not as it has them."""

    repository: str | None
    """The folder of the repository of user code."""
    commit: str | None
    """Null where it is not known."""
    changed_files: Annotated[int | None, Count]
    """Files that differ from the commit, are missing, or are not in it; null where that is not
    known.
    """
    changed: tuple[str, ...]
    """The first of these files."""
    unknown: str | None
    """Fact of the commit that is unknown, and the reason; null if all are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRevisionEntry:
    """motebench itself."""

    version: str
    origin: Annotated[str, one_of(("checkout", "wheel"))] | None
    """Null for runs that did not record it."""
    revision: RevisionEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSourceEntry:
    """The archive whose sources a program was built from."""

    library: str
    version: str
    registry: str
    package: str
    release: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgramEntry:
    """A program that was measured; null where it does not say."""

    target: str
    implementation: str
    version: str | None
    compiler: str | None
    flags: str | None
    source: PinnedSourceEntry | None
    """Null for what was not built from a pinned archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCodeEntry:
    """A folder of user code."""

    implementation: str
    folder: str
    digest: str
    """SHA-256 over names and contents of all its files."""
    files: Count
    flags: str
    schemes: tuple[str, ...]
    known_answers: Mapping[str, str]
    """The user's own files of known answers, with the SHA-256 of each."""
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
    """The machine and its load, or the board, by target; ``here`` is the machine that motebench ran
    on.
    """
    known_answers: tuple[str, ...]
    """Known answers that had to be right before anything was measured."""
    words: tuple[str, ...]
    """All of this in sentences."""
