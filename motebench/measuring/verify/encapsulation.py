"""Known answers of key encapsulation, and of keys from seeds: compared if there is a seed, else used to go back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.names import is_kem, rejects_implicitly
from motebench.measuring.verify.private_keys import wrong_length
from motebench.measuring.verify.step import Step
from motebench.targets.wire.messages import Job


def of_kem(vector: Vector) -> Iterator[Step]:
    """The steps of a vector of ``keygen`` (of a signature, too), ``encapsulate`` or ``decapsulate``."""
    operation = vector.operation
    invalid, lenient = vector.result is Result.INVALID, vector.result is Result.ACCEPTABLE
    job = Job(vector.scheme, operation.value, key=vector.key)
    refused = invalid and wrong_length(vector)
    if operation is Operation.KEYGEN:
        public = vector.public if is_kem(vector.scheme) else None  # of a signature, it is no output of its own
        yield Step(replace(job, seed=vector.seed), operation, vector.expect_out, public=public)
    elif operation is Operation.ENCAPSULATE:
        out, secret = vector.ciphertext or None, vector.secret or None
        yield Step(replace(job, seed=vector.seed), operation, out, secret=secret, rejected=invalid, may_reject=lenient,
                   may_refuse=refused)  # fmt: skip
    else:
        job = replace(job, ciphertext=vector.ciphertext)
        yield Step(job, operation, vector.secret or None, rejected=invalid, may_reject=lenient, may_refuse=refused)
        if vector.result is Result.VALID:
            changed = vector.ciphertext[:-1] + bytes((vector.ciphertext[-1] ^ 1,))
            may_reject = not rejects_implicitly(vector.scheme)
            yield Step(replace(job, ciphertext=changed), operation, unlike=vector.secret, may_reject=may_reject)


def encapsulate_step(vector: Vector) -> Step:
    """Encapsulate for the public key of a ``decapsulate`` vector: any ciphertext and secret are right."""
    return Step(Job(vector.scheme, Operation.ENCAPSULATE.value, key=vector.public), Operation.ENCAPSULATE)


def back_step(vector: Vector, ciphertext: bytes, secret: bytes) -> Step:
    """Decapsulate what was encapsulated for that public key: the same secret."""
    job = Job(vector.scheme, Operation.DECAPSULATE.value, key=vector.key, ciphertext=ciphertext)
    return Step(job, Operation.DECAPSULATE, secret)
