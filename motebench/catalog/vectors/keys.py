"""Published test keys for measuring public-key schemes: ``catalog/keys/<name>.json``.

A scheme uses the file with the longest name that its own begins with: ``rsa-2048-pss-sha256`` uses ``rsa-2048``. Keys
are in the formats of the probe protocol. They are published: never use them for anything else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog.vectors.fields import object_of

_KEYS = frozenset({"source", "private", "public", "seed"})


@cache
def _found(scheme: str, folder: Path) -> tuple[bytes, bytes, bytes]:
    parts = scheme.split("-")
    for count in range(len(parts), 0, -1):
        path = folder / f"{'-'.join(parts[:count])}.json"
        if path.is_file():
            return _read(path)
    names = ", ".join(sorted(path.stem for path in folder.glob("*.json")))
    raise InputError(f"no test key for {scheme!r}", where=str(folder), valid=f"schemes that use {names}")


def _read(path: Path) -> tuple[bytes, bytes, bytes]:
    """Private key, public key, and the seed that they were made from, if it is known."""
    node = object_of(path)
    node.only(_KEYS)
    node.text("source")
    return node.hex("private"), node.hex("public"), node.hex("seed", b"")


def has_key(scheme: str) -> bool:
    """Whether the catalog has a key for the scheme."""
    try:
        _found(scheme, catalog_dir() / "keys")
    except InputError:
        return False
    return True


def test_key(scheme: str) -> bytes:
    """The private key for a scheme. InputError if the catalog has none."""
    return _found(scheme, catalog_dir() / "keys")[0]


def public_key(scheme: str) -> bytes:
    """The public key of `test_key`. InputError if the catalog has none."""
    return _found(scheme, catalog_dir() / "keys")[1]


def key_seed(scheme: str) -> bytes:
    """The seed of `test_key`, for implementations of a KEM whose keys are seeds; empty if the catalog has none."""
    return _found(scheme, catalog_dir() / "keys")[2]
