"""Proof that an output is right: against an independent answer, or by use where results are random.

`Consensus` and `expected_crc` compare with an answer; `check_random` uses the output of the timed
function. `shares_secrets` and `verifies_signatures` check user code without known answers: does a
KEM, does a signature scheme fit itself?
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace

from motebench.base.identity import CaseId
from motebench.base.model import Case, FailureKind, Kind, Operation, Scheme
from motebench.catalog.vectors.keys import test_key
from motebench.measuring.work import jobs
from motebench.measuring.work.inputs import Execution
from motebench.measuring.work.jobs import by_seed, key_pair, private_key, public_key
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer, ProbeFailure, Timing, fill


class Consensus:
    """Outputs that must not depend on the implementation: the first one, and its implementation."""

    def __init__(self) -> None:
        self._seen: dict[CaseId, tuple[int, str]] = {}

    def check(self, case: Case, crc: int) -> None:
        """ProbeFailure of kind wrong-answer if two implementations that passed their known answers
        differ.
        """
        first, whose = self._seen.setdefault(
            case.without("implementation", "target"), (crc, case.provider)
        )
        if first != crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"{case.provider} and {whose} give different output for the same input (CRC-32 "
                f"{crc:08x}, {first:08x})",
            )


def expected_crc(
    case: Case, job: Job, session: Session, consensus: Consensus, timeout: float
) -> int | None:
    """CRC-32 that the timed function's output must have; None if the result is random."""
    if jobs.random_result(job):
        return None
    if job.answer:
        return zlib.crc32(job.answer)
    if job.inverse:
        return zlib.crc32(jobs.plaintext(case))
    answer = session.compute(job, brief=True, timeout=timeout)
    if answer.rejected:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, "the implementation rejects its own output")
    if case.operation is not Operation.KEY_SETUP:
        consensus.check(case, answer.crc)
    return answer.crc


def check_random(
    case: Case, scheme: Scheme, job: Job, timing: Timing, session: Session, timeout: float = 60.0
) -> None:
    """Check a random result by using it: a signature must verify, a new key must work, a secret
    must be shared.
    """
    out = timing.out
    if not out:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, f"{case.operation.value} gave no output")
    if scheme.kem is not None:
        _check_kem(case.operation, scheme, timing, session, timeout)
    elif case.operation is Operation.SIGN:
        public = public_key(scheme, session.offers()[scheme.name])
        _must(
            lambda: _verifies(session, scheme, public, job, out, timeout),
            "its signature does not verify",
        )
    elif scheme.kind is Kind.SIGNATURE:
        _must(
            lambda: _signs(session, scheme, out, timeout),
            "a signature of its new key does not verify",
        )
    else:
        _must(
            lambda: _agrees(session, scheme, out, timeout),
            "its new key does not agree with the peer",
        )


def check_other(
    case: Case, scheme: Scheme, made: Execution, session: Session, timeout: float
) -> None:
    """Check the result of an execution with another input: a secret is that of the encapsulation,
    a random result is used. Nothing tells the right output of another seed.
    """
    job, timing = made.job, made.timing
    if job.answer:
        _must(lambda: timing.crc == zlib.crc32(job.answer), "its secret is not the one shared")
    elif made.public and case.operation is Operation.SIGN:
        signature = timing.out or b""
        _must(
            lambda: _verifies(session, scheme, made.public, job, signature, timeout),
            "its signature with another key does not verify",
        )
    elif jobs.random_result(job):
        check_random(case, scheme, job, timing, session, timeout)


def _must(holds: Callable[[], bool], otherwise: str) -> None:
    if not holds():
        raise ProbeFailure(FailureKind.WRONG_ANSWER, otherwise)


def _verifies(
    session: Session, scheme: Scheme, public: bytes, signed: Job, signature: bytes, timeout: float
) -> bool:
    verify = Job(
        scheme.name, Operation.VERIFY.value, key=public, data=signed.data, signature=signature
    )
    return not session.compute(verify, timeout=timeout).rejected


def _public(
    session: Session, scheme: Scheme, operation: Operation, private: bytes, timeout: float
) -> bytes:
    job = Job(scheme.name, operation.value, key=private)
    return session.compute(job, public=True, timeout=timeout).out or b""


def _signs(session: Session, scheme: Scheme, private: bytes, timeout: float) -> bool:
    sign = Job(scheme.name, Operation.SIGN.value, key=private, data=b"motebench")
    signature = session.compute(sign, timeout=timeout).out or b""
    public = _public(session, scheme, Operation.SIGN, private, timeout)
    return _verifies(session, scheme, public, sign, signature, timeout)


def _agrees(session: Session, scheme: Scheme, private: bytes, timeout: float) -> bool:
    agree, peer = Operation.AGREE.value, test_key(scheme.name)
    ours = _public(session, scheme, Operation.AGREE, private, timeout)
    here = session.compute(
        Job(
            scheme.name, agree, key=private, peer=public_key(scheme, session.offers()[scheme.name])
        ),
        timeout=timeout,
    )
    computed = session.compute(Job(scheme.name, agree, key=peer, peer=ours), timeout=timeout)
    return here.out is not None and here.out == computed.out


def _check_kem(
    operation: Operation, scheme: Scheme, timing: Timing, session: Session, timeout: float
) -> None:
    """A new pair of keys, or a ciphertext with its secret: sizes must be right, and both sides have
    the same secret.

    ProbeFailure of kind wrong-answer otherwise.
    """
    sizes, out = jobs.sizes_of(scheme), timing.out or b""
    offer = session.offers()[scheme.name]
    if operation is Operation.KEYGEN:
        jobs.check_sizes(
            replace(sizes, private=sizes.keygen_seed) if by_seed(scheme, offer) else sizes,
            private=out,
            public=timing.public,
        )
        made = session.compute(
            Job(scheme.name, Operation.ENCAPSULATE.value, key=timing.public), timeout=timeout
        )
        private, ciphertext, secret = out, made.out or b"", made.secret
        otherwise = "a secret encapsulated for its new key is not the one that is decapsulated"
    else:
        jobs.check_sizes(sizes, ciphertext=out, secret=timing.secret)
        private, ciphertext, secret = private_key(scheme, offer), out, timing.secret
        otherwise = "its ciphertext decapsulates to another secret"
    back = Job(scheme.name, Operation.DECAPSULATE.value, key=private, ciphertext=ciphertext)
    if session.compute(back, timeout=timeout).out != secret:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, otherwise)


_SIZES = (0, 33)


def shares_secrets(session: Session, offer: Offer, seconds: float) -> str:
    """Fault of a KEM without known answers; an empty text if it works.

    Both sides must have one secret, which changes with the coins and the ciphertext.
    """
    private, public = key_pair(offer)
    secrets = set()
    for number in (1, 2):
        seed = fill(number, 64) if offer.needs_seed else b""
        made = session.compute(
            Job(offer.scheme, Operation.ENCAPSULATE.value, key=public, seed=seed), timeout=seconds
        )
        back = Job(
            offer.scheme, Operation.DECAPSULATE.value, key=private, ciphertext=made.out or b""
        )
        if session.compute(back, timeout=seconds).out != made.secret:
            return "a secret that it encapsulates is not the one that it decapsulates"
        secrets.add(made.secret)
    changed = replace(back, ciphertext=_changed(back.ciphertext))
    other = session.compute(changed, timeout=seconds)
    if not other.rejected and other.out == made.secret:
        return "a changed ciphertext gives the same secret"
    return (
        ""
        if len(secrets) == 2
        else "two encapsulations have the same secret: it does not call randombytes"
    )


def verifies_signatures(session: Session, offer: Offer, seconds: float) -> str:
    """Fault of a signature scheme without known answers; an empty text if it works.

    Signatures must verify, those of other messages and changed ones must not.
    """
    private, public = key_pair(offer)
    for size in _SIZES:
        message = fill(11, size)
        sign = Job(offer.scheme, Operation.SIGN.value, key=private, data=message)
        # Of boards: made here, which is checked when they sign
        signature = session.signature(sign, timeout=seconds)
        if not signature:
            return f"{size} B: the signature is empty"

        def verified(data: bytes, signed: bytes) -> ProbeAnswer:
            job = Job(offer.scheme, Operation.VERIFY.value, key=public, data=data, signature=signed)
            return session.compute(job, timeout=seconds)

        if verified(message, signature).rejected:
            return f"{size} B: its own signature does not verify"
        if size != _SIZES[-1]:
            continue
        if not verified(message + b"\0", signature).rejected:
            return f"{size} B: the signature of another message verifies"
        if not verified(message, _changed(signature)).rejected:
            return f"{size} B: a changed signature verifies"
    return ""


def _changed(value: bytes) -> bytes:
    """Value with a bit of its first byte and one after its first quarter changed: the end may be
    padding, and in signatures of CROSS the middle.
    """
    changed = bytearray(value)
    for at in {0, len(value) // 4}:
        changed[at] ^= 1
    return bytes(changed)
