"""The time of a run: how many seconds have passed, and how many of them count against the budget."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from motebench.base.model import Case
from motebench.measuring.plan.plan import Plan


class Budget:
    """The time of a run that carries out ``plan``."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._begun = time.monotonic()
        self._preparation = 0.0

    def begin(self) -> None:
        """Sampling begins."""
        self._begun = time.monotonic()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The time inside this context does not count."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._begun += time.monotonic() - begun

    def prepared(self, seconds: float) -> None:
        """The start or warm-up of a process with a just-in-time compiler took this long."""
        self._preparation += seconds

    def seconds(self) -> float:
        """Since sampling began."""
        return time.monotonic() - self._begun

    def charged(self) -> float:
        """Seconds that count against the budget: without those of processes with a just-in-time compiler, unless the
        user set a budget."""
        beside = self._preparation if self._plan.policy.budget is None else 0.0
        return self.seconds() - beside

    def ended(self, case: Case, limit: float) -> bool:
        """Whether the time of a case is over, if it has ``limit`` seconds.

        Only a budget that the user set can reduce the number of invocations, which is fixed before.
        """
        if self._plan.jit(case) and self._plan.policy.budget is None:
            return False
        return self.charged() >= limit
