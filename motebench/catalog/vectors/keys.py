"""Published test keys, signatures and numbers of attempts for measuring public-key schemes.

``catalog/keys/<name>.json``: a scheme uses the file with the longest name that its own begins with:
``rsa-2048-pss-sha256`` uses ``rsa-2048``. Keys are in the formats of the probe protocol. They are
published: never use them for anything else.

``catalog/signatures/<scheme>.json``: signatures to measure ``verify`` with, for implementations
that do not sign. They are of the messages that every run signs and verifies: the fill stream with
the scheme's seed, of a few lengths.

``catalog/attempts/<scheme>.json``: how many attempts the signature of a message takes. A
deterministic signature of one message with one key takes the same number of attempts wherever it is
made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog.vectors.encodings import Node, object_of

_KEYS = frozenset({"source", "private", "public", "seed"})


@cache
def _found(scheme: str, folder: Path) -> tuple[bytes, bytes, bytes]:
    parts = scheme.split("-")
    for count in range(len(parts), 0, -1):
        path = folder / f"{'-'.join(parts[:count])}.json"
        if path.is_file():
            return _read(path)
    names = ", ".join(sorted(path.stem for path in folder.glob("*.json")))
    raise InputError(
        f"no test key for {scheme!r}", where=str(folder), valid=f"schemes that use {names}"
    )


def _read(path: Path) -> tuple[bytes, bytes, bytes]:
    """Private key, public key, and the seed that they were made from, if it is known."""
    node = object_of(path)
    node.only(_KEYS)
    node.text("source")
    return node.hex("private"), node.hex("public"), node.hex("seed", b"")


def has_key(scheme: str) -> bool:
    """True if the catalog has a key for the scheme."""
    try:
        _found(scheme, catalog_dir() / "keys")
    except InputError:
        return False
    return True


def test_key(scheme: str) -> bytes:
    """Private key for a scheme. InputError if the catalog has none."""
    return _found(scheme, catalog_dir() / "keys")[0]


def public_key(scheme: str) -> bytes:
    """Public key of `test_key`. InputError if the catalog has none."""
    return _found(scheme, catalog_dir() / "keys")[1]


def key_seed(scheme: str) -> bytes:
    """Seed of `test_key`, for implementations of a KEM whose keys are seeds; empty if the catalog
    has none.
    """
    return _found(scheme, catalog_dir() / "keys")[2]


MESSAGE_BYTES = 32
"""The messages are 32 bytes of the fill stream with the seeds 1, 2, ..., without a context."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """``of_seed[0]`` is the number of attempts of the message with seed 1. ``expected``: the mean
    that the standard states, over all messages and keys."""

    expected: float
    source: str
    of_seed: tuple[int, ...]


@cache
def attempts(scheme: str) -> Attempts | None:
    """Attempts of a scheme with its test key; None if the catalog has none. InputError for a
    malformed file.
    """
    path = catalog_dir() / "attempts" / f"{scheme}.json"
    if not path.is_file():
        return None
    node = object_of(path)
    expected, counts = node.value.get("expected"), node.value.get("attempts")
    if not isinstance(expected, float) or expected < 1:
        raise node.fail(
            "expected", "not a number of attempts", "a number of 1 or more, such as 4.25"
        )
    if not isinstance(counts, list) or not all(
        isinstance(count, int) and count > 0 for count in counts
    ):
        raise node.fail(
            "attempts", "not a list of numbers of attempts", "a list of whole numbers of 1 or more"
        )
    return Attempts(expected, node.text("expected_source"), tuple(counts))


def with_attempts() -> list[str]:
    """The schemes whose attempts are known."""
    return sorted(path.stem for path in (catalog_dir() / "attempts").glob("*.json"))


@dataclass(frozen=True, slots=True)
class Signatures:
    """A public key, and its signatures by the bytes of the message."""

    public: bytes
    of_bytes: Mapping[int, bytes]


@cache
def signatures(scheme: str) -> Signatures | None:
    """Signatures of a scheme; None if the catalog has none. InputError for a malformed file."""
    path = catalog_dir() / "signatures" / f"{scheme}.json"
    if not path.is_file():
        return None
    node = object_of(path)
    node.only(frozenset({"source", "public", "signatures"}))
    node.text("source")
    listed = node.value.get("signatures")
    if not isinstance(listed, dict) or not all(word.isdecimal() for word in listed):
        raise node.fail(
            "signatures",
            "not signatures by bytes of message",
            'an object such as {"32": "<hexadecimal>"}',
        )
    entries = Node(listed, str(path), "signatures")
    return Signatures(
        node.hex("public"), MappingProxyType({int(word): entries.hex(word) for word in listed})
    )
