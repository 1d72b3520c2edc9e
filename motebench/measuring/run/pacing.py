"""Compares the clock of each board on a serial port with this machine's, once in a run."""

from __future__ import annotations

from contextlib import suppress

from motebench.measuring.run.budget import Budget
from motebench.targets.base import Session
from motebench.targets.session import pace, pace_note
from motebench.targets.wire.messages import Hello, Job, ProbeFailure


class Pacing:
    """The comparisons of one run. ``timeout``: longest request in seconds."""

    def __init__(self, budget: Budget, timeout: float) -> None:
        self._budget, self._timeout = budget, timeout
        self._told: dict[str, str] = {}

    def told(self, target: str, tolerance: float, session: Session, job: Job, hello: Hello, seconds: float) -> str:
        """A remark for readers on the clock of a target, whose rate has the tolerance ``tolerance``; empty if there is
        none.

        ``seconds``: duration of one iteration of the job.
        """
        if target not in self._told:
            self._told[target] = ""
            # This time does not count against the budget, and the case is judged by its own requests.
            with self._budget.stopped(), suppress(ProbeFailure):
                found = pace(session, job, hello.clock.hz, seconds=seconds, timeout=self._timeout)
                self._told[target] = "" if found is None else pace_note(found, tolerance)
        return self._told[target]
