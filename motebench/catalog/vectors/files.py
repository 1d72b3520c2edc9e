"""Reads vector files of any known format. The content determines the format, never the name."""

from __future__ import annotations

from pathlib import Path

from motebench.base.errors import InputError
from motebench.catalog.vectors.fields import Node, kind_of, parse_json, read_bytes
from motebench.catalog.vectors.model import Vector
from motebench.catalog.vectors.names import with_known_scheme

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
