"""The gate before timing: a quick, deterministic choice of known answers for each scheme."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.base.model import Failure, FailureKind, Operation
from motebench.catalog.vectors import vectors_for
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify.checking import applicable_results, check, right_in_part
from motebench.measuring.verify.outcome import AnswerOutcome
from motebench.targets.base import OF_THE_SCHEME, Session
from motebench.targets.wire.messages import ProbeFailure

GATE_VECTORS = 20
"""Number of known answers that a scheme must pass before each run."""

_MIN_EACH = 3
_SLOW = (
    *(Operation.SIGN, Operation.VERIFY, Operation.AGREE),
    *(Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE),
)
"""Operations that take a board seconds to minutes for each known answer."""


def choose(vectors: Sequence[Vector], count: int = GATE_VECTORS, *, few: bool = False) -> list[Vector]:
    """At most ``count`` vectors, always the same ones: some of each operation and result, then the first ones.

    ``few``: one of each operation and result. Repeated operations (``chain``) are left to the full verification.
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
    known: Sequence[Vector] | None = None,
    seconds: float | None = None,
) -> Failure | None:
    """None if the implementation may be timed on this scheme, else why not.

    It may if at least one valid known answer of the catalog passes and none fails; where the target refuses a part of
    each, what it took must be right. ``target`` and ``implementation``
    are the names the failure carries. ``known``: these instead of the catalog's, all of them. For ``seconds`` see
    `check`. A board is asked few known answers of what is slow, and nothing more once it ended, or gave no answer.
    """

    def failure(kind: FailureKind, message: str, vector: str | None = None) -> Failure:
        return Failure(scheme, implementation, target, kind, message, vector=vector)

    vectors = vectors_for(scheme) if known is None else known
    if not vectors:
        return failure(FailureKind.UNSUPPORTED, "no known answer in the catalog, so nothing is timed")
    try:
        few = vectors[0].operation in _SLOW and bool(session.hello_of(scheme).device)
        chosen = vectors if known is not None else choose(vectors, few=few)
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
    message = f"{wrong.detail}; expected {wrong.expected}, got {wrong.got}" if wrong.expected else wrong.detail
    return kind, message, None if kind in OF_THE_SCHEME else f"{wrong.vector.id} ({wrong.vector.source})"


def _first_reason(outcomes: Sequence[AnswerOutcome]) -> tuple[FailureKind, str]:
    """Why nothing could be run. A failure on the target itself says more than one that was found before."""
    failed = [outcome for outcome in outcomes if outcome.kind is not None]
    reasons = failed or [outcome for outcome in outcomes if outcome.detail]
    if not reasons:
        return FailureKind.UNSUPPORTED, "no valid vector"
    return reasons[0].kind or FailureKind.UNSUPPORTED, reasons[0].detail
