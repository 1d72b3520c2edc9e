"""Other inputs of a case: the same work with other bytes, for the control of code that remembers
its input, and for the spread of work that depends on its input.

What a call takes changes: nonce and message; the key where the operation sets it up; for public
keys the message with its signature, the ciphertext, the peer's key, the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from motebench.base.model import Case, FailureKind, Kind, Operation, Scheme
from motebench.measuring.work.jobs import (
    derived,
    encapsulated,
    input_seed,
    private_key,
    public_key,
    random_result,
    sizes_of,
)
from motebench.targets.base import Session
from motebench.targets.wire.messages import Fill, Job, Offer, ProbeFailure, Timing, fill

_WITH_KEY = (Operation.KEY_SETUP, Operation.ENCRYPT_NEW_KEY)
"""Operations that set the key up; the others have it already, as a user who sends many messages."""


_DEPENDS = (Operation.KEYGEN, Operation.SIGN, Operation.ENCAPSULATE, Operation.DECAPSULATE)
"""Operations whose work may depend on their input or seed: what rejects and tries again, decoding.
A verification would need a new signature, which may take thousands of times as long."""
_FIRST, _FEW, _MANY = 2, 9, 99
"""Executions with other inputs: as many tell whether the work depends on them, `_FEW` with that of
the case are as many as in most rows of pqm4, `_MANY` if the mean of these were a poor one."""
_POOR = 0.05
"""The same: (max - min) / mean."""
_TICKS = 2 * 10**9
"""Most ticks of a simulated board for them: the number must not depend on this machine's speed."""
_EACH = 3
"""Executions that one takes: a request does the operation once before its batch, and a ciphertext
takes no longer to make."""


@dataclass(frozen=True)
class OtherInputs:
    """Maker of other inputs for the job of a case. ``timeout``: of the requests that it takes."""

    case: Case
    scheme: Scheme
    offer: Offer
    job: Job
    timeout: float

    def jobs(self, session: Session) -> Iterator[Job]:
        """Jobs without end, each with another input; none if nothing of the input can change, or if
        the operation draws its input itself. ProbeFailure if the implementation cannot make one."""
        number = 1
        while (job := self._job(session, number)) is not None:
            yield job
            number += 1

    def _job(self, session: Session, number: int) -> Job | None:
        make = _MAKERS.get(self.scheme.kind, _symmetric)
        return make(self, session, number)

    def label(self, purpose: str, number: int) -> str:
        """Label of the bytes of that number."""
        return f"{purpose} {self.scheme.name} {number}"

    def data(self, number: int) -> bytes | Fill:
        """Message as long as that of the case."""
        length = self.case.input_bytes
        return (
            Fill((input_seed(self.scheme.name) + 2 * number) & 0xFFFFFFFF, length)
            if length
            else b""
        )


def executions(inputs: OtherInputs, session: Session, usual: int) -> Iterator[tuple[Job, Timing]]:
    """Single executions with other inputs, as many as their spread needs, with the job of each.
    ProbeFailure. ``usual``: ticks of the case itself.
    """
    if inputs.case.operation not in _DEPENDS:
        return
    taken, spent = [usual], 0
    for job in inputs.jobs(session):
        if spent + _EACH * max(taken) > _TICKS or len(taken) > _wanted(taken):
            return
        timing = session.measure(job, batch=1, count=1, warm=0, timeout=inputs.timeout)
        taken.append(timing.ticks[0])
        spent += _EACH * timing.ticks[0]
        yield job, timing


def _wanted(taken: Sequence[int]) -> int:
    """Executions with other inputs, by the ticks of those so far."""
    if len(taken) <= _FIRST or min(taken) == max(taken):
        return _FIRST
    if len(taken) <= _FEW:
        return _FEW
    # Only these decide: one that is far out must not end what the others began.
    first = taken[: _FEW + 1]
    return _MANY if max(first) - min(first) > _POOR * fmean(first) else _FEW


def _symmetric(inputs: OtherInputs, session: Session, number: int) -> Job | None:
    del session
    job = inputs.job
    key = job.key
    if inputs.case.operation in _WITH_KEY:
        key = derived(inputs.label("key", number), len(job.key))
    nonce = derived(inputs.label("nonce", number), len(job.nonce))
    other = replace(job, key=key, nonce=nonce, data=inputs.data(number))
    if inputs.case.operation is Operation.KEY_SETUP:
        other = replace(job, key=key)
    if other == job and job.aad:
        length = inputs.case.aad_bytes
        seed = int.from_bytes(derived(inputs.label("aad", number), 4), "big") | 1
        other = replace(
            job, aad=Fill(seed, length) if isinstance(job.aad, Fill) else fill(seed, length)
        )
    return None if other == job else other


def _agreement(inputs: OtherInputs, session: Session, number: int) -> Job | None:
    job = inputs.job
    if inputs.case.operation is not Operation.AGREE:
        return None  # a new key is drawn each time
    own = derived(inputs.label("key", number), len(job.key))
    made = session.compute(replace(job, key=own, peer=b""), public=True, timeout=inputs.timeout)
    return replace(job, peer=made.out) if made.out else None


def _kem(inputs: OtherInputs, session: Session, number: int) -> Job | None:
    job = inputs.job
    if inputs.case.operation is not Operation.DECAPSULATE:
        return (
            None
            if random_result(job)
            else replace(job, seed=derived(inputs.label("seed", number), len(job.seed)))
        )
    pair = public_key(inputs.scheme, inputs.offer)
    encapsulate = Job(job.scheme, Operation.ENCAPSULATE.value, key=pair)
    seed = derived(inputs.label("seed", number), sizes_of(inputs.scheme).encapsulate_seed)
    made = encapsulated(encapsulate, seed, inputs.offer, session, inputs.timeout)
    return replace(job, ciphertext=made.out, answer=made.secret) if made.out else None


def _signature(inputs: OtherInputs, session: Session, number: int) -> Job | None:
    job, operation = inputs.job, inputs.case.operation
    if operation is Operation.KEYGEN:
        return (
            replace(job, seed=derived(inputs.label("seed", number), len(job.seed)))
            if job.seed
            else None
        )
    data = inputs.data(number)
    if not data:
        return None
    if operation is Operation.SIGN:
        return replace(job, data=data)
    if Operation.SIGN.value not in inputs.offer.operations:
        return None  # the catalog has one signature
    sign = Job(
        job.scheme, Operation.SIGN.value, key=private_key(inputs.scheme, inputs.offer), data=data
    )
    return replace(job, data=data, signature=session.signature(sign, timeout=inputs.timeout))


_MAKERS: dict[Kind, Callable[[OtherInputs, Session, int], Job | None]] = {
    Kind.AGREEMENT: _agreement,
    Kind.KEM: _kem,
    Kind.SIGNATURE: _signature,
}


def sealed(job: Job, session: Session, timeout: float) -> Job | None:
    """Job of a decryption with the ciphertext itself as its input, instead of a probe that encrypts
    first; None if the ciphertext is too long for a reply. Other jobs are returned unchanged.
    ProbeFailure if the implementation cannot encrypt.
    """
    if not job.inverse:
        return job
    whole = job.operation == Operation.DECRYPT_MESSAGE.value
    opposite = Operation.ENCRYPT_MESSAGE if whole else Operation.ENCRYPT
    made = session.compute(replace(job, operation=opposite.value, inverse=False), timeout=timeout)
    if made.out is None:
        return None
    return replace(job, data=made.out, tag=made.tag, inverse=False)


def says_why(failure: ProbeFailure, of_code: bool) -> bool:
    """True if a failure of the control says something of the implementation: that it lacks an
    operation or memory does not. ``of_code``: user code reads its inputs in each call; the adapter
    of a library may have read its tag before.
    """
    if failure.kind in (FailureKind.CRASH, FailureKind.TIMEOUT):
        return True
    return of_code and failure.kind in (FailureKind.WRONG_ANSWER, FailureKind.ERROR)
