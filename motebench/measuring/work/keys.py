"""The published test keys in the form that an implementation takes; of user code with a scheme of its own, its own."""

from __future__ import annotations

from motebench.base.model import FailureKind, Scheme
from motebench.catalog.vectors.keys import has_key, key_seed, test_key
from motebench.catalog.vectors.keys import public_key as published
from motebench.measuring.verify.private_keys import by_seed
from motebench.targets.wire.messages import Offer, ProbeFailure


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
