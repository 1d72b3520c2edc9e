"""Known answers of key encapsulation: compared if there is a seed, else checked by decapsulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from motebench.model import Operation
from motebench.vectors.model import Result, Vector
from motebench.vectors.names import rejects_implicitly
from motebench.verify.step import Step
from motebench.wire.messages import Job, Offer


def of_kem(vector: Vector) -> Iterator[Step]:
    """The steps of a vector of ``keygen``, ``encapsulate`` or ``decapsulate``."""
    operation = vector.operation
    invalid, lenient = vector.result is Result.INVALID, vector.result is Result.ACCEPTABLE
    job = Job(vector.scheme, operation.value, key=vector.key)
    if operation is Operation.KEYGEN:
        yield Step(replace(job, seed=vector.seed), operation, vector.expect_out, public=vector.public)
    elif operation is Operation.ENCAPSULATE:
        out, secret = vector.ciphertext or None, vector.secret or None
        yield Step(replace(job, seed=vector.seed), operation, out, secret=secret, rejected=invalid, may_reject=lenient)
    else:
        job = replace(job, ciphertext=vector.ciphertext)
        yield Step(job, operation, vector.secret or None, rejected=invalid, may_reject=lenient)
        if vector.result is Result.VALID:
            changed = vector.ciphertext[:-1] + bytes((vector.ciphertext[-1] ^ 1,))
            may_reject = not rejects_implicitly(vector.scheme)
            yield Step(replace(job, ciphertext=changed), operation, unlike=vector.secret, may_reject=may_reject)


def in_form_of(vector: Vector, offer: Offer) -> Vector:
    """The vector with its private key as the implementation has it: some libraries keep the seed in its place."""
    if len(vector.seed) != offer.pair[1]:
        return vector
    if vector.operation is Operation.DECAPSULATE:
        return replace(vector, key=vector.seed)
    return replace(vector, expect_out=vector.seed) if vector.operation is Operation.KEYGEN else vector


def encapsulate_step(vector: Vector) -> Step:
    """Encapsulate for the public key of a ``decapsulate`` vector: any ciphertext and secret are right."""
    return Step(Job(vector.scheme, Operation.ENCAPSULATE.value, key=vector.public), Operation.ENCAPSULATE)


def back_step(vector: Vector, ciphertext: bytes, secret: bytes) -> Step:
    """Decapsulate what was encapsulated for that public key: the same secret."""
    job = Job(vector.scheme, Operation.DECAPSULATE.value, key=vector.key, ciphertext=ciphertext)
    return Step(job, Operation.DECAPSULATE, secret)
