"""Vector files of any known format, and the vectors of the catalog: ``catalog/vectors/<group>/<scheme>.json``.

The content determines the format, never the name. A file of the catalog is found by its name, so adding one changes no
list, and only the files of the requested scheme are parsed. ``<scheme>.<anything>.json`` has more vectors of the same
scheme. Those of hash-based signatures are made as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.vectors.fields import Node, kind_of, parse_json, read_bytes
from motebench.catalog.vectors.hash_based import can_sign, made_vectors
from motebench.catalog.vectors.model import Vector
from motebench.catalog.vectors.names import with_known_scheme
from motebench.catalog.vectors.own import parse

_VALID = (
    "motebench JSON ('vectors'), Wycheproof or ACVP JSON ('testGroups'), "
    "or NIST CAVP, KAT or Botan ('name = value' lines)"
)


def load(path: str | Path) -> list[Vector]:
    """The vectors of a file in any known format, in the order of the file.

    A vector without a scheme of the catalog is kept, with the reason in ``not_applicable``. InputError with file and
    position for anything invalid.
    """
    path = Path(path)
    raw = read_bytes(path)
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not a text file: byte {error.start} is not UTF-8", where=str(path), valid=_VALID) from None
    vectors = _parse(content, path)
    if not vectors:
        raise InputError("the file contains no vector", where=str(path), valid=_VALID)
    return [with_known_scheme(vector) for vector in vectors]


def _parse(content: str, path: Path) -> list[Vector]:
    from motebench.catalog.vectors import nist
    from motebench.catalog.vectors.hash_based import is_botan, parse_botan
    from motebench.catalog.vectors.lattice import is_acvp, is_kat, parse_acvp, parse_kat

    start = content.lstrip()[:1]
    # NIST files may begin with a group in brackets, which is not a JSON array.
    if start == "{" or (start == "[" and not nist.looks_like(content)):
        value = parse_json(content, str(path))
        if not isinstance(value, dict):
            raise InputError(f"this is {kind_of(value)}", where=str(path), valid=_VALID)
        root = Node(value, str(path))
        if "testGroups" in root and is_acvp(root):
            return parse_acvp(root)
        if "testGroups" in root:
            from motebench.catalog.vectors.wycheproof import parse as parse_wycheproof

            return parse_wycheproof(root)
        if "vectors" in root:
            from motebench.catalog.vectors.own import parse as parse_own

            return parse_own(root)
        raise InputError("this JSON contains neither 'vectors' nor 'testGroups'", where=str(path), valid=_VALID)
    if is_botan(content):
        return parse_botan(content, str(path))
    if is_kat(content):
        return parse_kat(content, str(path))
    if not nist.looks_like(content):
        raise InputError("the format of this file is unknown", where=str(path), valid=_VALID)
    return nist.parse(content, str(path), path.stem)


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
