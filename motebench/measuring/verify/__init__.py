"""Runs known answers on a session and reports what passed, failed and was not applicable."""

from __future__ import annotations

from motebench.measuring.verify.checking import check, unanswered
from motebench.measuring.verify.gating import gate
from motebench.measuring.verify.outcome import AnswerOutcome, AnswerVerdict, Counts, Summary, summarize

__all__ = ["AnswerOutcome", "AnswerVerdict", "Counts", "Summary", "check", "gate", "summarize", "unanswered"]
