"""Computations that one known answer determines.

A vector of a cipher determines more than its own direction: the reverse must hold, and bulk and
message operations must agree where they compute the same. Signatures are compared if they are
deterministic, else checked by verifying them; key encapsulation is compared if there is a seed,
else used to go back. Each of these is a step; all steps that an implementation offers must be
right.

Private keys are in the form of an implementation: as the standard writes them, or the seed that
they are made from. Whether an implementation offers what a vector needs follows from its offer,
before anything is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from motebench.base.model import Operation, Scheme
from motebench.catalog.vectors.model import Validity, Vector, is_kem, pads, rejects_implicitly
from motebench.measuring.work.jobs import by_seed
from motebench.targets.wire.messages import Hello, Job, Offer

_MAX_CONTEXT = 255
"""Bytes of the longest context (FIPS 204, section 5.2; FIPS 205, section 10.2)."""


def in_form_of(vector: Vector, offer: Offer) -> Vector:
    """The vector with its private key as the implementation has it, and with a seed only where one
    is taken.

    What is invalid is rejected with any seed: a device that needs one gets zeros, a library that
    takes none gets none.
    """
    scheme = _known(vector.scheme)
    if scheme is None:
        return vector
    if (
        vector.operation is Operation.ENCAPSULATE
        and not vector.ciphertext
        and scheme.kem is not None
    ):
        return replace(vector, seed=bytes(scheme.kem.encapsulate_seed) if offer.needs_seed else b"")
    if not vector.seed or not by_seed(scheme, offer):
        return vector
    if vector.operation in (Operation.DECAPSULATE, Operation.SIGN):
        return replace(vector, key=vector.seed)
    return (
        replace(vector, expect_out=vector.seed) if vector.operation is Operation.KEYGEN else vector
    )


def key_job(vector: Vector, offer: Offer) -> Job | None:
    """Job that makes the private key of a vector that has only its seed; None if it has the key, or
    if the implementation cannot make it.
    """
    if (
        vector.key
        or not vector.seed
        or vector.operation not in (Operation.DECAPSULATE, Operation.SIGN)
    ):
        return None
    if not offer.seeds or Operation.KEYGEN.value not in offer.operations:
        return None
    return Job(vector.scheme, Operation.KEYGEN.value, seed=vector.seed)


def draws_to_sign(name: str) -> bool:
    """True if an implementation of that scheme may draw random bytes to sign, or leave them out."""
    scheme = _known(name)
    return scheme is not None and scheme.signing is not None and scheme.signing.hedged


def wrong_length(vector: Vector) -> bool:
    """True if a key, ciphertext, signature or context has a length that its standard does not have.

    Only of schemes with one length of each: KEMs, ML-DSA and SLH-DSA. To refuse such an input is to
    reject it.
    """
    scheme = _known(vector.scheme)
    if scheme is None:
        return False
    if kem := scheme.kem:
        if vector.operation is Operation.ENCAPSULATE:
            return len(vector.key) != kem.public
        keys = (kem.private,) if vector.key else (kem.keygen_seed,)
        return (
            len(vector.key or vector.seed) not in keys or len(vector.ciphertext) != kem.ciphertext
        )
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


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One computation and the answer it must give.

    ``out``, and the second output ``tag``, ``secret`` or ``public``, are None where any is right.
    ``prefix``: only the first bytes must match. ``unlike``: the output must be another one of the
    same length. ``rejected``: the right answer is a rejection. ``may_reject``: a rejection is right
    as well. ``may_refuse``: the input has a length that the scheme does not have, so that
    ``unsupported`` is a rejection as well.
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
        """Second output; empty without one, or if any value is right."""
        return self.tag or self.secret or self.public or b""


def of_kem(vector: Vector) -> Iterator[CheckStep]:
    """The steps of a vector of ``keygen`` (of a signature, too), ``encapsulate`` or
    ``decapsulate``.
    """
    operation = vector.operation
    invalid, lenient = vector.result is Validity.INVALID, vector.result is Validity.ACCEPTABLE
    job = Job(vector.scheme, operation.value, key=vector.key)
    refused = invalid and wrong_length(vector)
    if operation is Operation.KEYGEN:
        # Of a signature, it is no output of its own
        public = vector.public if is_kem(vector.scheme) else None
        yield CheckStep(replace(job, seed=vector.seed), operation, vector.expect_out, public=public)
    elif operation is Operation.ENCAPSULATE:
        out, secret = vector.ciphertext or None, vector.secret or None
        yield CheckStep(
            replace(job, seed=vector.seed),
            operation,
            out,
            secret=secret,
            rejected=invalid,
            may_reject=lenient,
            may_refuse=refused,
        )
    else:
        job = replace(job, ciphertext=vector.ciphertext)
        yield CheckStep(
            job,
            operation,
            vector.secret or None,
            rejected=invalid,
            may_reject=lenient,
            may_refuse=refused,
        )
        if vector.result is Validity.VALID:
            changed = vector.ciphertext[:-1] + bytes((vector.ciphertext[-1] ^ 1,))
            may_reject = not rejects_implicitly(vector.scheme)
            yield CheckStep(
                replace(job, ciphertext=changed),
                operation,
                unlike=vector.secret,
                may_reject=may_reject,
            )


def encapsulate_step(vector: Vector) -> CheckStep:
    """Encapsulate for the public key of a ``decapsulate`` vector: any ciphertext and secret are
    right.
    """
    return CheckStep(
        Job(vector.scheme, Operation.ENCAPSULATE.value, key=vector.public), Operation.ENCAPSULATE
    )


def back_step(vector: Vector, ciphertext: bytes, secret: bytes) -> CheckStep:
    """Step that decapsulates the ciphertext for that public key: the same secret."""
    job = Job(vector.scheme, Operation.DECAPSULATE.value, key=vector.key, ciphertext=ciphertext)
    return CheckStep(job, Operation.DECAPSULATE, secret)


_ENCRYPTING = frozenset({Operation.ENCRYPT, Operation.ENCRYPT_MESSAGE})
_MESSAGE = frozenset({Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE})


def steps(vector: Vector) -> Iterator[CheckStep]:
    """The steps of a vector, its own operation first. Signing has steps that depend on each other:
    see ``signing``.
    """
    operation = vector.operation
    if operation in (Operation.DIGEST, Operation.MAC):
        yield from _hashed(vector)
    elif operation is Operation.VERIFY:
        yield _verified(vector)
    elif operation is Operation.AGREE:
        job = Job(vector.scheme, operation.value, key=vector.key, peer=vector.data)
        invalid = vector.result is Validity.INVALID
        yield CheckStep(
            job, operation, vector.expect_out, rejected=invalid, may_reject=_lenient(vector)
        )
    elif operation in (Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE):
        yield from of_kem(vector)
    elif operation in _MESSAGE and vector.result is Validity.INVALID:
        # Encrypting an invalid input is not wrong in itself; accepting the result would be.
        if operation is Operation.DECRYPT_MESSAGE:
            yield CheckStep(
                _job(vector, operation, vector.data, vector.tag), operation, rejected=True
            )
    elif operation in _MESSAGE:
        yield from _messages(vector)
    else:
        yield from _bulk(vector)


def _lenient(vector: Vector) -> bool:
    return vector.result is Validity.ACCEPTABLE


def _text_needs_tag(vector: Vector) -> bool:
    """True for OCB, where the ciphertext depends on the length of the tag (RFC 7253 section 4.2);
    bulk data have no tag, and count as 16.
    """
    return vector.scheme.endswith("-ocb") and vector.tag_bytes != 16


def _job(vector: Vector, operation: Operation, data: bytes, tag: bytes = b"") -> Job:
    return Job(
        vector.scheme,
        operation.value,
        vector.key,
        vector.nonce,
        vector.aad,
        data,
        tag,
        vector.tag_bytes,
    )


def _hashed(vector: Vector) -> Iterator[CheckStep]:
    job = Job(
        vector.scheme, vector.operation.value, key=vector.key, nonce=vector.nonce, data=vector.data
    )
    invalid = vector.result is Validity.INVALID
    if not vector.expect_out:
        return
    # Truncated MACs and shorter SHAKE outputs are the first bytes of the whole; other digests must
    # be equal.
    prefix = vector.operation is Operation.MAC or vector.scheme.startswith("shake")
    yield CheckStep(
        job,
        vector.operation,
        vector.expect_out,
        prefix=prefix,
        rejected=invalid,
        may_reject=_lenient(vector),
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
    """Whole messages in both directions; with a forged tag; and as bulk data if that gives the same
    bytes.
    """
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
    yield from (
        (forward, backward)
        if vector.operation is Operation.ENCRYPT_MESSAGE
        else (backward, forward)
    )
    new_key = Operation.ENCRYPT_NEW_KEY
    yield CheckStep(_job(vector, new_key, plain), new_key, secret, tag, may_reject=lenient)
    if tag:
        forged = tag[:-1] + bytes((tag[-1] ^ 1,))
        yield CheckStep(
            _job(vector, Operation.DECRYPT_MESSAGE, secret, forged),
            Operation.DECRYPT_MESSAGE,
            rejected=True,
        )
    if not vector.aad and plain and not pads(vector.scheme) and not _text_needs_tag(vector):
        yield CheckStep(
            _job(vector, Operation.ENCRYPT, plain), Operation.ENCRYPT, secret, may_reject=lenient
        )
        yield CheckStep(
            _job(vector, Operation.DECRYPT, secret), Operation.DECRYPT, plain, may_reject=lenient
        )


def _bulk(vector: Vector) -> Iterator[CheckStep]:
    """Bulk data in both directions, and as whole messages: the same bytes, followed by padding in
    ECB and CBC.
    """
    answer = vector.expect_out or b""
    encrypting = vector.operation in _ENCRYPTING
    plain, secret = (vector.data, answer) if encrypting else (answer, vector.data)
    forward = CheckStep(_job(vector, Operation.ENCRYPT, plain), Operation.ENCRYPT, secret)
    backward = CheckStep(_job(vector, Operation.DECRYPT, secret), Operation.DECRYPT, plain)
    if vector.chain > 1:
        # Repeated on its own output: the intermediate values are unknown, so only this direction
        # can be checked.
        yield forward if encrypting else backward
        return
    yield from (forward, backward) if encrypting else (backward, forward)
    padded = pads(vector.scheme)
    for operation in (Operation.ENCRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY):
        yield CheckStep(_job(vector, operation, plain), operation, secret, prefix=padded)
    if not padded:
        yield CheckStep(
            _job(vector, Operation.DECRYPT_MESSAGE, secret), Operation.DECRYPT_MESSAGE, plain
        )


def sign_step(vector: Vector) -> CheckStep:
    """Sign the message of a vector."""
    job = Job(
        vector.scheme,
        Operation.SIGN.value,
        key=vector.key,
        data=vector.data,
        context=vector.context,
    )
    invalid = vector.result is Validity.INVALID
    return CheckStep(
        job,
        Operation.SIGN,
        vector.expect_out,
        rejected=invalid,
        may_refuse=invalid and wrong_length(vector),
    )


def public_step(vector: Vector) -> CheckStep:
    """Request the public key of the private one."""
    job = Job(vector.scheme, vector.operation.value, key=vector.key)
    return CheckStep(job, vector.operation, vector.public or None)


def verify_step(vector: Vector, public: bytes, signature: bytes, *, forged: bool) -> CheckStep:
    """Verify a signature over the message of a vector; ``forged``: over another message, which must
    be rejected.
    """
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


_CIPHER = frozenset(
    {Operation.ENCRYPT, Operation.DECRYPT, Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE}
    | {Operation.ENCRYPT_NEW_KEY}
)
_BULK = frozenset({Operation.ENCRYPT, Operation.DECRYPT})
_WITH_TAG = frozenset(
    {Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY}
)


def why_not(vector: Vector, hello: Hello, offer: Offer) -> str:
    """Reason why no step of this vector can be checked; empty if one can."""
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
        return (
            f"an input of {len(vector.data)} B is longer than the probe's limit "
            f"({hello.max_data} B)"
        )
    return ""


def _outside_of_cipher(vector: Vector, offer: Offer) -> str:
    """Reason why the implementation does not take a length of a cipher's or MAC's vector; empty if
    it takes all.
    """
    if vector.operation not in _CIPHER | {Operation.MAC}:
        return ""
    tagged = vector.operation in _WITH_TAG and bool(vector.tag or vector.expect_tag)
    return (
        _outside("a key", len(vector.key), offer.key)
        or _outside("a nonce", len(vector.nonce), offer.nonce)
        or (_outside("a tag", vector.tag_bytes, offer.tag) if tagged else "")
    )


def why_not_step(step: CheckStep, offer: Offer) -> str:
    """Reason why this step cannot be checked; empty if it can."""
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


def _outside(name: str, size: int, bounds: tuple[int, int]) -> str:
    low, high = bounds
    if low <= size <= high:
        return ""
    return (
        f"{name} of {size} B is not offered ({low} B)"
        if low == high
        else (f"{name} of {size} B is not offered ({low} to {high} B)")
    )
