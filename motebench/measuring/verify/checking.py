"""Known answers run on an implementation, with the outcome of each and sums over many.

Pure logic on a session; nothing is timed and nothing is stored.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from motebench.base.model import FailureKind, Operation
from motebench.catalog.vectors.model import Validity, Vector, is_kem
from motebench.measuring.verify.steps import (
    CheckStep,
    back_step,
    draws_to_sign,
    encapsulate_step,
    in_form_of,
    key_job,
    public_step,
    sign_step,
    steps,
    verify_step,
    why_not,
    why_not_step,
)
from motebench.targets.base import Session
from motebench.targets.wire.messages import Offer, ProbeAnswer, ProbeFailure


class AnswerVerdict(StrEnum):
    """The outcome of one vector."""

    PASSED = "passed"
    PARTLY = "partly"
    """The computed part is right, and the target refused the rest as too big or unsupported;
    ``detail`` has the reason."""
    FAILED = "failed"
    NOT_APPLICABLE = "not-applicable"
    """The answer was not checked, or the implementation does not offer it; ``detail`` has the
    reason.
    """


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """One vector run on one implementation.

    ``kind`` says how it failed, or why the target refused a part. ``expected`` and ``got`` are
    hexadecimal digits (or ``rejected``, ``accepted``) if a comparison failed.
    """

    vector: Vector
    verdict: AnswerVerdict
    detail: str = ""
    kind: FailureKind | None = None
    expected: str = ""
    got: str = ""


@dataclass(slots=True)
class Counts:
    """Numbers of a scheme's vectors that passed, passed in part, failed and were not applicable:
    each is counted once.

    ``acceptable`` is part of ``passed``.
    """

    passed: int = 0
    partly: int = 0
    failed: int = 0
    not_applicable: int = 0
    acceptable: int = 0

    def add(self, outcome: AnswerOutcome) -> None:
        """Count one more."""
        if outcome.verdict is AnswerVerdict.PASSED:
            self.passed += 1
            self.acceptable += outcome.vector.result is Validity.ACCEPTABLE
        elif outcome.verdict is AnswerVerdict.PARTLY:
            self.partly += 1
        elif outcome.verdict is AnswerVerdict.FAILED:
            self.failed += 1
        else:
            self.not_applicable += 1


@dataclass(slots=True)
class Summary:
    """The sums for one implementation. ``reasons`` counts why vectors, or parts of them, were not
    checked.
    """

    implementation: str
    schemes: dict[str, Counts] = field(default_factory=dict)
    failures: list[AnswerOutcome] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> Counts:
        """The sum over all schemes."""
        sums = Counts()
        for counts in self.schemes.values():
            sums.passed += counts.passed
            sums.partly += counts.partly
            sums.failed += counts.failed
            sums.not_applicable += counts.not_applicable
            sums.acceptable += counts.acceptable
        return sums

    @property
    def first_failures(self) -> dict[str, AnswerOutcome]:
        """The first failing vector of each scheme that has one."""
        first: dict[str, AnswerOutcome] = {}
        for outcome in self.failures:
            first.setdefault(outcome.vector.scheme, outcome)
        return first


def summarize(implementation: str, outcomes: Iterable[AnswerOutcome]) -> Summary:
    """Count outcomes by scheme. Vectors of no scheme are counted under an empty name."""
    summary = Summary(implementation)
    for outcome in outcomes:
        summary.schemes.setdefault(outcome.vector.scheme, Counts()).add(outcome)
        if outcome.verdict is AnswerVerdict.FAILED:
            summary.failures.append(outcome)
        elif outcome.verdict is not AnswerVerdict.PASSED:
            summary.reasons[outcome.detail] = summary.reasons.get(outcome.detail, 0) + 1
    return summary


STEP_SECONDS = 20.0
"""Time limit for one computation on a computer; an RSA-4096 signature takes a small one a few
seconds.
"""

BOARD_SECONDS = 300.0
"""Time limit on a board: an RSA-2048 signature takes an 8-bit board minutes."""

AFTER_TIMEOUT = 0.1
"""Share of the time limit for vectors after a time-out, so that an endless loop takes seconds and
not minutes.
"""

GIVE_UP_AFTER = 3
"""Number of consecutive vectors that end the probe (crash, time-out, loss), after which the rest of
a scheme is skipped."""

_SHOWN_BYTES = 64
_NOT_OFFERED = (FailureKind.UNSUPPORTED, FailureKind.TOO_BIG)
_FATAL = (FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.LOST)
_NOTHING_RUNS = (FailureKind.BUILD, FailureKind.TOO_BIG, FailureKind.NO_ROOM, FailureKind.TIMEOUT)


class _Wrong(Exception):  # noqa: N818 - ends the steps of one vector; never leaves this module
    """A step gave a wrong answer."""

    def __init__(self, detail: str, expected: str, got: str) -> None:
        super().__init__(detail)
        self.detail, self.expected, self.got = detail, expected, got


class _NotOffered(Exception):  # noqa: N818 - as above
    """The implementation does not offer this, or the target is too small for it."""

    def __init__(self, message: str, kind: FailureKind | None = None) -> None:
        super().__init__(message)
        self.kind = kind


def check(
    session: Session,
    scheme: str,
    vectors: Iterable[Vector],
    *,
    seconds: float | None = None,
    give_up_after: int = GIVE_UP_AFTER,
) -> list[AnswerOutcome]:
    """Run all ``vectors`` of a scheme on the implementation behind ``session``, in their order.

    A computation may take ``seconds``; without them `STEP_SECONDS`, on a board `BOARD_SECONDS`, and
    `AFTER_TIMEOUT` of that after a computation that took longer. Vectors of other schemes (or of
    none) come back as not applicable. Raises ProbeFailure only if the implementation cannot even
    say what it offers.
    """
    offer = session.offers().get(scheme)
    outcomes: list[AnswerOutcome] = []
    fatal = 0
    requested = list(vectors)
    unbuilt = _unbuilt(session, scheme) if offer and requested else None
    for vector in requested:
        if unbuilt and vector.scheme == scheme:
            outcomes.append(_not_built(vector, unbuilt, outcomes))
            continue
        if fatal >= give_up_after:
            reason = f"not run: the probe ended {give_up_after} times in a row"
            outcomes.append(AnswerOutcome(vector, AnswerVerdict.NOT_APPLICABLE, reason))
            continue
        share = AFTER_TIMEOUT if outcomes and outcomes[-1].kind is FailureKind.TIMEOUT else 1.0
        outcome = _check_one(
            session, offer if vector.scheme == scheme else None, vector, seconds, share
        )
        fatal = fatal + 1 if outcome.kind in _FATAL else 0
        outcomes.append(outcome)
    return outcomes


def _not_built(
    vector: Vector, unbuilt: ProbeFailure, outcomes: Sequence[AnswerOutcome]
) -> AnswerOutcome:
    """The outcome of a vector where nothing was built: a failure once, because the reason is the
    same for all.
    """
    if not any(outcome.kind is unbuilt.kind for outcome in outcomes):
        return AnswerOutcome(vector, AnswerVerdict.FAILED, unbuilt.message, unbuilt.kind)
    cause = (
        "the probe did not start"
        if unbuilt.kind is FailureKind.TIMEOUT
        else "nothing could be built"
    )
    return AnswerOutcome(vector, AnswerVerdict.NOT_APPLICABLE, f"not run: {cause}", None)


def unanswered(vectors: Iterable[Vector], failure: ProbeFailure) -> list[AnswerOutcome]:
    """The outcomes of ``vectors`` if the probe never sent its offer: the first failed, the others
    were not run.
    """
    outcomes: list[AnswerOutcome] = []
    failed = False
    for vector in vectors:
        if vector.not_applicable:
            outcomes.append(
                AnswerOutcome(vector, AnswerVerdict.NOT_APPLICABLE, vector.not_applicable)
            )
        elif failed:
            outcomes.append(
                AnswerOutcome(
                    vector, AnswerVerdict.NOT_APPLICABLE, "not run: the probe did not start"
                )
            )
        else:
            failed = True
            outcomes.append(
                AnswerOutcome(vector, AnswerVerdict.FAILED, failure.message, failure.kind)
            )
    return outcomes


def _unbuilt(session: Session, scheme: str) -> ProbeFailure | None:
    """Failure to build a program that could run known answers; None if there is one."""
    try:
        session.hello_of(scheme)
    except ProbeFailure as failure:
        return failure if failure.kind in _NOTHING_RUNS else None
    return None


def _check_one(
    session: Session, offer: Offer | None, vector: Vector, seconds: float | None, share: float
) -> AnswerOutcome:
    """Check one known answer. ``share``: part of the default limit; explicit ``seconds`` stay."""
    if offer is None:
        reason = vector.not_applicable or f"the implementation does not offer {vector.scheme}"
        return AnswerOutcome(vector, AnswerVerdict.NOT_APPLICABLE, reason)
    try:
        hello = session.hello_of(offer.scheme)
        limit = seconds or share * (BOARD_SECONDS if hello.device else STEP_SECONDS)
        vector_asked = _with_key(session, limit, offer, in_form_of(vector, offer))
        reason = why_not(vector_asked, hello, offer)
        if reason:
            return AnswerOutcome(vector, AnswerVerdict.NOT_APPLICABLE, reason)
        done, reason, kind = _ask_all(session, limit, offer, vector_asked)
    except _Wrong as wrong:
        return AnswerOutcome(
            vector,
            AnswerVerdict.FAILED,
            wrong.detail,
            FailureKind.WRONG_ANSWER,
            expected=wrong.expected,
            got=wrong.got,
        )
    except ProbeFailure as failure:
        return AnswerOutcome(vector, AnswerVerdict.FAILED, failure.message, failure.kind)
    if not done:
        return AnswerOutcome(
            vector,
            AnswerVerdict.NOT_APPLICABLE,
            reason or "this input asks nothing of an implementation",
            kind,
        )
    if kind is not None:
        return AnswerOutcome(vector, AnswerVerdict.PARTLY, reason, kind)
    return AnswerOutcome(vector, AnswerVerdict.PASSED)


def _ask_all(
    session: Session, seconds: float, offer: Offer, vector: Vector
) -> tuple[int, str, FailureKind | None]:
    """The number of right steps, why a step was left out, and the kind of the first refusal.

    A refusal by the target says more than a step that is not on offer: its reason comes first.
    """
    if vector.operation is Operation.SIGN:
        return _sign(session, seconds, offer, vector)
    done, skipped, kind = _ask_steps(session, seconds, offer, vector)
    if not (done and vector.public):
        return done, skipped, kind
    try:
        if vector.operation is Operation.DECAPSULATE:
            _there_and_back(session, seconds, offer, vector)
        signs = vector.operation is Operation.KEYGEN and not is_kem(vector.scheme)
        if signs or vector.operation in (Operation.AGREE, Operation.DECAPSULATE):
            made = replace(vector, key=vector.expect_out or b"") if signs else vector
            _ask(session, seconds, public_step(made), vector=vector, public=True)
    except _NotOffered as refusal:
        return done, str(refusal), refusal.kind
    return done, skipped, kind


def _ask_steps(
    session: Session, seconds: float, offer: Offer, vector: Vector
) -> tuple[int, str, FailureKind | None]:
    done, skipped = 0, ""
    kind: FailureKind | None = None
    for step in steps(vector):
        reason = why_not_step(step, offer)
        if not reason:
            chain = vector.chain if step.operation is vector.operation else 1
            try:
                _ask(session, seconds, step, chain=chain, vector=vector)
                done += 1
            except _NotOffered as refusal:
                if kind is None:
                    skipped, kind = str(refusal), refusal.kind
        skipped = skipped or reason
    return done, skipped, kind


def _with_key(session: Session, seconds: float, offer: Offer, vector: Vector) -> Vector:
    """The vector with its private key; one that has only the seed gets the key that the
    implementation makes of it.
    """
    job = key_job(vector, offer)
    if job is None:
        return vector
    try:
        return replace(vector, key=session.compute(job, timeout=seconds).out or b"")
    except ProbeFailure as failure:
        if failure.kind in _FATAL:
            raise
        return vector  # then nothing can be asked, or the wrong seed is refused


def _there_and_back(session: Session, seconds: float, offer: Offer, vector: Vector) -> None:
    """A secret that is encapsulated for the public key of a vector must come back by decapsulation.
    Raises as `_ask`."""
    first = encapsulate_step(vector)
    if why_not_step(first, offer) or offer.needs_seed:
        return
    made = _ask(session, seconds, first, vector=vector)
    if made.out is None:
        raise _NotOffered("a ciphertext does not fit a frame of the probe", FailureKind.TOO_BIG)
    _ask(session, seconds, back_step(vector, made.out, made.secret), vector=vector)


def _sign(
    session: Session, seconds: float, offer: Offer, vector: Vector
) -> tuple[int, str, FailureKind | None]:
    first = sign_step(vector)
    reason = why_not_step(first, offer)
    if reason:
        return 0, reason, None
    done = 0
    try:
        answer, compared = _signature(session, seconds, first, vector)
        if first.rejected:
            return 1, "", None
        done = int(compared)  # otherwise verifying it fails
        public = _ask(session, seconds, public_step(vector), vector=vector, public=True).out
        if answer.out is None or public is None:
            raise _NotOffered(
                "a signature or key does not fit a frame of the probe", FailureKind.TOO_BIG
            )
        unverified = why_not_step(verify_step(vector, public, answer.out, forged=False), offer)
        if unverified:
            return done, unverified, None
        _ask(session, seconds, verify_step(vector, public, answer.out, forged=False), vector=vector)
        _ask(session, seconds, verify_step(vector, public, answer.out, forged=True), vector=vector)
    except _NotOffered as refusal:
        return done, str(refusal), refusal.kind
    return 1, "", None


def _signature(
    session: Session, seconds: float, step: CheckStep, vector: Vector
) -> tuple[ProbeAnswer, bool]:
    """A signature, and whether it was compared: one that differs each time is not, where the scheme
    allows that.
    """
    try:
        return _ask(session, seconds, step, vector=vector), step.out is not None
    except _Wrong:
        if step.rejected or not draws_to_sign(vector.scheme):
            raise
        first, second = (
            _ask(session, seconds, replace(step, out=None), vector=vector) for _ in range(2)
        )
        if first.crc == second.crc:
            raise
        return first, False


def _ask(
    session: Session,
    seconds: float,
    step: CheckStep,
    *,
    vector: Vector,
    chain: int = 1,
    public: bool = False,
) -> ProbeAnswer:
    """The answer of a step. Raises _Wrong, _NotOffered, or ProbeFailure for the kinds that are
    failures.
    """
    name = "public key" if public else step.operation.value
    try:
        answer = session.compute(step.job, public=public, timeout=seconds)
        for _ in range(chain - 1):
            if answer.out is None or answer.rejected:
                break
            answer = session.compute(replace(step.job, data=answer.out), timeout=seconds)
    except ProbeFailure as failure:
        if failure.kind is FailureKind.UNSUPPORTED and step.may_refuse:
            return ProbeAnswer(rejected=True)
        if failure.kind in _NOT_OFFERED:
            raise _NotOffered(failure.message, failure.kind) from None
        # A library that refuses bad input with an error has not accepted it.
        if failure.kind is FailureKind.ERROR and (step.rejected or step.may_reject):
            return ProbeAnswer(rejected=True)
        raise
    _judge(step, answer, vector, name)
    return answer


def _judge(step: CheckStep, answer: ProbeAnswer, vector: Vector, name: str) -> None:
    if vector.operation is Operation.MAC and step.rejected:
        # MACs are compared here, because probes compute MACs and do not check them.
        if answer.out is not None and _same(step, answer):
            raise _Wrong(
                f"{name}: the MAC that must be wrong is right", "another MAC", _shown(answer.out)
            )
        return
    if answer.rejected:
        if not (step.rejected or step.may_reject):
            raise _Wrong(f"{name}: a good input was rejected", _shown(step.out), "rejected")
        return
    if step.rejected:
        got = _shown(answer.out) if answer.out else "accepted"
        raise _Wrong(f"{name}: an input that must be rejected was accepted", "rejected", got)
    _judge_output(step, answer, name)
    for part, expected, got_second in (
        ("tag", step.tag, answer.tag),
        ("secret", step.secret, answer.secret),
        ("public key", step.public, answer.public),
    ):
        if (
            expected is not None
            and got_second != expected
            and (answer.out is not None or part != "tag")
        ):
            raise _Wrong(f"{name}: wrong {part}", _shown(expected), _shown(got_second))


def _judge_output(step: CheckStep, answer: ProbeAnswer, name: str) -> None:
    if step.out is not None and not _same(step, answer):
        got = (
            f"{answer.length} B with CRC-32 {answer.crc:08x}"
            if answer.out is None
            else _shown(answer.out)
        )
        raise _Wrong(f"{name}: wrong output", _shown(step.out), got)
    if step.unlike is not None and (answer.out == step.unlike or answer.length != len(step.unlike)):
        another = f"another secret of {len(step.unlike)} B"
        raise _Wrong(
            f"{name}: a changed ciphertext gives the wrong secret", another, _shown(answer.out)
        )


def _same(step: CheckStep, answer: ProbeAnswer) -> bool:
    expected = step.out or b""
    if answer.out is None:
        # Too long for a frame: the probe sends the CRC-32 of both outputs instead.
        return step.prefix or (
            answer.length == len(expected) and answer.crc == zlib.crc32(expected + step.second)
        )
    return answer.out[: len(expected)] == expected if step.prefix else answer.out == expected


def _shown(data: bytes | None) -> str:
    if data is None:
        return "any"
    if len(data) <= _SHOWN_BYTES:
        return data.hex()
    return f"{data[:_SHOWN_BYTES].hex()}... ({len(data)} B)"


def applicable_results(outcomes: Sequence[AnswerOutcome]) -> tuple[int, AnswerOutcome | None]:
    """The number of valid vectors that passed completely, and the first outcome that failed."""
    passed = sum(
        1
        for outcome in outcomes
        if outcome.verdict is AnswerVerdict.PASSED and outcome.vector.result is Validity.VALID
    )
    return passed, next(
        (outcome for outcome in outcomes if outcome.verdict is AnswerVerdict.FAILED), None
    )


def right_in_part(outcomes: Sequence[AnswerOutcome]) -> bool:
    """True if a valid vector is right as far as the target computed it."""
    return any(
        outcome.verdict is AnswerVerdict.PARTLY and outcome.vector.result is Validity.VALID
        for outcome in outcomes
    )
