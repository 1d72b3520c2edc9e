"""The contract between a run and the power meter of its target; ``instruments/of_runs.py`` implements it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from motebench.base.model import Case, FailureKind, Scheme
from motebench.measuring.work.readings import Reading
from motebench.targets.base import Session


@dataclass(frozen=True)
class CaseEnergy:
    """The energy of a case: a reading of each batch, notes for readers, and the failure if something is missing."""

    readings: list[Reading]
    notes: list[str]
    failure: tuple[FailureKind, str] | None = None


class Meter(Protocol):
    """Reads the power of a target while one case runs."""

    def measure(self, session: Session, case: Case, scheme: Scheme) -> CaseEnergy:
        """Raises only interrupts: failures are in the answer, together with the results so far."""
        ...
