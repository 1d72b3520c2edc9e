"""NIST CAVP response files and files in their layout, as the package ``cryptography_vectors``
carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from motebench.catalog.vectors import nist
from motebench.catalog.vectors.model import Vector
from vectorsources.writing import Collection, spread

Change = Callable[[Vector], Vector | None]


@dataclass(frozen=True)
class Take:
    """Selection of vectors: files by pattern, and how many records of each scheme, operation and
    result."""

    group: str
    pattern: str
    count: int
    origin: str
    longest: int = 1024
    change: Change | None = None
    stem: str = ""
    """Substitute for the file's name, if neither that nor the head names the algorithm."""


def read(path: Path, stem: str = "") -> list[Vector]:
    """All vectors of one file."""
    return nist.parse(path.read_text(encoding="utf-8"), path.name, stem or path.stem)


def chosen(take: Take, vectors: Iterable[Vector]) -> list[Vector]:
    """The applicable ones, evenly spread over each combination of scheme, operation and result."""
    piles: dict[tuple[str, str, str], list[Vector]] = {}
    for vector in vectors:
        changed = None if vector.not_applicable else (take.change or (lambda same: same))(vector)
        if changed is None or len(changed.data) > take.longest:
            continue
        pile = (changed.scheme, changed.operation.value, changed.result.value)
        piles.setdefault(pile, []).append(changed)
    return [vector for pile in piles.values() for vector in spread(pile, take.count)]


def collect(root: Path, takes: Iterable[Take], into: Collection) -> None:
    """Take from all files; a pattern without a file is an error."""
    for take in takes:
        paths = sorted(root.glob(take.pattern))
        if not paths:
            raise FileNotFoundError(f"{root}/{take.pattern}")
        for path in paths:
            origin = take.origin.format(file=path.name)
            label = (
                f"{path.parent.name}/{path.stem}"
                if path.parent.name.startswith("tweak-data")
                else path.stem
            )
            for vector in chosen(take, read(path, take.stem)):
                named = replace(vector, id=f"{label}: {vector.id}", source=origin)
                into.add(take.group, [named])


def as_des(vector: Vector) -> Vector | None:
    """A TDES vector with three equal keys, as the single DES it is; None for others."""
    first = vector.key[:8]
    if vector.key != first * 3:
        return None
    return replace(vector, scheme=vector.scheme.replace("3des", "des"), key=first)


def shortened(length: int) -> Change:
    """Extendable output cut to ``length`` bytes: shorter outputs of SHAKE are prefixes of longer
    ones (FIPS 202).
    """

    def change(vector: Vector) -> Vector:
        out = (vector.expect_out or b"")[:length]
        return replace(vector, expect_out=out, tag_bytes=len(out))

    return change


def with_key(*sizes: int) -> Change:
    """Filter for vectors whose key has one of these sizes in bytes."""
    return lambda vector: vector if len(vector.key) in sizes else None
