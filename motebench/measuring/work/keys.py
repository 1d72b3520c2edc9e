"""Key material of measured operations: fixed bytes, and the published test keys in an implementation's form.

User code with a scheme of its own has test keys of its own.
"""

from __future__ import annotations

import hashlib

from motebench.base.model import FailureKind, Scheme
from motebench.catalog.vectors.keys import has_key, key_seed, test_key
from motebench.catalog.vectors.keys import public_key as published
from motebench.targets.wire.messages import Offer, ProbeFailure


def derived(label: str, length: int) -> bytes:
    """``length`` fixed bytes for that label: SHA-256 in counter mode over it. Test material, not secret."""
    blocks = (length + 31) // 32
    stream = b"".join(hashlib.sha256(f"motebench {label} {index}".encode()).digest() for index in range(blocks))
    return stream[:length]


def by_seed(scheme: Scheme, offer: Offer) -> bool:
    """Whether the private keys of this implementation are the seeds of the standard's."""
    if scheme.kem is not None:
        return offer.pair[1] == scheme.kem.keygen_seed != scheme.kem.private
    if scheme.signing is not None and scheme.signing.keygen_seed and scheme.signing.private is not None:
        return offer.key[1] < scheme.signing.private
    return False


def private_key(scheme: Scheme, offer: Offer) -> bytes:
    """The test key, or the seed that it is made from. ProbeFailure if the implementation takes seeds and the catalog
    lacks that of the test key, or if user code cannot make a key."""
    if (own := own_pair(scheme.name, offer)) is not None:
        return own[0]
    if not by_seed(scheme, offer):
        return test_key(scheme.name)
    seed = key_seed(scheme.name)
    if not seed:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"its private keys are seeds, and the test key of {scheme.name} has no seed"
        )
    return seed


def public_key(scheme: Scheme, offer: Offer) -> bytes:
    """The public key of `private_key`. ProbeFailure if user code cannot make it."""
    own = own_pair(scheme.name, offer)
    return published(scheme.name) if own is None else own[1]


def own_pair(name: str, offer: Offer) -> tuple[bytes, bytes] | None:
    """Private and public key of user code whose scheme has none in the catalog, else None."""
    return None if offer.own_keys is None or has_key(name) else offer.own_keys()


def key_pair(offer: Offer) -> tuple[bytes, bytes]:
    """Private and public test key of an offer: those of user code, else the catalog's."""
    return own_pair(offer.scheme, offer) or (test_key(offer.scheme), published(offer.scheme))
