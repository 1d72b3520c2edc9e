"""Other inputs of a case: the same work with other bytes, for the control of code that remembers
its input, and for the spread of work that depends on its input.

What a call takes changes: nonce and message; the key where the operation sets it up; for public
keys the message with its signature, the ciphertext, the peer's key, the seed. For the spread each
input has a pair of keys of its own, as in executions that begin with a key generation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from motebench.base.model import Case, FailureKind, Kind, Operation, Scheme
from motebench.measuring.work.jobs import (
    by_seed,
    derived,
    encapsulated,
    input_seed,
    own_pair,
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
_WITH_PAIR = (Operation.SIGN, Operation.ENCAPSULATE, Operation.DECAPSULATE)
"""Those of them that are given a key."""
_NO_KEYS = (
    FailureKind.UNSUPPORTED,
    FailureKind.TOO_BIG,
    FailureKind.ERROR,
    FailureKind.TIMEOUT,
)
"""Failures of making other keys after which all inputs have that of the case."""
_FIRST, _PILOT = 2, 5
"""Executions of the pilot: two tell whether the work depends on its input, five if these are equal.
A number that followed the values that count would bias their mean: one of two looks like constant
work if both happen to be short."""
_FEW, _MANY = 10, 100
"""Executions that count: as many as in most rows of pqm4, `_MANY` if the mean of these were a poor
one."""
_LEAST = 2
"""Executions that count if the time is for fewer."""
_POOR = 0.05
"""(max - min) / mean of a pilot after which the mean of few were a poor one."""
_TICKS = 2 * 10**9
"""Ticks of a simulated board for a pilot, and those that are expected for what counts: the number
must not depend on this machine's speed."""
_EACH = 3
"""Executions that one takes: a request does the operation once before its batch, and a ciphertext
takes no longer to make."""
_DRAWN_BYTES = 64
"""Random bytes of a signature. What it draws beyond is made of them (``core/code/keys.c``)."""


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
        while (job := self.job_of(session, number)) is not None:
            yield job
            number += 1

    def job_of(
        self, session: Session, number: int, pair: tuple[bytes, bytes] | None = None
    ) -> Job | None:
        """The job with the input of that number; with these private and public keys, if given."""
        if pair is not None and self.scheme.kind is Kind.KEM:
            return _kem(self, session, number, pair)
        if pair is not None:
            return replace(self.job, key=pair[0], data=self.data(number))
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


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution with another input. ``public``: its public key, if it has keys of its own.
    ``counts``: it is none of the pilot."""

    job: Job
    timing: Timing
    public: bytes
    counts: bool


@dataclass
class Spread:
    """Executions with other inputs, as many as their spread needs. ``usual``: ticks of the case
    itself. ``same_key``: why all have its key, once that is known."""

    inputs: OtherInputs
    session: Session
    usual: int
    same_key: str = ""
    _number: int = 0
    _pilot: list[int] = field(default_factory=list)

    def executions(self) -> Iterator[Execution]:
        """The pilot, then those that count, whose number the pilot alone decides. ProbeFailure."""
        operation = self.inputs.case.operation
        if operation not in _DEPENDS or _EACH * self.usual > _TICKS:
            return
        if operation in _WITH_PAIR:
            self.same_key = self._why_same()
        self._pilot = [self.usual]
        while _pilot_goes_on(self._pilot) and (made := self._next(counts=False)) is not None:
            self._pilot.append(made.timing.ticks[0])
            yield made
        for _ in range(counted(self._pilot)):
            made = self._next(counts=True)
            if made is not None:
                yield made

    def told(self) -> str:
        """Note on a pilot whose executions all take as long as the case; else empty."""
        if len(self._pilot) < 2 or min(self._pilot) < max(self._pilot):
            return ""
        return f"{len(self._pilot) - 1} other inputs{self.keys()} take the same cycles"

    def keys(self) -> str:
        """Words for the keys of the inputs."""
        if self.inputs.case.operation not in _WITH_PAIR:
            return ""
        return f" and the same key ({self.same_key})" if self.same_key else " and keys"

    def _next(self, *, counts: bool) -> Execution | None:
        self._number += 1
        own = self.inputs.case.operation in _WITH_PAIR and not self.same_key
        pair = _pair(self.inputs, self.session, self._number) if own else None
        job = self.inputs.job_of(self.session, self._number, pair)
        if job is None:
            return None
        if self.inputs.case.operation is Operation.SIGN:
            job = replace(job, aad=derived(self.inputs.label("drawn", self._number), _DRAWN_BYTES))
        timing = self.session.measure(job, batch=1, count=1, warm=0, timeout=self.inputs.timeout)
        return Execution(job, timing, b"" if pair is None else pair[1], counts)

    def _why_same(self) -> str:
        """Reason why all inputs have the key of the case; empty if each has its own."""
        inputs, session = self.inputs, self.session
        try:
            private, public = _pair(inputs, session, 0)
            if not private or not public:
                return "a probe has no room for another one"
            if _pair(inputs, session, 0) != (private, public):
                return "its keys do not follow from a seed"
            timing = session.measure(
                _keygen(inputs, 0), batch=1, count=1, warm=0, timeout=inputs.timeout
            )
        except ProbeFailure as failure:
            if failure.kind not in _NO_KEYS:
                raise
            return f"making another one is {failure.kind.value}"
        making = _requests(inputs) * timing.ticks[0]
        dear = _FEW * making > _TICKS and making > _EACH * self.usual
        return f"making one takes {timing.ticks[0]:,} ticks" if dear else ""


def counted(pilot: Sequence[int]) -> int:
    """Executions that count, by the ticks of a pilot, of which none does."""
    if min(pilot) == max(pilot):
        return 0
    poor = max(pilot) - min(pilot) > _POOR * fmean(pilot)
    return max(_LEAST, min(_MANY if poor else _FEW, _TICKS // (_EACH * max(pilot))))


def _pilot_goes_on(pilot: Sequence[int]) -> bool:
    """True for one more execution; ``pilot`` begins with that of the case itself."""
    enough = _FIRST if min(pilot) < max(pilot) else _PILOT
    return len(pilot) <= enough and _EACH * (sum(pilot[1:]) + max(pilot)) <= _TICKS


def _keygen(inputs: OtherInputs, number: int) -> Job:
    scheme = inputs.scheme
    needed = scheme.kem or scheme.signing
    length = (needed.keygen_seed if needed is not None else 0) or _DRAWN_BYTES
    seed = derived(inputs.label("keygen seed", number), length)
    return Job(scheme.name, Operation.KEYGEN.value, seed=seed)


def _requests(inputs: OtherInputs) -> int:
    """Key generations that a pair takes."""
    return 1 if inputs.scheme.kem is not None else 2


def _pair(inputs: OtherInputs, session: Session, number: int) -> tuple[bytes, bytes]:
    """Private and public key of that number, which the implementation makes of a seed; empty
    without room for them in a reply. ProbeFailure.
    """
    keygen, timeout = _keygen(inputs, number), inputs.timeout
    made = session.compute(keygen, timeout=timeout)
    private = made.out or b""
    if inputs.scheme.kem is not None or not private:
        return private, made.public
    # Private keys of the catalog's schemes do not hold the public one; keygen gives it again.
    holds = own_pair(inputs.scheme.name, inputs.offer) or by_seed(inputs.scheme, inputs.offer)
    origin = private if holds else keygen.seed
    signing = Job(inputs.scheme.name, Operation.SIGN.value, key=origin)
    return private, session.compute(signing, public=True, timeout=timeout).out or b""


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


def _kem(
    inputs: OtherInputs, session: Session, number: int, pair: tuple[bytes, bytes] | None = None
) -> Job | None:
    job = inputs.job
    if inputs.case.operation is not Operation.DECAPSULATE:
        if random_result(job):
            return None
        seed = derived(inputs.label("seed", number), len(job.seed))
        return replace(job, key=job.key if pair is None else pair[1], seed=seed)
    public = public_key(inputs.scheme, inputs.offer) if pair is None else pair[1]
    encapsulate = Job(job.scheme, Operation.ENCAPSULATE.value, key=public)
    seed = derived(inputs.label("seed", number), sizes_of(inputs.scheme).encapsulate_seed)
    made = encapsulated(encapsulate, seed, inputs.offer, session, inputs.timeout)
    own = job.key if pair is None else pair[0]
    return replace(job, key=own, ciphertext=made.out, answer=made.secret) if made.out else None


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
