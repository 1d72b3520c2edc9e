"""Private keys in the form of an implementation: as the standard writes them, or the seed that they are made from."""

from __future__ import annotations

from dataclasses import replace

from motebench.base.model import Operation, Scheme
from motebench.catalog.vectors.model import Vector
from motebench.measuring.work.keys import by_seed
from motebench.targets.wire.messages import Job, Offer

_MAX_CONTEXT = 255
"""Bytes of the longest context (FIPS 204, section 5.2; FIPS 205, section 10.2)."""


def in_form_of(vector: Vector, offer: Offer) -> Vector:
    """The vector with its private key as the implementation has it, and with a seed only where one is taken.

    What is invalid is rejected with any seed: a device that needs one gets zeros, a library that takes none gets none.
    """
    scheme = _known(vector.scheme)
    if scheme is None:
        return vector
    if vector.operation is Operation.ENCAPSULATE and not vector.ciphertext and scheme.kem is not None:
        return replace(vector, seed=bytes(scheme.kem.encapsulate_seed) if offer.needs_seed else b"")
    if not vector.seed or not by_seed(scheme, offer):
        return vector
    if vector.operation in (Operation.DECAPSULATE, Operation.SIGN):
        return replace(vector, key=vector.seed)
    return replace(vector, expect_out=vector.seed) if vector.operation is Operation.KEYGEN else vector


def key_job(vector: Vector, offer: Offer) -> Job | None:
    """What makes the private key of a vector that has only its seed; None if it has the key, or nothing can make it."""
    if vector.key or not vector.seed or vector.operation not in (Operation.DECAPSULATE, Operation.SIGN):
        return None
    if not offer.seeds or Operation.KEYGEN.value not in offer.operations:
        return None
    return Job(vector.scheme, Operation.KEYGEN.value, seed=vector.seed)


def draws_to_sign(name: str) -> bool:
    """Whether an implementation of that scheme may draw random bytes to sign, or leave them out."""
    scheme = _known(name)
    return scheme is not None and scheme.signing is not None and scheme.signing.hedged


def wrong_length(vector: Vector) -> bool:
    """Whether a key, ciphertext, signature or context has a length that its standard does not have.

    Only of schemes with one length of each: KEMs, ML-DSA and SLH-DSA. To refuse such an input is to reject it.
    """
    scheme = _known(vector.scheme)
    if scheme is None:
        return False
    if kem := scheme.kem:
        if vector.operation is Operation.ENCAPSULATE:
            return len(vector.key) != kem.public
        keys = (kem.private,) if vector.key else (kem.keygen_seed,)
        return len(vector.key or vector.seed) not in keys or len(vector.ciphertext) != kem.ciphertext
    if (signing := scheme.signing) is None or not signing.hedged:
        return False
    if len(vector.context) > _MAX_CONTEXT:
        return True
    if vector.operation is Operation.VERIFY:
        return len(vector.key) != signing.public or len(vector.tag) != signing.signature
    return bool(vector.key) and len(vector.key) != signing.private


def _known(name: str) -> Scheme | None:
    from motebench.catalog import schemes

    return schemes().get(name)
