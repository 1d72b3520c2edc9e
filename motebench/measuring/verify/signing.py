"""Signatures: compared if they are deterministic, else checked by verifying them."""

from __future__ import annotations

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Result, Vector
from motebench.measuring.verify.private_keys import wrong_length
from motebench.measuring.verify.step import Step
from motebench.targets.wire.messages import Job


def sign_step(vector: Vector) -> Step:
    """Sign the message of a vector."""
    job = Job(vector.scheme, Operation.SIGN.value, key=vector.key, data=vector.data, context=vector.context)
    invalid = vector.result is Result.INVALID
    return Step(job, Operation.SIGN, vector.expect_out, rejected=invalid, may_refuse=invalid and wrong_length(vector))


def public_step(vector: Vector) -> Step:
    """Request the public key of the private one."""
    job = Job(vector.scheme, vector.operation.value, key=vector.key)
    return Step(job, vector.operation, vector.public or None)


def verify_step(vector: Vector, public: bytes, signature: bytes, *, forged: bool) -> Step:
    """Verify a signature over the message of a vector; ``forged``: over another message, which must be rejected."""
    data = vector.data + b"\x00" if forged else vector.data
    job = Job(
        vector.scheme,
        Operation.VERIFY.value,
        key=public,
        data=data,
        signature=signature,
        context=vector.context,
    )
    return Step(job, Operation.VERIFY, b"", rejected=forged)
