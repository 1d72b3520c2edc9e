"""Admission to timing: a quick, deterministic choice of known answers for each scheme; more for
user code.

User code is timed only after its known answers were right on the target that measures it. A board
computes a sample of them, since all would take too long. This machine, if the code can be built for
it, computes all. A note of the run says what was checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from motebench.base.model import Failure, FailureKind, Operation
from motebench.catalog.vectors import vectors_for
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify.checking import (
    STEP_SECONDS,
    AnswerOutcome,
    applicable_results,
    check,
    right_in_part,
)
from motebench.measuring.verify.checking import AnswerVerdict as Checked
from motebench.measuring.work.proof import shares_secrets, verifies_signatures
from motebench.targets.base import OF_THE_SCHEME, Session, Target
from motebench.targets.code import answers
from motebench.targets.code.building import HOST_LEVEL, UserCode
from motebench.targets.code.folder import KEYED
from motebench.targets.code.session import CodeSession
from motebench.targets.host.this_machine import ThisMachine
from motebench.targets.wire.messages import Job, Offer, ProbeFailure, fill

GATE_VECTORS = 20
"""Number of known answers that a scheme must pass before each run."""

_MIN_EACH = 3
_SLOW = (
    *(Operation.SIGN, Operation.VERIFY, Operation.AGREE),
    *(Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE),
)
"""Operations that take a board seconds to minutes for each known answer."""


def choose(
    vectors: Sequence[Vector], count: int = GATE_VECTORS, *, few: bool = False
) -> list[Vector]:
    """At most ``count`` vectors, always the same ones: some of each operation and result, then the
    first ones.

    ``few``: one of each operation and result. Repeated operations (``chain``) are left to the full
    verification.
    """
    usable = [vector for vector in vectors if vector.chain == 1]
    chosen: set[int] = set()
    seen: dict[tuple[str, Validity], int] = {}
    for index, vector in enumerate(usable):
        kind = (vector.operation.value, vector.result)
        if seen.get(kind, 0) < (1 if few else _MIN_EACH) and len(chosen) < count:
            seen[kind] = seen.get(kind, 0) + 1
            chosen.add(index)
    for index in range(0 if few else len(usable)):
        if len(chosen) >= count:
            break
        chosen.add(index)
    return [usable[index] for index in sorted(chosen)]


def gate(
    session: Session,
    scheme: str,
    *,
    target: str,
    implementation: str,
    given: Sequence[Vector] | None = None,
    seconds: float | None = None,
) -> Failure | None:
    """None if the implementation may be timed on this scheme, else why not.

    It may if at least one valid known answer of the catalog passes and none fails; where the target
    refuses a part of each, what it took must be right. ``target`` and ``implementation``
    are the names the failure carries. ``given``: these instead of the catalog's, all of them. For
    ``seconds`` see `check`. A board is asked few known answers of what is slow, and nothing more
    once it ended, or gave no answer.
    """

    def failure(kind: FailureKind, message: str, vector: str | None = None) -> Failure:
        return Failure(scheme, implementation, target, kind, message, vector=vector)

    vectors = vectors_for(scheme) if given is None else given
    if not vectors:
        return failure(
            FailureKind.UNSUPPORTED, "no known answer in the catalog, so nothing is timed"
        )
    try:
        few = vectors[0].operation in _SLOW and bool(session.hello_of(scheme).device)
        chosen = vectors if given is not None else choose(vectors, few=few)
        outcomes = check(session, scheme, chosen, seconds=seconds, give_up_after=1)
        passed, wrong = applicable_results(outcomes)
        if wrong is None and not passed and not right_in_part(outcomes):
            # The chosen few may not fit the offered sizes; others may.
            outcomes = check(session, scheme, vectors, seconds=seconds, give_up_after=1)
            passed, wrong = applicable_results(outcomes)
    except ProbeFailure as problem:
        return failure(problem.kind, problem.message)
    if wrong is not None:
        return failure(*_wrong(wrong))
    if not passed and not right_in_part(outcomes):
        kind, reason = _first_reason(outcomes)
        return failure(kind, f"none of {len(vectors)} known answers can be run: {reason}")
    return None


def _wrong(wrong: AnswerOutcome) -> tuple[FailureKind, str, str | None]:
    """Kind, message and vector of a failure whose cause is a wrong answer."""
    kind = wrong.kind or FailureKind.WRONG_ANSWER
    message = (
        f"{wrong.detail}; expected {wrong.expected}, got {wrong.got}"
        if wrong.expected
        else wrong.detail
    )
    return (
        kind,
        message,
        None if kind in OF_THE_SCHEME else f"{wrong.vector.id} ({wrong.vector.source})",
    )


def _first_reason(outcomes: Sequence[AnswerOutcome]) -> tuple[FailureKind, str]:
    """Kind and text of the reason why nothing could be run. A failure on the target itself says
    more than one that was found before.
    """
    failed = [outcome for outcome in outcomes if outcome.kind is not None]
    reasons = failed or [outcome for outcome in outcomes if outcome.detail]
    if not reasons:
        return FailureKind.UNSUPPORTED, "no valid vector"
    return reasons[0].kind or FailureKind.UNSUPPORTED, reasons[0].detail


UNPROVED = (
    "no known answers: checked only that it decrypts its own ciphertext and refuses a forged tag"
)
"""Note on every number of code without known answers."""
UNPROVED_KEYS = {
    "kem": (
        "no known answers: checked only that both sides have the same secret, and a changed "
        "ciphertext another one"
    ),
    "sign": (
        "no known answers: checked only that its signatures verify, and changed messages and "
        "signatures do not"
    ),
}
"""The same on a KEM and on signatures."""
_RIGHT = "built for this machine, the same files have"
_DIFFERS = " (int has 16 bits on an AVR, and files may have parts for one processor: #ifdef AVR)"
_TRIED = ((0, 0), (1, 0), (0, 1), (16, 16), (33, 17))


_STOPS = "unaligned access"
"""Message of a simulator on an access that the processor refuses."""
_WORDS = 8
"""Bytes: lengths that are multiples of it keep every access aligned, of double words too."""


@dataclass(frozen=True, slots=True)
class AdmissionVerdict:
    """Verdict on timing a scheme: the failure that refuses it, if any, and remarks for readers on
    the checks.

    ``step``: only lengths that are multiples of so many bytes are timed; ``others`` is why the
    others are not.
    """

    refused: Failure | None
    notes: tuple[str, ...] = ()
    step: int = 1
    others: str = ""


def known_answers(code: UserCode, scheme: str) -> list[Vector]:
    """All known answers of the scheme: the code's own, then the catalog's.

    The interface of KEMs says nothing of inputs that a standard has rejected: whether code checks
    them is not asked.
    """
    published: Sequence[Vector] = vectors_for(scheme)
    if code.kind_of(scheme) == "kem":
        published = [vector for vector in published if vector.result is Validity.VALID]
    return [*code.answers.get(scheme, ()), *published]


def admit(
    code: UserCode,
    session: Session,
    scheme: str,
    *,
    target: Target,
    implementation: str,
    seconds: float = STEP_SECONDS,
) -> AdmissionVerdict:
    """Check known answers on the code. ``implementation`` is the name in failures.

    A computation may take ``seconds``.
    """
    answers_known = known_answers(code, scheme)
    if not answers_known:
        return _unproved(code, session, scheme, target.name, implementation, seconds)

    def failure_on(vectors: list[Vector]) -> Failure | None:
        return gate(
            session,
            scheme,
            target=target.name,
            implementation=implementation,
            given=vectors,
            seconds=seconds,
        )

    if target.place.fast:
        refused = failure_on(answers_known)
        return AdmissionVerdict(
            refused,
            (
                f"{implementation}: {len(answers_known)} known answers of {scheme} asked on "
                f"{target.name}",
            ),
        )
    kind = code.kind_of(scheme)
    chosen = (
        choose(answers_known, few=kind in KEYED)
        if kind in (*KEYED, "cipher")
        else answers.sample(answers_known)
    )
    refused = failure_on(chosen)
    step, others = 1, ""
    if refused is not None and kind in _TRIED_OF and _stopped(refused):
        whole = [vector for vector in chosen if not (len(vector.data) | len(vector.aad)) % _WORDS]
        if whole and failure_on(whole) is None:
            others = (
                f"the code stops at lengths that are not multiples of {_WORDS} B: {refused.message}"
            )
            step, chosen, refused = _WORDS, whole, None
    notes = [
        (
            f"{implementation}: {len(chosen)} of {len(answers_known)} known answers of {scheme} "
            f"asked on {target.name}"
        )
    ]
    if step > 1:
        notes.append(
            f"{implementation}: only lengths that are multiples of {step} B are checked and "
            f"timed; {others}"
        )
    if refused is None:
        here, failed = _on_this_machine(code, scheme, answers_known)
        notes.append(f"{code.name}: {here}")
        refused = _fails_too(failed, answers_known, kind, failure_on)
    elif refused.kind is FailureKind.WRONG_ANSWER:
        here, _ = _on_this_machine(code, scheme, answers_known)
        refused = replace(
            refused, message=f"{refused.message}; {here}{_DIFFERS if _RIGHT in here else ''}"
        )
    return AdmissionVerdict(refused, tuple(notes), step, others)


def _stopped(refused: Failure) -> bool:
    """True if the code ended itself, as code does that accepts whole words only."""
    return refused.kind is FailureKind.CRASH and _STOPS in refused.message


def refusal(
    session: Session, scheme: str, *, target: Target, implementation: str, code: UserCode | None
) -> Failure | None:
    """Failure for which a scheme of any implementation must not be timed; None if it may be.
    ``code``: if it is user code.
    """
    if code is None:
        return gate(session, scheme, target=target.name, implementation=implementation)
    return admit(code, session, scheme, target=target, implementation=implementation).refused


def _fails_too(
    failed: Vector | None,
    vectors: list[Vector],
    kind: str | None,
    failure_on: Callable[[list[Vector]], Failure | None],
) -> Failure | None:
    """Failure of a board at the known answer that is wrong on this machine. It is asked all before
    that one as well, because code may count its calls; of slow operations that one alone. What it
    does not take says nothing.
    """
    if failed is None:
        return None
    questions = [failed] if kind in KEYED else vectors[: vectors.index(failed) + 1]
    refused = failure_on(questions)
    takes = refused is not None and refused.kind not in (
        FailureKind.UNSUPPORTED,
        FailureKind.TOO_BIG,
    )
    return refused if takes else None


def _on_this_machine(
    code: UserCode, scheme: str, vectors: list[Vector]
) -> tuple[str, Vector | None]:
    """All known answers, checked once with the same files built for this machine: a remark, and
    the one that is wrong.
    """
    if scheme not in code.asked_here:
        code.asked_here[scheme] = _ask_all(code, scheme, vectors)
    return code.asked_here[scheme]


def _ask_all(code: UserCode, scheme: str, vectors: list[Vector]) -> tuple[str, Vector | None]:
    try:
        session = CodeSession(code, HOST_LEVEL, ThisMachine())
        try:
            _ = session.hello  # a build failure is not a wrong answer
            outcomes = check(session, scheme, vectors)
        finally:
            session.close()
    except ProbeFailure as failure:
        return (
            f"the files cannot be built for this machine ({failure.message[:160]}), so only "
            "these were checked"
        ), None
    _, wrong = applicable_results(outcomes)
    if wrong is not None:
        return (
            "built for this machine, where other parts of the files may be used, the files fail "
            f"{wrong.vector.id}: {wrong.detail}"
        ), wrong.vector
    right = sum(outcome.verdict is Checked.PASSED for outcome in outcomes)
    share = f"all {right}" if right == len(vectors) else f"{right} of {len(vectors)}"
    return f"{_RIGHT} {share} known answers of {scheme} right", None


def _unproved(
    code: UserCode, session: Session, scheme: str, target: str, implementation: str, seconds: float
) -> AdmissionVerdict:
    if not code.unproved:
        files = "LWC_AEAD_KAT_*.txt, LWC_HASH_KAT_*.txt"
        if code.kind_of(scheme) in KEYED:
            files = "PQCkemKAT_*.rsp, PQCsignKAT_*.rsp"
        message = (
            "no known answers, so nothing is timed: give the file of the submission with --kat "
            f"({files}), or name the scheme of the catalog with --scheme, or add --without-kat"
        )
        return AdmissionVerdict(
            Failure(scheme, implementation, target, FailureKind.UNSUPPORTED, message)
        )
    offer = session.offers()[scheme]
    kind = code.kind_of(scheme) or ""
    tried: Callable[[Session, Offer, float], str] = _TRIED_OF[kind]
    try:
        problem = tried(session, offer, seconds)
    except ProbeFailure as failure:
        return AdmissionVerdict(
            Failure(scheme, implementation, target, failure.kind, failure.message)
        )
    if problem:
        return AdmissionVerdict(
            Failure(scheme, implementation, target, FailureKind.WRONG_ANSWER, problem)
        )
    return AdmissionVerdict(
        None, (f"{implementation}: {scheme}: {UNPROVED_KEYS.get(kind, UNPROVED)}",)
    )


def _undoes(session: Session, offer: Offer, seconds: float) -> str:
    """The failure of a round trip, or an empty text."""
    key, nonce, tag = fill(3, offer.key[0]), fill(5, offer.nonce[0]), offer.tag[0]
    for size, aad in _TRIED:
        lengths = f"{size} B of message, {aad} B of additional data"
        encrypting, back = Operation.ENCRYPT_MESSAGE.value, Operation.DECRYPT_MESSAGE.value
        job = Job(offer.scheme, encrypting, key, nonce, fill(7, aad), fill(11, size), tag_bytes=tag)
        sealed = session.compute(job, timeout=seconds)
        if sealed.out is None or len(sealed.out) != size or len(sealed.tag) != tag:
            return f"{lengths}: the ciphertext is not as long as the message and the tag"
        reverse = replace(job, operation=back, data=sealed.out, tag=sealed.tag)
        opened = session.compute(reverse, timeout=seconds)
        if opened.rejected or opened.out != fill(11, size):
            return f"{lengths}: its own ciphertext does not give the message back"
        forged = sealed.tag[:-1] + bytes((sealed.tag[-1] ^ 1,))
        if not session.compute(replace(reverse, tag=forged), timeout=seconds).rejected:
            return f"{lengths}: a forged tag is accepted"
    return ""


def _repeats(session: Session, offer: Offer, seconds: float) -> str:
    """Two checks that a hash function allows: the same digest for the same input, another for
    another input.
    """
    seen: dict[bytes, int] = {}
    for size, _ in (*_TRIED, *_TRIED):
        answer = session.compute(
            Job(offer.scheme, Operation.DIGEST.value, data=fill(11, size)), timeout=seconds
        )
        if answer.out is None or len(answer.out) != offer.tag[0]:
            return f"{size} B: the digest does not have {offer.tag[0]} B"
        if seen.setdefault(answer.out, size) != size:
            return f"{seen[answer.out]} B and {size} B have the same digest"
    return (
        "" if len(seen) == len({size for size, _ in _TRIED}) else "the digest of a message changes"
    )


_TRIED_OF: dict[str, Callable[[Session, Offer, float], str]] = {
    "aead": _undoes,
    "hash": _repeats,
    "kem": shares_secrets,
    "sign": verifies_signatures,
}


def remarks_on(code: UserCode, scheme: str) -> list[str]:
    """Notes on every number of user code."""
    kind = code.kind_of(scheme) or ""
    remarks = [] if known_answers(code, scheme) else [UNPROVED_KEYS.get(kind, UNPROVED)]
    if kind == "kem":
        remarks.append("whether it checks its inputs is its own affair: the interface does not say")
    if kind == "sign":
        remarks.append(
            "signing draws 32 zeros and then a fixed stream: a message always has the same "
            "signature"
        )
    if code.kind_of(scheme) == "aead":
        remarks.append("the call takes the key: key set-up is part of it")
    return remarks
