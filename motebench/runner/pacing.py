"""The clock of each board behind a port, compared once in a run with this machine's."""

from __future__ import annotations

from contextlib import suppress

from motebench.runner.budget import Budget
from motebench.targets.base import Session
from motebench.targets.pace import pace, remark
from motebench.wire.messages import Hello, Job, ProbeFailure


class Pacing:
    """Of one run. ``timeout``: the most seconds a request may take."""

    def __init__(self, budget: Budget, timeout: float) -> None:
        self._budget, self._timeout = budget, timeout
        self._told: dict[str, str] = {}

    def told(self, target: str, tolerance: float, session: Session, job: Job, hello: Hello, seconds: float) -> str:
        """What readers should know of the clock of a target, whose rate is known to ``tolerance``; empty if nothing.

        ``seconds``: what one iteration of the job takes.
        """
        if target not in self._told:
            self._told[target] = ""
            # It takes nothing of the budget, and the case is judged by its own requests.
            with self._budget.stopped(), suppress(ProbeFailure):
                found = pace(session, job, hello.clock.hz, seconds=seconds, timeout=self._timeout)
                self._told[target] = "" if found is None else remark(found, tolerance)
        return self._told[target]
