"""What a listing leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ListingFilter:
    """What is left out, and where it is looked for.

    names: names or globs, one of which the first value of a row fits; of schemes, aliases too. pattern: schemes that
    fit. implementation: schemes that this one offers. paper: schemes that it evaluates. available: schemes that some
    implementation offers here. own: a folder with own catalog files. store: of runs.
    """

    names: tuple[str, ...] = ()
    pattern: str | None = None
    implementation: str | None = None
    paper: str | None = None
    available: bool = False
    own: Path | None = None
    store: str = ""
