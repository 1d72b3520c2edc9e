"""The vectors of the catalog: ``catalog/vectors/<group>/<scheme>.json``.

A file is found by its name, so adding one changes no list, and only the files of the requested scheme are parsed.
``<scheme>.<anything>.json`` has more vectors of the same scheme. Those of hash-based signatures are made as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.vectors.fields import Node, kind_of, parse_json, read_bytes
from motebench.catalog.vectors.hash_signatures import can_sign, made_vectors
from motebench.catalog.vectors.model import Vector
from motebench.catalog.vectors.own import parse


def vectors_dir() -> Path:
    """The folder of vector files."""
    return catalog_dir() / "vectors"


@lru_cache(maxsize=4)
def _index(root: Path) -> dict[str, tuple[Path, ...]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(root.glob("*/*.json")):
        found.setdefault(path.name.split(".", 1)[0], []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}


@cache
def _vectors(root: Path, scheme: str) -> tuple[Vector, ...]:
    read = tuple(vector for path in _index(root).get(scheme, ()) for vector in read_own(path))
    return (*read, *made_vectors(scheme, read))


def read_own(path: Path) -> list[Vector]:
    """The vectors of one catalog file; all must be of the scheme in its name."""
    try:
        content = read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=str(path)) from None
    value = parse_json(content, str(path))
    if not isinstance(value, dict):
        raise InputError(f"this is {kind_of(value)}", where=str(path), valid="an object")
    vectors, name = parse(Node(value, str(path))), path.name.split(".", 1)[0]
    for vector in vectors:
        if vector.scheme != name:
            raise InputError(
                f"vector {vector.id!r} is of {vector.scheme!r}",
                where=str(path),
                valid=f"vectors of {name!r}, the scheme in the name of the file",
            )
    return vectors


def vectors_for(scheme: str) -> Sequence[Vector]:
    """All known answers of a scheme by its catalog name; empty if the catalog has none. Parsed once."""
    return _vectors(vectors_dir(), scheme)


def schemes_with_vectors() -> list[str]:
    """Sorted names of all schemes with known answers; opens no file of them."""
    return sorted({*_index(vectors_dir()), *filter(can_sign, schemes())})
