"""What a run asks of whoever reads the power of its target; ``motebench/instruments/of_runs.py`` does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from motebench.model import Case, FailureKind, Scheme
from motebench.runner.readings import Reading
from motebench.targets.base import Session


@dataclass(frozen=True)
class Found:
    """What metering a case gave: a reading of each batch, notes for readers, and why there is none or not all of it."""

    readings: list[Reading]
    notes: list[str]
    failure: tuple[FailureKind, str] | None = None


class Meter(Protocol):
    """Reads the power of a target while one case runs."""

    def measure(self, session: Session, case: Case, scheme: Scheme) -> Found:
        """Never raises but for interrupts: what went wrong is in the answer, beside what is known."""
        ...
