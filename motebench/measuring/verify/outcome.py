"""The outcome of a known answer, and sums over many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from motebench.base.model import FailureKind
from motebench.catalog.vectors.model import Validity, Vector


class AnswerVerdict(StrEnum):
    """The outcome of one vector."""

    PASSED = "passed"
    PARTLY = "partly"
    """The computed part is right, and the target refused the rest as too big or unsupported; ``detail`` has
    the reason."""
    FAILED = "failed"
    NOT_APPLICABLE = "not-applicable"
    """Not run, or not offered by the implementation; ``detail`` has the reason."""


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """One vector run on one implementation.

    ``kind`` says how it failed, or why the target refused a part. ``expected`` and ``got`` are hexadecimal digits (or
    ``rejected``, ``accepted``) if a comparison failed.
    """

    vector: Vector
    verdict: AnswerVerdict
    detail: str = ""
    kind: FailureKind | None = None
    expected: str = ""
    got: str = ""


@dataclass(slots=True)
class Counts:
    """How many vectors of a scheme passed, passed in part, failed and were not applicable: each is counted once.

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
    """The sums for one implementation. ``reasons`` counts why vectors, or parts of them, were not checked."""

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
