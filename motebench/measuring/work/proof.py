"""Checks the output of the timed function against an answer that was obtained independently."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from motebench.base.identity import CaseId
from motebench.base.model import Case, FailureKind, Kind, Operation, Scheme
from motebench.catalog.vectors.keys import test_key
from motebench.measuring.work import encapsulation, jobs
from motebench.measuring.work.keys import public_key
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure, Timing


class Consensus:
    """Outputs that must not depend on the implementation: the first one, and its implementation."""

    def __init__(self) -> None:
        self._seen: dict[CaseId, tuple[int, str]] = {}

    def check(self, case: Case, crc: int) -> None:
        """ProbeFailure of kind wrong-answer if two implementations that passed their known answers differ."""
        first, whose = self._seen.setdefault(case.without("implementation", "target"), (crc, case.provider))
        if first != crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"{case.provider} and {whose} give different output for the same input (CRC-32 {crc:08x}, {first:08x})",
            )


def expected_crc(case: Case, job: Job, session: Session, consensus: Consensus, timeout: float) -> int | None:
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


def check_random(case: Case, scheme: Scheme, job: Job, timing: Timing, session: Session, timeout: float = 60.0) -> None:
    """Check a random result by using it: a signature must verify, a new key must work, a secret must be shared."""
    out = timing.out
    if not out:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, f"{case.operation.value} gave no output")
    if scheme.kem is not None:
        encapsulation.prove(case.operation, scheme, timing, session, timeout)
    elif case.operation is Operation.SIGN:
        public = public_key(scheme, session.offers()[scheme.name])
        _must(lambda: _verifies(session, scheme, public, job, out, timeout), "its signature does not verify")
    elif scheme.kind is Kind.SIGNATURE:
        _must(lambda: _signs(session, scheme, out, timeout), "a signature of its new key does not verify")
    else:
        _must(lambda: _agrees(session, scheme, out, timeout), "its new key does not agree with the peer")


def _must(holds: Callable[[], bool], otherwise: str) -> None:
    if not holds():
        raise ProbeFailure(FailureKind.WRONG_ANSWER, otherwise)


def _verifies(session: Session, scheme: Scheme, public: bytes, signed: Job, signature: bytes, timeout: float) -> bool:
    verify = Job(scheme.name, Operation.VERIFY.value, key=public, data=signed.data, signature=signature)
    return not session.compute(verify, timeout=timeout).rejected


def _public(session: Session, scheme: Scheme, operation: Operation, private: bytes, timeout: float) -> bytes:
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
        Job(scheme.name, agree, key=private, peer=public_key(scheme, session.offers()[scheme.name])), timeout=timeout
    )
    there = session.compute(Job(scheme.name, agree, key=peer, peer=ours), timeout=timeout)
    return here.out is not None and here.out == there.out
