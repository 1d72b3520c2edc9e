"""From one known answer to the computations that it determines.

A vector of a cipher determines more than its own direction: the reverse must hold, and bulk and
message operations must agree where they compute the same. Signatures are compared if they are
deterministic, else checked by verifying them; key encapsulation is compared if there is a seed,
else used to go back. Each of these is a step; all steps that an implementation offers must be
right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.catalog.vectors.names import is_kem, pads, rejects_implicitly
from motebench.measuring.verify.private_keys import wrong_length
from motebench.targets.wire.messages import Job


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One computation and the answer it must give.

    ``out``, and the second output ``tag``, ``secret`` or ``public``, are None where any is right. ``prefix``: only the
    first bytes must match. ``unlike``: the output must be another one of the same length. ``rejected``: the right
    answer is a rejection. ``may_reject``: a rejection is right as well. ``may_refuse``: the input has a length that the
    scheme does not have, so that ``unsupported`` is a rejection as well.
    """

    job: Job
    operation: Operation
    out: bytes | None = None
    tag: bytes | None = None
    prefix: bool = False
    rejected: bool = False
    may_reject: bool = False
    may_refuse: bool = False
    secret: bytes | None = None
    public: bytes | None = None
    unlike: bytes | None = None

    @property
    def second(self) -> bytes:
        """The second output; empty if there is none, or any is right."""
        return self.tag or self.secret or self.public or b""


def of_kem(vector: Vector) -> Iterator[CheckStep]:
    """The steps of a vector of ``keygen`` (of a signature, too), ``encapsulate`` or ``decapsulate``."""
    operation = vector.operation
    invalid, lenient = vector.result is Validity.INVALID, vector.result is Validity.ACCEPTABLE
    job = Job(vector.scheme, operation.value, key=vector.key)
    refused = invalid and wrong_length(vector)
    if operation is Operation.KEYGEN:
        public = vector.public if is_kem(vector.scheme) else None  # of a signature, it is no output of its own
        yield CheckStep(replace(job, seed=vector.seed), operation, vector.expect_out, public=public)
    elif operation is Operation.ENCAPSULATE:
        out, secret = vector.ciphertext or None, vector.secret or None
        yield CheckStep(replace(job, seed=vector.seed), operation, out, secret=secret, rejected=invalid,
                        may_reject=lenient, may_refuse=refused)  # fmt: skip
    else:
        job = replace(job, ciphertext=vector.ciphertext)
        yield CheckStep(job, operation, vector.secret or None, rejected=invalid, may_reject=lenient, may_refuse=refused)
        if vector.result is Validity.VALID:
            changed = vector.ciphertext[:-1] + bytes((vector.ciphertext[-1] ^ 1,))
            may_reject = not rejects_implicitly(vector.scheme)
            yield CheckStep(replace(job, ciphertext=changed), operation, unlike=vector.secret, may_reject=may_reject)


def encapsulate_step(vector: Vector) -> CheckStep:
    """Encapsulate for the public key of a ``decapsulate`` vector: any ciphertext and secret are right."""
    return CheckStep(Job(vector.scheme, Operation.ENCAPSULATE.value, key=vector.public), Operation.ENCAPSULATE)


def back_step(vector: Vector, ciphertext: bytes, secret: bytes) -> CheckStep:
    """Decapsulate what was encapsulated for that public key: the same secret."""
    job = Job(vector.scheme, Operation.DECAPSULATE.value, key=vector.key, ciphertext=ciphertext)
    return CheckStep(job, Operation.DECAPSULATE, secret)


_ENCRYPTING = frozenset({Operation.ENCRYPT, Operation.ENCRYPT_MESSAGE})
_MESSAGE = frozenset({Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE})


def steps(vector: Vector) -> Iterator[CheckStep]:
    """The steps of a vector, its own operation first. Signing has steps that depend on each other: see ``signing``."""
    operation = vector.operation
    if operation in (Operation.DIGEST, Operation.MAC):
        yield from _hashed(vector)
    elif operation is Operation.VERIFY:
        yield _verified(vector)
    elif operation is Operation.AGREE:
        job = Job(vector.scheme, operation.value, key=vector.key, peer=vector.data)
        invalid = vector.result is Validity.INVALID
        yield CheckStep(job, operation, vector.expect_out, rejected=invalid, may_reject=_lenient(vector))
    elif operation in (Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE):
        yield from of_kem(vector)
    elif operation in _MESSAGE and vector.result is Validity.INVALID:
        # Encrypting an invalid input is not wrong in itself; accepting the result would be.
        if operation is Operation.DECRYPT_MESSAGE:
            yield CheckStep(_job(vector, operation, vector.data, vector.tag), operation, rejected=True)
    elif operation in _MESSAGE:
        yield from _messages(vector)
    else:
        yield from _bulk(vector)


def _lenient(vector: Vector) -> bool:
    return vector.result is Validity.ACCEPTABLE


def _text_needs_tag(vector: Vector) -> bool:
    """In OCB the ciphertext depends on the length of the tag (RFC 7253 section 4.2); bulk data have no tag, and count
    as 16."""
    return vector.scheme.endswith("-ocb") and vector.tag_bytes != 16


def _job(vector: Vector, operation: Operation, data: bytes, tag: bytes = b"") -> Job:
    return Job(vector.scheme, operation.value, vector.key, vector.nonce, vector.aad, data, tag, vector.tag_bytes)


def _hashed(vector: Vector) -> Iterator[CheckStep]:
    job = Job(vector.scheme, vector.operation.value, key=vector.key, nonce=vector.nonce, data=vector.data)
    invalid = vector.result is Validity.INVALID
    if not vector.expect_out:
        return
    # Truncated MACs and shorter SHAKE outputs are the first bytes of the whole; other digests must be equal.
    prefix = vector.operation is Operation.MAC or vector.scheme.startswith("shake")
    yield CheckStep(
        job, vector.operation, vector.expect_out, prefix=prefix, rejected=invalid, may_reject=_lenient(vector)
    )


def _verified(vector: Vector) -> CheckStep:
    job = Job(
        vector.scheme,
        vector.operation.value,
        key=vector.key,
        data=vector.data,
        signature=vector.tag,
        context=vector.context,
    )
    return CheckStep(
        job,
        vector.operation,
        b"",
        rejected=vector.result is Validity.INVALID,
        may_reject=_lenient(vector),
        may_refuse=vector.result is Validity.INVALID and wrong_length(vector),
    )


def _messages(vector: Vector) -> Iterator[CheckStep]:
    """Whole messages in both directions; with a forged tag; and as bulk data if that gives the same bytes."""
    answer, lenient = vector.expect_out or b"", _lenient(vector)
    if vector.operation is Operation.ENCRYPT_MESSAGE:
        plain, secret, tag = vector.data, answer, vector.expect_tag or b""
    else:
        plain, secret, tag = answer, vector.data, vector.tag
    forward = CheckStep(
        _job(vector, Operation.ENCRYPT_MESSAGE, plain),
        Operation.ENCRYPT_MESSAGE,
        secret,
        tag,
        may_reject=lenient,
    )
    backward = CheckStep(
        _job(vector, Operation.DECRYPT_MESSAGE, secret, tag),
        Operation.DECRYPT_MESSAGE,
        plain,
        may_reject=lenient,
    )
    yield from (forward, backward) if vector.operation is Operation.ENCRYPT_MESSAGE else (backward, forward)
    new_key = Operation.ENCRYPT_NEW_KEY
    yield CheckStep(_job(vector, new_key, plain), new_key, secret, tag, may_reject=lenient)
    if tag:
        forged = tag[:-1] + bytes((tag[-1] ^ 1,))
        yield CheckStep(
            _job(vector, Operation.DECRYPT_MESSAGE, secret, forged), Operation.DECRYPT_MESSAGE, rejected=True
        )
    if not vector.aad and plain and not pads(vector.scheme) and not _text_needs_tag(vector):
        yield CheckStep(_job(vector, Operation.ENCRYPT, plain), Operation.ENCRYPT, secret, may_reject=lenient)
        yield CheckStep(_job(vector, Operation.DECRYPT, secret), Operation.DECRYPT, plain, may_reject=lenient)


def _bulk(vector: Vector) -> Iterator[CheckStep]:
    """Bulk data in both directions, and as whole messages: the same bytes, followed by padding in ECB and CBC."""
    answer = vector.expect_out or b""
    encrypting = vector.operation in _ENCRYPTING
    plain, secret = (vector.data, answer) if encrypting else (answer, vector.data)
    forward = CheckStep(_job(vector, Operation.ENCRYPT, plain), Operation.ENCRYPT, secret)
    backward = CheckStep(_job(vector, Operation.DECRYPT, secret), Operation.DECRYPT, plain)
    if vector.chain > 1:
        # Repeated on its own output: the intermediate values are unknown, so only this direction can be checked.
        yield forward if encrypting else backward
        return
    yield from (forward, backward) if encrypting else (backward, forward)
    padded = pads(vector.scheme)
    for operation in (Operation.ENCRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY):
        yield CheckStep(_job(vector, operation, plain), operation, secret, prefix=padded)
    if not padded:
        yield CheckStep(_job(vector, Operation.DECRYPT_MESSAGE, secret), Operation.DECRYPT_MESSAGE, plain)


def sign_step(vector: Vector) -> CheckStep:
    """Sign the message of a vector."""
    job = Job(vector.scheme, Operation.SIGN.value, key=vector.key, data=vector.data, context=vector.context)
    invalid = vector.result is Validity.INVALID
    return CheckStep(
        job, Operation.SIGN, vector.expect_out, rejected=invalid, may_refuse=invalid and wrong_length(vector)
    )


def public_step(vector: Vector) -> CheckStep:
    """Request the public key of the private one."""
    job = Job(vector.scheme, vector.operation.value, key=vector.key)
    return CheckStep(job, vector.operation, vector.public or None)


def verify_step(vector: Vector, public: bytes, signature: bytes, *, forged: bool) -> CheckStep:
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
    return CheckStep(job, Operation.VERIFY, b"", rejected=forged)
