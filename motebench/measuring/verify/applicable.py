"""Whether an implementation offers what a vector needs, from its offer, before anything is computed."""

from __future__ import annotations

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify.private_keys import wrong_length
from motebench.measuring.verify.steps import CheckStep
from motebench.targets.wire.messages import Hello, Offer

_CIPHER = frozenset(
    {Operation.ENCRYPT, Operation.DECRYPT, Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE}
    | {Operation.ENCRYPT_NEW_KEY}
)
_BULK = frozenset({Operation.ENCRYPT, Operation.DECRYPT})
_WITH_TAG = frozenset({Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY})


def why_not(vector: Vector, hello: Hello, offer: Offer) -> str:
    """Why nothing of this vector can be checked, or an empty text."""
    if vector.not_applicable:
        return vector.not_applicable
    if reason := _outside_of_cipher(vector, offer):
        return reason
    unlike = vector.operation is Operation.DECAPSULATE and len(vector.key) != offer.pair[1]
    if unlike and not (vector.result is Validity.INVALID and wrong_length(vector)):
        return _outside("a private key", len(vector.key), (offer.pair[1], offer.pair[1]))
    if vector.operation is Operation.SIGN and not vector.key:
        return "the private key is known as a seed only, and nothing here makes the key of a seed"
    if len(vector.data) > hello.max_data:
        return f"an input of {len(vector.data)} B is longer than the probe's limit ({hello.max_data} B)"
    return ""


def _outside_of_cipher(vector: Vector, offer: Offer) -> str:
    """Which length of a cipher's or MAC's vector the implementation does not take; an empty text if there is none."""
    if vector.operation not in _CIPHER | {Operation.MAC}:
        return ""
    tagged = vector.operation in _WITH_TAG and bool(vector.tag or vector.expect_tag)
    return (
        _outside("a key", len(vector.key), offer.key)
        or _outside("a nonce", len(vector.nonce), offer.nonce)
        or (_outside("a tag", vector.tag_bytes, offer.tag) if tagged else "")
    )


def why_not_step(step: CheckStep, offer: Offer) -> str:
    """Why this step cannot be checked, or an empty text."""
    if step.operation.value not in offer.operations:
        return f"{offer.scheme} is offered without {step.operation.value}"
    if step.job.seed and not offer.seeds:
        return f"{step.operation.value} takes no seed here"
    data = step.job.data
    if step.operation in _BULK and isinstance(data, bytes):
        if not data:
            return "bulk operations have an input"
        if len(data) % offer.block:
            return f"bulk input of {len(data)} B is not a multiple of {offer.block} B"
    return ""


def _outside(what: str, size: int, bounds: tuple[int, int]) -> str:
    low, high = bounds
    if low <= size <= high:
        return ""
    return (
        f"{what} of {size} B is not offered ({low} B)"
        if low == high
        else (f"{what} of {size} B is not offered ({low} to {high} B)")
    )
