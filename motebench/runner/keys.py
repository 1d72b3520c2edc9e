"""The published test key in the form that an implementation takes."""

from __future__ import annotations

from motebench.model import FailureKind, Scheme
from motebench.vectors.keys import key_seed, test_key
from motebench.verify.private_keys import by_seed
from motebench.wire.messages import Offer, ProbeFailure


def private_key(scheme: Scheme, offer: Offer) -> bytes:
    """The test key, or the seed that it is made from. ProbeFailure if the implementation takes seeds and the catalog
    lacks that of the test key."""
    if not by_seed(scheme, offer):
        return test_key(scheme.name)
    seed = key_seed(scheme.name)
    if not seed:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"its private keys are seeds, and the test key of {scheme.name} has no seed"
        )
    return seed
