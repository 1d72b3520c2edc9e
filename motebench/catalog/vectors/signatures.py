"""Signatures to measure ``verify`` with, for implementations that do not sign: ``catalog/signatures/<scheme>.json``.

They are of the messages that every run signs and verifies: the fill stream with the scheme's seed, of a few lengths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from motebench.base.paths import catalog_dir
from motebench.catalog.vectors.fields import Node, object_of


@dataclass(frozen=True, slots=True)
class Signatures:
    """A public key, and its signatures by the bytes of the message."""

    public: bytes
    of_bytes: Mapping[int, bytes]


@cache
def signatures(scheme: str) -> Signatures | None:
    """The signatures of a scheme; None if the catalog has none. InputError if its file is wrong."""
    path = catalog_dir() / "signatures" / f"{scheme}.json"
    if not path.is_file():
        return None
    node = object_of(path)
    node.only(frozenset({"source", "public", "signatures"}))
    node.text("source")
    found = node.value.get("signatures")
    if not isinstance(found, dict) or not all(word.isdecimal() for word in found):
        raise node.fail("signatures", "not signatures by bytes of message", 'an object such as {"32": "<hexadecimal>"}')
    each = Node(found, str(path), "signatures")
    return Signatures(node.hex("public"), MappingProxyType({int(word): each.hex(word) for word in found}))
