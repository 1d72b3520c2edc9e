"""Known answers first: runs vectors on a session and says what passed, failed and could not be asked."""

from __future__ import annotations

from motebench.verify.checking import check, unanswered
from motebench.verify.gating import gate
from motebench.verify.outcome import Counts, Outcome, Summary, Verdict, summarize

__all__ = ["Counts", "Outcome", "Summary", "Verdict", "check", "gate", "summarize", "unanswered"]
