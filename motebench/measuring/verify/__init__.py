"""Known answers on a session, and a report of passed, failed and inapplicable ones."""

from __future__ import annotations

from motebench.measuring.verify.admission import gate
from motebench.measuring.verify.checking import (
    AnswerOutcome,
    AnswerVerdict,
    Counts,
    Summary,
    check,
    summarize,
    unanswered,
)

__all__ = [
    "AnswerOutcome",
    "AnswerVerdict",
    "Counts",
    "Summary",
    "check",
    "gate",
    "summarize",
    "unanswered",
]
