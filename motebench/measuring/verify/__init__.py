"""Runs known answers on a session and reports what passed, failed and was not applicable."""

from __future__ import annotations

from motebench.measuring.verify.checking import check, unanswered
from motebench.measuring.verify.gating import gate
from motebench.measuring.verify.outcome import Counts, Outcome, Summary, Verdict, summarize

__all__ = ["Counts", "Outcome", "Summary", "Verdict", "check", "gate", "summarize", "unanswered"]
